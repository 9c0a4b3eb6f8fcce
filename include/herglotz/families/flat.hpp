#pragma once
/// A model with an index, written out site by site.

#include "herglotz/families/run.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::families {

/// The largest number of coordinates of a flat model.
inline constexpr std::size_t most_flat = 128;

/// Returns the flat problem: coordinates q[0], q[1], .. in the order of the sites, family after family. Throws
/// Refused if there would be more than most_flat coordinates.
simulate::Problem flat(Model& model);

/// Runs the model written out, with its coordinates as families. Throws Refused as `flat` and
/// simulate::simulate do.
FieldRun run_flat(Model& model, const Progress& progress = {});

}  // namespace herglotz::families
