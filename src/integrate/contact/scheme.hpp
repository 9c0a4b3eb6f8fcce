#pragma once
/// Which contact Runge-Kutta method is meant, and what its single runs and runs in lanes have in common.

#include <cstddef>

#include "numerics/tableau.hpp"

namespace herglotz::integrate {

/// Gauss with 1 to 6 stages, or Lobatto IIIA-IIIB with 2 to 5.
struct ContactScheme {
  bool gauss = true;
  int stages = 1;
};

/// Its coefficients, for S = stages.
template <int S>
const Tableau<S>& contact_tableau(bool gauss);

/// Whether code exists for just so many unknowns of a stage.
constexpr bool has_own_code(ContactScheme scheme, std::size_t unknowns) {
  return scheme.gauss && scheme.stages <= 3 && unknowns >= 3 && unknowns <= 5;
}
/// A factorisation is kept while Newton's method converges in so many iterations.
constexpr int kept_iterations(ContactScheme scheme, std::size_t unknowns) {
  return has_own_code(scheme, unknowns) ? 3 : 5;
}

}  // namespace herglotz::integrate
