#pragma once
/// The exact discrete Lagrangian: the action that the motion between two positions gains in a step. [ASMLL20, Sec. 4].

#include <span>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::analyse {

/// The motion from (t0, x0, y0, z0) over h, with its sensitivity to y0.
struct ContactExponential {
  std::vector<double> x1;  ///< (n)
  std::vector<double> y1;  ///< (n)
  double z1 = 0;
  std::vector<double> dx1;  ///< d x1/d y0 (n x n), row by row: the Jacobian of the contact exponential map
  std::vector<double> dz1;  ///< d z1/d y0 (n)
  double factor = 1;        ///< e^{b(h)} with b = int_0^h L_z
};

/// The contact exponential map exp_h(x0, y0, z0) = (x0, x1, z0) [ASMLL20, Eq. 53], by the motion and its variational
/// equations at a tolerance of 1e-14; h of either sign. Throws std::invalid_argument unless the system is
/// unconstrained, has velocities as fibre coordinates and a compiled flow; std::runtime_error where the motion cannot
/// be followed over h.
ContactExponential contact_exponential(const integrate::Dynamics& dynamics, std::span<const double> parameters,
                                       double t0, std::span<const double> x0, std::span<const double> y0, double z0,
                                       double h);

/// L_d^e(x0, x1, z0) = z(h) - z0 along the motion between x0 and x1, with its derivatives [ASMLL20, Eqs. 61, 64].
struct ExactDiscreteLagrangian {
  std::vector<double> y0;  ///< the exact retraction R^{e-}: the velocity at x0 (n)
  std::vector<double> y1;  ///< R^{e+}: the velocity at x1 (n)
  double value = 0;
  std::vector<double> D1;              ///< -e^{b(h)} p0 (n)
  std::vector<double> D2;              ///< p1 (n)
  double D_z = 0;                      ///< e^{b(h)} - 1
  std::vector<double> D2_variational;  ///< D2 again, as dz1/dy0 (dx1/dy0)^-1: what Eq. 64 is checked by (n)
};

/// Inverts the contact exponential map by Newton's method from y0 = (x1 - x0)/h, damped where the distance grows.
/// Throws as contact_exponential; std::runtime_error also for conjugate points (dx1/dy0 singular) and without
/// convergence.
ExactDiscreteLagrangian exact_discrete_lagrangian(const integrate::Dynamics& dynamics,
                                                  std::span<const double> parameters, double t0,
                                                  std::span<const double> x0, std::span<const double> x1, double z0,
                                                  double h);

}  // namespace herglotz::analyse
