#pragma once
/// Pictures of the families of a run.

#include "herglotz/analyse/field_picture.hpp"
#include "herglotz/families/run.hpp"

namespace herglotz::families {

/// Returns the families of a run at no more moments and sites than a page shows: about 200 moments of 300 sites of a
/// chain, or 30 moments of 64 x 64 sites of a grid. A family has no picture if fewer than four of its sites are stored,
/// or if the stored sites of a grid do not form whole rows and columns.
std::vector<analyse::FieldPicture> pictures(const FieldRun& run);

}  // namespace herglotz::families
