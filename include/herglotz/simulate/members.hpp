#pragma once
/// One simulator run again and again from other starts and with other parameters; what members share is done once.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// A parameter or an initial value that every member has its own value of.
struct Varying {
  bool parameter = false;
  std::string name;
};

/// What the members of an ensemble have in common.
struct Common {
  InitialState initial;
  InitialState parameters;
  InitialState next;
  Settings settings;
  /// Columns that are kept; what only others need may be left out, and they have any value. Empty: all.
  std::vector<std::string> columns{};
  bool end_only = false;           ///< first rows may be left out
  StartExpressions expressions{};  ///< of initial values; a varying one has its own value instead
};

class Members {
 public:
  /// Throws std::invalid_argument as Simulator::run does for what does not depend on the member. Runs go `lanes` (1, 4
  /// or 8) at a time where the method has a form for lanes. The simulator must outlive this.
  Members(const Simulator& simulator, Common common, std::vector<Varying> varying, int lanes = compile::native_lanes());
  ~Members();
  Members(Members&&) noexcept;
  Members& operator=(Members&&) noexcept;

  /// Names and roles of the entries of a row.
  [[nodiscard]] const std::vector<analyse::Column>& columns() const;
  [[nodiscard]] const integrate::MethodInfo& method() const;
  [[nodiscard]] const std::string& method_reason() const;
  /// That of the method with these settings.
  [[nodiscard]] int order() const;
  /// How many runs go at a time; 1 where there is no form for lanes.
  [[nodiscard]] int lanes() const;
  /// The times of the rows of a member that starts at the common start time.
  [[nodiscard]] std::vector<double> times() const;

  /// Writes the varying values of member k.
  using Values = std::function<void(std::size_t k, std::span<double> values)>;
  struct Results {
    /// Row `index` of member k. Rows of a member come in order; it may begin again with its first.
    std::function<void(std::size_t k, std::size_t index, std::span<const double> row)> row;
    /// Member k has so many rows; `failure` is empty, or says why it ended there.
    std::function<void(std::size_t k, std::size_t rows, std::size_t steps, const std::string& failure)> done;
  };

  /// The number of another member to be run; false when there is none.
  using Next = std::function<bool(std::size_t& k)>;

  /// Runs all members that `next` names; may be called from several threads. Every member has the rows that
  /// Simulator::run gives it, bit for bit. False where `proceed`, asked now and then, stopped it.
  bool run(const Next& next, const Values& values, const Results& results, const std::function<bool()>& proceed) const;
  /// Members 0 to count - 1.
  bool run(std::size_t count, const Values& values, const Results& results, const std::function<bool()>& proceed) const;

 private:
  struct Impl;
  class Run;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::simulate
