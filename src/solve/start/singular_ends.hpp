#pragma once
/// Two-point problems of singular Lagrangians.

#include <optional>
#include <vector>

#include "herglotz/control/problem.hpp"
#include "herglotz/mechanics/singular.hpp"

namespace herglotz::solve {

/// An entry of v = (x, p, z) that has a value at an end.
struct EndValue {
  std::size_t entry = 0;
  double value = 0;
  bool natural = false;  ///< the momentum of a base coordinate that the problem leaves free there
};

/// A singular Lagrangian with the values at the ends that determine one motion on its final set.
struct SingularEnds {
  mechanics::System system;
  mechanics::SingularAnalysis analysis;
  std::vector<EndValue> first;  ///< independent of each other on the final set
  std::vector<EndValue> last;
  std::vector<EndValue> follow_first;  ///< those that others determine there, or that have no place
  std::vector<EndValue> follow_last;
};

/// Returns `std::nullopt` for a regular Lagrangian and for problems with controls. For a singular one the given values,
/// then the momenta that vanish at free ends, must be as many as the final set has dimensions. Throws Failed if there
/// is not a motion, or none from and to the given ends; Refused if the ends give more independent conditions than the
/// final set has dimensions, if many motions join them, and for free durations, conditions between the ends and
/// constraints on positions.
std::optional<SingularEnds> singular_ends(const control::Problem& problem);

}  // namespace herglotz::solve
