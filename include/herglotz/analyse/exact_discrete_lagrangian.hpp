#pragma once
/// The exact discrete Lagrangian: the action that the motion between two positions gains in a step. [ASMLL20, Sec. 4].

#include <span>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::analyse {

/// The motion from (t0, x0, y0, z0) over h, with its sensitivities; matrices row by row.
struct ContactExponential {
  std::vector<double> x1;  ///< (n)
  std::vector<double> y1;  ///< (n)
  double z1 = 0;
  std::vector<double> dx1;      ///< d x1/d y0 (n x n): the Jacobian of the contact exponential map
  std::vector<double> dz1;      ///< d z1/d y0 (n)
  std::vector<double> dx1_dx0;  ///< (n x n)
  std::vector<double> dz1_dx0;  ///< (n)
  std::vector<double> dx1_dz0;  ///< (n)
  double dz1_dz0 = 1;
  double factor = 1;  ///< e^{b(h)} with b = int_0^h L_z
};

/// Computes the contact exponential map exp_h(x0, y0, z0) = (x0, x1, z0) [ASMLL20, Eq. 53], by the motion and its
/// variational equations at a tolerance of 1e-14; h may have either sign. Throws Refused unless the
/// system is unconstrained, has velocities as fibre coordinates and a compiled flow; Failed if the motion
/// cannot be followed over h.
ContactExponential contact_exponential(const integrate::Dynamics& dynamics, std::span<const double> parameters,
                                       double t0, std::span<const double> x0, std::span<const double> y0, double z0,
                                       double h);

/// Exact discrete Lagrangian L_d^e(x0, x1, z0) = z(h) - z0 along the motion between x0 and x1, with its derivatives by
/// the variational equations [ASMLL20, Eqs. 61, 64], and the exact discrete forces. With eta = dz - p dq, forces F
/// change d eta/dt = L_z eta by -F.dq, so that along the motion between two positions
///   dz1 = (sigma - force_z) dz0 + D1.dx0 + D2.dx1,   D1 = -sigma p0 - minus,   D2 = p1 - plus,   D_z = sigma - 1 -
///   force_z
/// with the virtual work minus.dx0 + plus.dx1 + force_z dz0 = int_0^h exp(int_t^h L_z) F.dq(t) dt: [MW01, Sec. 3.2]
/// with the factor of Herglotz' principle. The samples of a motion obey D1 + minus + sigma (D2 + plus of the step
/// before) = 0.
struct ExactDiscreteLagrangian {
  std::vector<double> y0;  ///< the exact retraction R^{e-}: the velocity at x0 (n)
  std::vector<double> y1;  ///< R^{e+}: the velocity at x1 (n)
  double value = 0;
  std::vector<double> D1;     ///< (n); without forces -sigma p0
  std::vector<double> D2;     ///< (n); without forces p1
  double D_z = 0;             ///< without forces sigma - 1
  double sigma = 1;           ///< e^{b(h)}, b = int_0^h L_z
  std::vector<double> p0;     ///< momentum at x0 (n)
  std::vector<double> p1;     ///< momentum at x1 (n)
  std::vector<double> minus;  ///< the exact discrete force at x0 (n); without forces 0 up to the errors of the motion
  std::vector<double> plus;   ///< the exact discrete force at x1 (n)
  double force_z = 0;         ///< the work of the forces per change of z0, which changes the path between x0 and x1
};

/// Inverts the contact exponential map by Newton's method from y0 = (x1 - x0)/h, damped if the distance grows. Throws
/// as contact_exponential does; Failed also for conjugate points (dx1/dy0 singular) and if the iteration
/// does not converge.
ExactDiscreteLagrangian exact_discrete_lagrangian(const integrate::Dynamics& dynamics,
                                                  std::span<const double> parameters, double t0,
                                                  std::span<const double> x0, std::span<const double> x1, double z0,
                                                  double h);

}  // namespace herglotz::analyse
