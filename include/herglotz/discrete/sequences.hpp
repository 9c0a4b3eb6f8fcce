#pragma once
/// Sequences of positions that need not be motions of a discrete Lagrangian. [ASMLL20, Sec. 3].

#include <span>
#include <vector>

#include "herglotz/discrete/discrete_motion.hpp"

namespace herglotz::discrete {

/// Components at the positions of a sequence: (N + 1) of (n).
using Components = std::vector<std::vector<double>>;

/// Returns the Legendre transforms of the N steps between the positions q, with z_k+1 = z_k + L_d(q_k, q_k+1, z_k) from
/// z0. [ASMLL20, Eq. 35]. Throws as legendre_transforms does, and Refused for fewer than two positions.
std::vector<LegendreTransforms> steps_along(const mechanics::System& system, const DiscreteLagrangian& lagrangian,
                                            std::span<const double> parameters, const Components& q, double z0,
                                            double t0, double h);

/// Returns the derivative of z_N along dq, with the virtual work of discrete forces:
///   dz_k+1 = sigma_d(k) (dz_k - p_k^- . dq_k) + p_k+1^+ . dq_k+1,   dz_0 = 0.   [ASMLL20, Eqs. 36-38].
/// For dq that vanishes at both ends it is 0 exactly along the discrete motions. Throws Refused for dq of another
/// shape.
double action_variation(std::span<const LegendreTransforms> steps, const Components& dq);

/// Returns the rows of the discrete Herglotz equations, undivided, at the N - 1 positions between the ends:
///   sigma_d(k) (p_k^+ - p_k^-) = D1 L_d(q_k, q_k+1, z_k) + sigma_d(k) D2 L_d(q_k-1, q_k, z_k-1).   [ASMLL20, Eq. 39].
Components herglotz_rows(std::span<const LegendreTransforms> steps);

}  // namespace herglotz::discrete
