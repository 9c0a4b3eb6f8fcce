#pragma once
/// Reports of runs of models with an index.

#include <string>

#include "herglotz/families/run.hpp"
#include "herglotz/io/family_view.hpp"

namespace herglotz::report {

/// Returns the page of a run with pictures of its families and the motion of its view. `shown` has the columns that the
/// page draws as curves.
std::string render(const analyse::Trajectory& shown, const families::FieldRun& run, io::FamilyView& view);

}  // namespace herglotz::report
