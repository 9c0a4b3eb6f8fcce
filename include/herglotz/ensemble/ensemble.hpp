#pragma once
/// Many runs of one system: as many as a sweep has members, in the lanes and cores of the machine.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/ensemble/sweep.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::ensemble {

/// What is kept of every member.
enum class Keep {
  trajectory,  ///< rows as [simulation] says by output_every or output_step
  times,       ///< rows at given times
  final,       ///< the last row
  statistics   ///< nothing of a member; moments over all members, for the rows of `trajectory` or `times`
};

struct Output {
  Keep keep = Keep::final;
  std::vector<double> times;         ///< of Keep::times, and of Keep::statistics where not empty; increasing
  std::vector<std::string> columns;  ///< names of the documented columns; empty: all
};

/// One ensemble: the model, what varies and what is kept.
struct Plan {
  simulate::Problem problem;
  Sweep sweep;
  Output output;
};

/// Takes velocities, momenta and the second position out of the plan's start where some of another kind are swept.
void give_way_to_swept(Plan& plan);
/// Names whose initial values are expressions that change with what is swept.
std::vector<std::string> initial_values_that_follow(const Plan& plan);

/// Count, mean, sum of squared deviations, least and largest of the finite values of one column in one row.
struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;
  double least = 0;
  double largest = 0;

  void add(double value);
  /// As if the values of `other` had been added after those of this one (Chan, Golub, LeVeque 1983).
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
  std::vector<std::vector<double>> columns;  ///< of each kept column, members x rows values; empty for statistics
  std::vector<Moments> statistics;           ///< rows x columns, only for statistics
  std::vector<Failure> failures;             ///< in the order of members
  std::size_t steps = 0;
};

/// What all blocks share: known before the first run.
struct Layout {
  std::vector<std::pair<std::string, analyse::Role>> columns;  ///< kept ones, without time unless rows differ in it
  std::vector<double> times;                                   ///< of the rows
  std::size_t members = 0;
  std::size_t block_members = 0;  ///< of every block but the last
  std::string method;
  std::string method_reason;
  int order = 0;
  [[nodiscard]] std::size_t blocks() const { return (members + block_members - 1) / block_members; }
};

struct Options {
  int threads = 0;  ///< 0: one per core
  int lanes = 0;    ///< 0: as wide as the machine; 1: none
};

struct Progress {
  std::size_t done = 0;  ///< members, those of blocks that were not wanted among them
  std::size_t failed = 0;
  std::size_t members = 0;
};

/// An ensemble that has been checked and compiled.
class Ensemble {
 public:
  /// Throws std::invalid_argument for a name that is not known, settings that do not fit, or rows whose times depend on
  /// the member (an adaptive method with output_every).
  explicit Ensemble(Plan plan, const Options& options = {});
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  [[nodiscard]] const Plan& plan() const;
  [[nodiscard]] const Layout& layout() const;

  /// Runs the blocks that are wanted and hands each over once, in any order, from any thread, several at a time.
  /// Results are the same bits for any number of threads and lanes, those of Simulator::run with the same settings.
  /// Stops early where progress, called by one thread at a time, returns false; true when everything wanted was done.
  bool run(const std::function<bool(std::size_t block)>& wanted, const std::function<void(Block&&)>& sink,
           const std::function<bool(const Progress&)>& progress = {}) const;

 private:
  struct Impl;
  class Worker;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::ensemble
