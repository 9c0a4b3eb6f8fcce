#pragma once
/// The motion compiled together with the steps of an explicit method.

#include <cstddef>
#include <vector>

#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/embedded_pair.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"

namespace herglotz::integrate {

/// Its entries are (x, w, z, nu where multipliers are differential, log lambda, g_k of these laws); log lambda only
/// where L_z is no constant, and g_k only where law k has a source. What is left out is known in closed form.
struct CompiledMotion {
  kernel::LoopEntries entries;
  std::vector<std::size_t> laws;
  std::vector<std::size_t> kept{};  ///< where its entries are only these of (x, w, z), without log lambda and budgets
  kernel::AdaptiveLoop adaptive;
  kernel::RungeKuttaLoop steps;
};

/// The pair of the method `reference`, to compile an adaptive loop with.
kernel::EmbeddedPair reference_pair();
/// The method `runge-kutta-4` or `runge-kutta-8`, to compile its steps with. Throws std::invalid_argument for another
/// order.
kernel::ExplicitTableau runge_kutta_tableau(int order);

}  // namespace herglotz::integrate
