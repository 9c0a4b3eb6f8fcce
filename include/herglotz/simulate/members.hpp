#pragma once
/// Repeated runs of one simulator from other starts and with other parameters; work that members share is done once.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "herglotz/compile/device.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// A parameter or an initial value that differs from member to member.
struct Varying {
  bool parameter = false;
  std::string name;
};

/// Values and settings that all members of an ensemble share.
struct Common {
  InitialState initial;
  InitialState parameters;
  InitialState next;
  Settings settings;
  /// Columns that are kept. Other columns may have any value, because work for them may be skipped. Empty: all.
  std::vector<std::string> columns{};
  bool end_only = false;           ///< only the last row of a member is wanted; others may be left out
  StartExpressions expressions{};  ///< for initial values; a varying value does not use its expression
};

class Members {
 public:
  /// Throws Refused as Simulator::run does, for errors that do not depend on the member. `lanes` (1, 4 or 8) runs go at
  /// a time if the method has a form for lanes. If there is a device, it takes the steps instead, and the processor
  /// runs the members that the device gives up; Refused says why a device does not follow such members at all. The
  /// simulator must outlive this object.
  Members(const Simulator& simulator, Common common, std::vector<Varying> varying, int lanes = compile::native_lanes(),
          const std::shared_ptr<const compile::Device>& device = {});
  ~Members();
  Members(Members&&) noexcept;
  Members& operator=(Members&&) noexcept;

  /// Returns the names and roles of the entries of a row.
  [[nodiscard]] const std::vector<analyse::Column>& columns() const;
  [[nodiscard]] const integrate::MethodInfo& method() const;
  [[nodiscard]] const std::string& method_reason() const;
  /// Returns the order of the method with these settings.
  [[nodiscard]] int order() const;
  /// Returns the number of runs that go at a time; 1 if there is no form for lanes.
  [[nodiscard]] int lanes() const;
  /// Returns the times of the rows of a member that starts at the common start time.
  [[nodiscard]] std::vector<double> times() const;
  /// Returns the rows of a run of the simulator that a member has. Where events change the state they are those at the
  /// times that members share, the later one of two at a jump, and the last one; else all.
  [[nodiscard]] std::vector<std::size_t> shared_rows(const analyse::Trajectory& run) const;

  /// Writes the varying values of member k.
  using Values = std::function<void(std::size_t k, std::span<double> values)>;
  /// Returns what a run says of a pulse that its steps may go over: of the narrowest one in some of the members 0 to
  /// count - 1, evenly spread over them. Returns an empty text if they have none.
  [[nodiscard]] std::string missed_pulse(std::size_t count, const Values& values) const;
  /// Rows of neighbouring lanes at one time.
  struct Rows {
    std::span<const std::size_t> members;  ///< member of each lane
    unsigned lanes = 0;                    ///< lanes that have a row, as bits; the numbers of others are unspecified
    std::size_t index = 0;                 ///< index of the rows
    std::span<const double> values;        ///< column c of lane l is at [c * members.size() + l]
  };
  /// How a member ended.
  struct End {
    std::size_t rows = 0;
    std::size_t steps = 0;
    std::string failure{};  ///< empty, or says why it ended where it did
    /// The largest residual of each law as in the facts of a run, in the order of the columns of residuals; nothing if
    /// the laws are not kept or no run was made.
    std::vector<double> largest_residuals{};
  };
  struct Results {
    /// Receives row `index` of member k. Rows of a member come in order, but a member may restart from its first row.
    std::function<void(std::size_t k, std::size_t index, std::span<const double> row)> row;
    /// Is called when member k is done.
    std::function<void(std::size_t k, const End& end)> done;
    /// Receives rows of several members in place of `row`; may be empty. If it returns false, `row` receives them.
    std::function<bool(const Rows& rows)> rows{};
  };

  /// Gives the number of another member to be run; returns false if there is none.
  using Next = std::function<bool(std::size_t& k)>;

  /// Runs all members that `next` names; may be called from several threads. Every member has the rows that
  /// Simulator::run gives it, bit for bit. Returns false if `proceed`, which is called now and then, stopped it.
  bool run(const Next& next, const Values& values, const Results& results, const std::function<bool()>& proceed) const;
  /// Runs the members 0 to count - 1.
  bool run(std::size_t count, const Values& values, const Results& results, const std::function<bool()>& proceed) const;

 private:
  struct Impl;
  class Run;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::simulate
