#pragma once
/// Reports of runs of models with an index.

#include <string>

#include "herglotz/families/run.hpp"
#include "herglotz/io/family_view.hpp"
#include "herglotz/report/live.hpp"

namespace herglotz::report {

/// Returns the page of a run with pictures of its families and the motion of its view. `shown` has the columns that the
/// page draws as curves.
std::string render(const analyse::Trajectory& shown, const families::FieldRun& run, io::FamilyView& view);

/// Returns the page of a run that was stored, with the view of its text and the values of its parameters. Families of
/// parameters have the values of the text. If the text cannot be read or names files, no motion is drawn, and a note
/// says why.
std::string render(const families::FieldRun& run);

/// Returns the same for a page that is open, with about `limit` rows of the curves at most. Its motion is known at
/// fewer moments than that of a report, and at still fewer in proportion if the run is only a `part` of one. The head
/// has as `counts` the parameters that are numbers of sites.
LiveRun page_of(const analyse::Trajectory& shown, const families::FieldRun& run, io::FamilyView& view,
                std::size_t limit, double part = 1);

}  // namespace herglotz::report
