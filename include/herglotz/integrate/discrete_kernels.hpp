#pragma once
/// A discrete Lagrangian as kernels: the map that the discrete Herglotz equations define implicitly.

#include "herglotz/kernel/kernel.hpp"

namespace herglotz::integrate {

/// Kernels of the flow of the discrete Herglotz equations with discrete forces f-, f+ on T*Q x R [ASMLL20, Eqs. 39-41]:
/// z1 = z0 + ell(x0, x1, z0, z1, t0, h), p0 = -(D1 ell + f-)/(1 + D_z0 ell) and p1 = (D2 ell + f+)/(1 - D_z1 ell). Its
/// conformal factor without forces is sigma_d = (1 + D_z0 ell)/(1 - D_z1 ell). An ell without z1 is the discrete
/// Lagrangian on Q x Q x R of [ASMLL20], and an ell with z1 is the one on Q x Q x R^2 of [VBS19]. The kernels are empty
/// unless a method that needs them was asked for.
struct DiscreteKernels {
  kernel::Kernel ell;       ///< variables (x0, x1, z0, z1, t0, h): (ell, D1 + f- (n), D2 + f+ (n), D_z0, D_z1)
  kernel::Kernel jacobian;  ///< the derivatives of these outputs by (x1, z1)
  kernel::Pattern pattern;

  explicit operator bool() const { return static_cast<bool>(ell); }
};

}  // namespace herglotz::integrate
