#pragma once
/// Runs of a model with an index in loops over its sites, with their balance laws.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/families/model.hpp"

namespace herglotz::families {

/// One family along a run: rows of values at the stored sites.
struct Field {
  std::string name;
  analyse::Role role = analyse::Role::base;
  std::vector<std::size_t> sites;  ///< the numbers of the stored sites, in increasing order
  std::vector<double> values;      ///< rows x sites, a row after the other
};

/// A run: the columns with one number in each row, and the families.
struct FieldRun {
  analyse::Trajectory trajectory;
  std::vector<Field> fields;
  std::vector<Index> indices;  ///< of the sites
  std::string failure;         ///< the sentence that says why the run failed, or empty
};

/// Fraction done in [0, 1]; returning false stops the run and keeps what it reached.
using Progress = std::function<bool(double fraction)>;

/// Returns the names of the methods that run in loops over sites.
const std::vector<std::string>& loop_methods();

/// The method of a run in loops, with the reason if `auto` chose it.
struct LoopMethod {
  std::string name;
  int order = 0;
  bool adaptive = false;  ///< its steps follow from their errors
  std::string reason{};
};

/// Returns the method of a model that runs in loops.
LoopMethod loop_method(Model& model);

/// Returns whether the model runs in loops with its settings; if not, `flat` makes it run. Throws
/// Refused that names the method if neither is possible.
bool runs_in_loops(Model& model);

/// Runs in loops and verifies. The results have the same bits for any number of threads. Throws Refused
/// for settings that cannot be honoured.
FieldRun run(Model& model, const Progress& progress = {});

/// Runs of one model for several values of its parameters and starts: its motion is derived and compiled for the first
/// one. The model must outlive them, and its settings stay. Each run has the bits that `run` gives.
class Runs {
 public:
  explicit Runs(Model& model);
  ~Runs();
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  /// Runs with the values that the model has now, as `run` does.
  FieldRun run(const Progress& progress = {});
  /// Runs for one step, or two where the second one is shorter and ends the run, each of which has a row. Throws what
  /// `run` throws before its first step.
  FieldRun first_steps();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the number of columns that a run in loops stores, with one for each site. Throws Refused for
/// names in the settings that are not columns.
std::size_t stored_columns(const Model& model);

/// Returns the run as one trajectory with a column for every stored site.
analyse::Trajectory in_columns(const FieldRun& run);

}  // namespace herglotz::families
