#pragma once
/// Pontryagin's conditions of a problem of control, for readers.

#include "herglotz/control/problem.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::control {

/// Presents the conditions of normal extremals: with the Hamiltonian H = p_a f^a - ell (for mechanics H = p_a y^a + q_a
/// a^a + p_z L - ell - kappa_j C_j with the accelerations a and the equations of motion C = 0),
///   dp_j/dt = c^k_ij f^i p_k - rho^i_j H_{x^i} + ell_zeta p_j,
/// the other costates likewise, H_w = 0 for what is not a control, the maximising controls in closed form where H is
/// quadratic in them, switching functions where it is linear, and the transversality conditions [GG08, Eqs. 5.6-5.8;
/// LLM22]. With `maximise` these are the conditions of minimising the negative. Its program is empty. Throws
/// Refused as first_order does, also for a problem without controls.
mechanics::Presentation pontryagin_conditions(const Problem& problem);

}  // namespace herglotz::control
