#pragma once
/// The motion compiled together with the steps of explicit methods.

#include <cstddef>
#include <vector>

#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/embedded_pair.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"

namespace herglotz::integrate {

/// Loops over steps of a motion, which are compiled with it. Their entries are (x, w, z, nu if multipliers are
/// differential, log lambda, g_k of these laws). log lambda is an entry only if L_z is not a constant, and g_k only if
/// law k has a source; otherwise they are known in closed form.
struct CompiledLoops {
  kernel::StateLayout entries;
  std::vector<std::size_t> laws;
  /// If not empty, the only entries: places in (x, w, z), without log lambda and budgets.
  std::vector<std::size_t> kept{};
  kernel::AdaptiveLoop adaptive;
  kernel::RungeKuttaLoop steps;
};

/// Returns the pair of the method `reference`, to compile an adaptive loop with.
kernel::EmbeddedPair reference_pair();
/// Returns the tableau of the method `runge-kutta-4` or `runge-kutta-8`, to compile its steps with. Throws
/// Refused for another order.
kernel::ExplicitTableau runge_kutta_tableau(int order);

}  // namespace herglotz::integrate
