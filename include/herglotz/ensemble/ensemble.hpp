#pragma once
/// Runs of one system for all members of a sweep, in the lanes and cores of the machine.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/ensemble/sweep.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::ensemble {

/// Results that are kept of the members.
enum class Keep {
  trajectory,  ///< the rows that output_every or output_step of [simulation] ask for
  times,       ///< rows at given times
  final,       ///< the last row
  statistics   ///< moments over all members for the rows of `trajectory` or `times`, and no single member
};

struct Output {
  Keep keep = Keep::final;
  std::vector<double> times;         ///< for Keep::times, and for Keep::statistics if not empty; increasing
  std::vector<std::string> columns;  ///< names of the documented columns; empty: all
};

/// Plan of one ensemble: the model, the sweep and the output.
struct Plan {
  simulate::Problem problem;
  Sweep sweep;
  Output output;
  std::string device = "cpu";  ///< cpu, host, cuda, hip or auto; no device changes a bit of a result
};

/// Removes the velocities, momenta and second position of the plan's start that conflict with a swept value.
void drop_swept_conflicts(Plan& plan);
/// Returns the names whose initial values are expressions that depend on a swept quantity.
std::vector<std::string> initial_values_that_follow(const Plan& plan);

/// Count, mean, sum of squared deviations, least and largest of the finite values of one column in one row.
struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;
  double least = 0;
  double largest = 0;

  void add(double value);
  /// Merges moments as if the values of `other` had been added one by one (Chan, Golub, LeVeque 1983).
  void add(const Moments& other);
};

struct Failure {
  std::size_t member = 0;
  std::string reason;
};

/// The results of consecutive members. Rows a member did not reach hold NaN.
struct Block {
  std::size_t index = 0;
  std::size_t first = 0;  ///< its first member
  std::size_t members = 0;
  std::vector<std::vector<double>> columns;  ///< members x rows values of each kept column; empty for statistics
  std::vector<Moments> statistics;           ///< rows x columns, only for statistics
  std::vector<Failure> failures;             ///< in the order of members
  std::size_t steps = 0;
  /// For each kept column of residuals the largest residual of each member, as the facts of a run of its own have it;
  /// NaN for a member without rows that are kept, and infinite where it is not a number.
  std::vector<std::vector<double>> largest_residuals{};

  /// Makes room for the largest residuals of `laws` laws.
  void begin_residuals(std::size_t laws);
  /// Keeps the largest residual of law k in the run of a member.
  void keep_largest(std::size_t k, std::size_t member, double largest);
};

/// Facts that all blocks share; they are known before the first run.
struct Layout {
  std::vector<std::pair<std::string, analyse::Role>> columns;  ///< kept columns; time only for Keep::final
  std::vector<double> times;                                   ///< times of the rows
  std::size_t members = 0;
  std::size_t block_members = 0;  ///< members of every block but the last
  std::string method;
  std::string method_reason;
  int order = 0;
  std::string device{};  ///< the device that was taken, and why; empty for the processor if it was asked for
  [[nodiscard]] std::size_t blocks() const { return (members + block_members - 1) / block_members; }
  /// Returns the names of the kept columns of residuals.
  [[nodiscard]] std::vector<std::string> residuals() const;
};

struct Parallelism {
  int threads = 0;  ///< 0: one per core
  int lanes = 0;    ///< 0: as wide as the machine; 1: none
};

struct MemberCounts {
  std::size_t done = 0;  ///< members, including the members of blocks that were not wanted
  std::size_t failed = 0;
  std::size_t members = 0;
};

/// An ensemble that has been checked and compiled.
class Ensemble {
 public:
  /// Checks and compiles the plan. Throws Refused for an unknown name, settings that do not fit, or rows
  /// whose times depend on the member (an adaptive method with output_every).
  explicit Ensemble(Plan plan, const Parallelism& options = {});
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  [[nodiscard]] const Plan& plan() const;
  [[nodiscard]] const Layout& layout() const;
  /// Returns sentences about what the runs of members may miss, once for all of them.
  [[nodiscard]] const std::vector<std::string>& notes() const;

  /// Runs the wanted blocks and emits each to `sink` once, in any order, from several threads at a time. The results
  /// have the same bits for any number of threads and lanes, and equal the results of Simulator::run with the same
  /// settings. Stops early if `progress`, which one thread at a time calls, returns false. Returns true if every wanted
  /// block was run.
  bool run(const std::function<bool(std::size_t block)>& wanted, const std::function<void(Block&&)>& sink,
           const std::function<bool(const MemberCounts&)>& progress = {}) const;

 private:
  struct Impl;
  class Worker;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::ensemble
