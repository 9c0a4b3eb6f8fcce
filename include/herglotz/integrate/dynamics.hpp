#pragma once
/// What an integrator needs of a system: kernels, and nothing else. Testable with kernel::from_function.

#include <cstddef>
#include <string>
#include <vector>

#include "herglotz/kernel/kernel.hpp"

namespace herglotz::integrate {

/// The state is u = (x (n), w (r), z, t); w is the velocity y of a Lagrangian or the momentum p of a Hamiltonian model.
/// Kernels are one-lane; their outputs are those of the programs in mechanics/equations.hpp.
struct Dynamics {
  std::size_t n = 0;
  std::size_t r = 0;
  std::size_t laws = 0;            ///< balance laws followed along the run
  std::vector<std::string> names;  ///< of x, w and z, for sentences about a state; may be empty

  kernel::Kernel flow;           ///< (x_dot, w_dot, z_dot); empty when `mass` is used instead
  kernel::Kernel flow_jacobian;  ///< d flow / d(x, w, z)
  kernel::Pattern flow_pattern;
  kernel::Kernel mass;           ///< (x_dot, z_dot, W, b)
  kernel::Kernel mass_jacobian;  ///< variables (u, w_dot): d(x_dot, b - W w_dot, z_dot)/d(x, w, z)
  kernel::Pattern mass_pattern;
  kernel::Kernel stage;           ///< (x_dot, p, f, L, L_z)
  kernel::Kernel stage_jacobian;  ///< d stage / d(x, w, z)
  kernel::Pattern stage_pattern;
  kernel::Kernel balance;  ///< (L_z, then quantity, scale, source per law)

  [[nodiscard]] std::size_t dimension() const { return n + r + 1; }  ///< of (x, w, z)
};

}  // namespace herglotz::integrate
