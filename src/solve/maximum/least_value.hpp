#pragma once
/// The least value of K over a box of controls, by branch and bound.

#include <cstddef>
#include <vector>

#include "maximum/hamiltonian.hpp"

namespace herglotz::solve {

struct SearchLimits {
  double below;               ///< K that is lower by less does not count
  double accuracy;            ///< relative, of the costates: smaller slopes are none
  std::vector<double> sizes;  ///< of the controls
  std::size_t most_boxes;
};

struct LeastValue {
  bool decided = false;  ///< true if no other controls have a K that is lower by more than a hundredth of `fall`
  std::vector<double> controls;  ///< with the lowest K that was found
  double fall = 0;               ///< by which K is lower there than with the controls of the stage
  std::size_t boxes = 0;
};

/// Looks for controls with a lower K than those of the stage that the Hamiltonian is at. Boxes are left out where
/// interval arithmetic shows that K is not lower, because of the range of its values or of its slopes, or because K is
/// convex there and above its tangent; others are halved.
LeastValue least_value(Hamiltonian& hamiltonian, const std::vector<Range>& domain, const SearchLimits& limits);

}  // namespace herglotz::solve
