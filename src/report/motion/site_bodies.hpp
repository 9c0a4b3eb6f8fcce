#pragma once
/// Bodies that the page draws of a model with an index: the places of the bodies of its sites and edges at some
/// moments.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "herglotz/families/run.hpp"
#include "herglotz/io/family_view.hpp"

namespace herglotz::report {

/// Returns the picture of a run: `arrays` of bodies, whose components are numbers of `components`, and the times of
/// `moments` at which these are known, at most about `most_numbers` in all; of many sites or edges some at even
/// distances are drawn. A component is as many values for each moment, or for all of them, as there are bodies, as
/// multiples of a step above the lowest one in two bytes (65535: no value), which is finer than a picture shows. Null
/// if the model states no view or the run has fewer than two rows; `note` says what is not drawn. With `apart` the
/// values are added there, component after component, and are not in the JSON.
nlohmann::json site_motion_of(const families::FieldRun& run, io::FamilyView& stated, std::size_t most_numbers = 500'000,
                              std::vector<std::uint16_t>* apart = nullptr);

}  // namespace herglotz::report
