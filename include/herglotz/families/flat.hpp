#pragma once
/// A model with an index, written out site by site.

#include <memory>

#include "herglotz/families/run.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::families {

/// The largest number of coordinates of a flat model.
inline constexpr std::size_t most_flat = 1000;

/// Returns the flat problem: coordinates q[0], q[1], .. in the order of the sites, family after family. Throws
/// Refused if there would be more than most_flat coordinates.
simulate::Problem flat(Model& model);

/// Returns the same with families of parameters and starts as expressions in the parameters, so that derivatives by
/// these are those of the model, and without the parameters that are numbers of sites, which are numbers in it.
simulate::Problem written_out(Model& model);

/// Runs the model written out, with its coordinates as families. Throws Refused as `flat` and
/// simulate::simulate do.
FieldRun run_flat(Model& model, const Progress& progress = {});

/// Runs of one model written out, for several values of its parameters and starts. It is derived and compiled for the
/// first one, and again where families of parameters have other values, which are numbers in its equations. The model
/// must outlive them. Each run has the bits that `run_flat` gives.
class FlatRuns {
 public:
  explicit FlatRuns(Model& model);
  ~FlatRuns();
  FlatRuns(const FlatRuns&) = delete;
  FlatRuns& operator=(const FlatRuns&) = delete;

  /// Runs with the values that the model has now, as `run_flat` does.
  FieldRun run(const Progress& progress = {});
  /// Runs for one step, which has a row. Throws what `run` throws before its first step.
  FieldRun first_steps();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::families
