#pragma once
/// Pictures of the families of a run.

#include "herglotz/analyse/field_picture.hpp"
#include "herglotz/families/run.hpp"

namespace herglotz::families {

/// Returns the families of a run at no more moments and sites than a page shows: about 200 moments of 300 sites, or 30
/// of 64 x 64 sites of a grid. A family of fewer than four stored sites, or of sites that are no rows and columns of a
/// grid, has none.
std::vector<analyse::FieldPicture> pictures(const FieldRun& run);

}  // namespace herglotz::families
