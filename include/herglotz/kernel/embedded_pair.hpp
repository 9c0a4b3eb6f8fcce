#pragma once
/// An explicit Runge-Kutta method with an error estimate.

#include <vector>

#include "herglotz/kernel/explicit_tableau.hpp"

namespace herglotz::kernel {

/// Tableau with the weights of the error estimate, b - b_hat. The step changes by the eighth root of its error, as it
/// must for pairs of orders 8 and 7.
struct EmbeddedPair : ExplicitTableau {
  std::vector<double> difference;
};

}  // namespace herglotz::kernel
