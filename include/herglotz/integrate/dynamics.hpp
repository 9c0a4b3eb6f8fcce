#pragma once
/// The kernels of a system that an integrator needs. Tests can make them with kernel::from_function.

#include <cstddef>
#include <string>
#include <vector>

#include "herglotz/integrate/compiled_loops.hpp"
#include "herglotz/integrate/discrete_kernels.hpp"
#include "herglotz/integrate/energy_kernels.hpp"
#include "herglotz/integrate/explicit_kernels.hpp"
#include "herglotz/integrate/groupoid_kernels.hpp"
#include "herglotz/kernel/kernel.hpp"

namespace herglotz::integrate {

/// Origin of the multipliers l of the m constraints Phi(x, w, z, t) = 0. Theory, Sec. 2.
enum class Multipliers {
  algebraic,    ///< nonholonomic: l = lambda, determined by the state; the force Phi_y^T lambda is in F
  differential  ///< vakonomic: l = nu is part of the state; p, F, L_z belong to L - nu Phi
};

/// Kernels of a system. The state is (x (n), w (r), z), with t, and with nu (m) if multipliers are differential; w is
/// the velocity y of a Lagrangian or the momentum p of a Hamiltonian model. Every kernel takes v = (x, w, z, t, l (m));
/// `flow` and `mass` ignore an algebraic l. Kernels are one-lane; their outputs are the outputs of the programs in
/// mechanics/equations.hpp. Both rules solve one saddle-point system, [W, -Phi_y^T; Phi_w, 0] (w_dot, ell) = (b,
/// -beta), whose ell is lambda, or d nu/dt.
struct Dynamics {
  std::size_t n = 0;
  std::size_t r = 0;
  std::size_t m = 0;          ///< independent constraints
  std::size_t positions = 0;  ///< velocity-free ones; their derivatives along the motion come first in Phi
  Multipliers multipliers = Multipliers::algebraic;
  std::size_t laws = 0;            ///< balance laws followed along the run
  std::vector<std::string> names;  ///< names of x, w, z and a differential l, for messages about a state; may be empty
  std::string time = "t";          ///< name of the time of integration in such messages

  kernel::Kernel flow;           ///< (x_dot, w_dot, z_dot, ell); empty if `mass` is used instead
  bool flow_has_laws = false;    ///< whether `flow` ends with L_z and the source of every law, at its own ell
  kernel::Kernel flow_jacobian;  ///< d flow / d(x, w, z, l)
  kernel::Pattern flow_pattern;
  kernel::Kernel mass;             ///< (x_dot, z_dot, b, -beta), then entries of [W, -Phi_y^T; Phi_w, 0]
  kernel::Pattern saddle_pattern;  ///< places of these entries, row by row; the others are always zero
  kernel::Kernel mass_jacobian;    ///< variables (v, w_dot, ell): d(x_dot, b + Phi_y^T ell - W w_dot, z_dot,
                                   ///< -beta - Phi_w w_dot)/d(x, w, z, l)
  kernel::Pattern mass_pattern;
  kernel::Kernel stage;           ///< (x_dot, p, F, L, L_z, Phi): F is f + Phi_y^T lambda, or f of L - nu Phi
  kernel::Kernel stage_jacobian;  ///< d stage / d(x, w, z, l)
  kernel::Pattern stage_pattern;
  kernel::Kernel projection;  ///< variables (v, p_hat): (dw, k, Phi_y^T k) of Newton's step with W dw - Phi_y^T k =
                              ///< p_hat - p, Phi_w dw = -Phi; for algebraic l; may be empty
  kernel::Kernel balance;     ///< (L_z, then quantity, scale, source per law)
  kernel::Kernel position;    ///< phi (positions): the velocity-free constraints; empty without such constraints
  bool position_uses_action = false;  ///< whether phi depends on z
  bool forces_use_velocity = false;   ///< whether Phi_y depends on w: constraints nonlinear in the velocities
  bool lagrangian = true;             ///< w is a velocity; otherwise a momentum
  bool velocities = false;  ///< the fibre coordinates are the velocities of the base: rho = sigma = 1 and c = 0
  bool laws_use_multipliers = false;  ///< whether a source of `balance` depends on an algebraic l: its forces do work

  // Kernels that only some methods read; they are compiled when one of these methods is asked for.
  CompiledLoops motion;       ///< Requirement::adaptive_motion, taylor_motion, stepped_motion; its loops may stay empty
  ExplicitKernels splitting;  ///< Requirement::splitting
  ExplicitKernels verlet;     ///< Requirement::verlet; stays empty if the step is implicit
  DiscreteKernels discrete;   ///< Requirement::discrete_lagrangian
  GroupoidKernels groupoid;   ///< Requirement::groupoid
  EnergyKernels energy;       ///< Requirement::energy

  [[nodiscard]] bool differential() const { return multipliers == Multipliers::differential; }
  [[nodiscard]] std::size_t variables() const { return n + r + 2 + m; }  ///< the size of v
  /// Returns the size of the state: (x, w, z), and nu if multipliers are differential.
  [[nodiscard]] std::size_t dimension() const { return n + r + 1 + (differential() ? m : 0); }
};

}  // namespace herglotz::integrate
