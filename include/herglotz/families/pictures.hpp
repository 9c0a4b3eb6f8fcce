#pragma once
/// Pictures and curves of the families of a run.

#include "herglotz/analyse/field_picture.hpp"
#include "herglotz/families/run.hpp"

namespace herglotz::families {

/// Returns the numbers 0, .., count - 1, or `most` of them at even distances with both ends.
std::vector<std::size_t> spread(std::size_t count, std::size_t most);

/// Returns the stored places along each index, or an empty list if the stored sites are not all of their combinations.
std::vector<std::vector<std::size_t>> places_of(const Field& field, const std::vector<Index>& indices);

/// Returns the families of a run at no more moments and sites than a page shows: about 200 moments of 300 sites of a
/// chain, or 30 moments of 64 x 64 sites of a grid. A family has no picture if fewer than four of its sites are stored,
/// or if the stored sites of a grid do not form whole rows and columns. The beginning of a run, which is a `part` of
/// it, is shown at as many fewer moments.
std::vector<analyse::FieldPicture> pictures(const FieldRun& run, double part = 1);

/// The most columns of sites that `with_curves` gives.
inline constexpr std::size_t most_curves = 40;

/// Returns the run with columns for the first, the middle and the last of the stored sites of each family. Columns of
/// one number a row stay.
analyse::Trajectory with_curves(const FieldRun& run);
/// Returns it with columns for the sites that `names` choose, which are written as `columns` in [simulation]; without
/// names with the same columns as above. Throws Refused for a name that is not a column, for a site that the run did
/// not store, and for more than most_curves columns.
analyse::Trajectory with_curves(const Model& model, const FieldRun& run, const std::vector<std::string>& names);

}  // namespace herglotz::families
