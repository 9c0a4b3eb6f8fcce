#pragma once
/// Choice of a contact Runge-Kutta method, and the common parts of its single runs and its runs in lanes.

#include <cstddef>

#include "numerics/tableau.hpp"

namespace herglotz::integrate {

/// Scheme of a method: Gauss with 1 to 6 stages, or Lobatto IIIA-IIIB with 2 to 5.
struct ContactScheme {
  bool gauss = true;
  int stages = 1;
};

/// Returns the coefficients of a scheme of S stages.
template <int S>
const Tableau<S>& contact_tableau(bool gauss);

/// Returns whether code exists for exactly this number of unknowns of a stage.
constexpr bool has_own_code(ContactScheme scheme, std::size_t unknowns) {
  return scheme.gauss && scheme.stages <= 3 && unknowns >= 3 && unknowns <= 5;
}
/// Returns the number of iterations of Newton's method up to which a factorisation is kept.
constexpr int kept_iterations(ContactScheme scheme, std::size_t unknowns) {
  return has_own_code(scheme, unknowns) ? 3 : 5;
}

}  // namespace herglotz::integrate
