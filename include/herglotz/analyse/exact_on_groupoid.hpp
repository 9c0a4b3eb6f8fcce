#pragma once
/// The exact discrete Lagrangian on the groupoid M x G of an algebroid. [ASMLL20, Sec. 4], [MMM06].

#include <span>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::analyse {

/// L_d^e(x0, e^eta, z0) = z(h) - z0 along the motion from x0 whose arrow over h is e^eta: g' = g xi from the identity.
/// Without forces D1 = -sigma p0 and D2 = p1; with forces the exact discrete forces are f_d^- = -sigma p0 - D1 and
/// f_d^+ = p1 - D2, the virtual work int e^{int L_z} F . zeta dt along the motion between varied ends.
struct ExactOnGroupoid {
  std::vector<double> x1;   ///< x0 . e^eta (n)
  std::vector<double> xi0;  ///< velocity at x0 (r)
  std::vector<double> xi1;  ///< velocity at x1 (r)
  double value = 0;
  std::vector<double> p0;  ///< momentum at x0 (r)
  std::vector<double> p1;  ///< momentum at x1 (r)
  std::vector<double> D1;  ///< derivative along (x0 . e^(s e_a), e^(-s e_a) e^eta) (r)
  std::vector<double> D2;  ///< derivative along (x0, e^eta e^(s e_a)) (r)
  double sigma = 1;        ///< e^{b(h)}, b = int_0^h L_z
};

/// Finds it by shooting with the variational equations, from xi0 = eta/h. `dynamics` is the motion in the frame in
/// which the structure functions are the constants c^k_ij at [(k r + i) r + j]; velocities, momenta and eta are
/// components along that frame, and there are no constraints. Throws Refused for other sizes, a step
/// that is 0, and constraints; Failed if no motion is found, for conjugate ends, and for arrows at which exp is no
/// local diffeomorphism.
ExactOnGroupoid exact_on_groupoid(const integrate::Dynamics& dynamics, std::span<const double> constants,
                                  std::span<const double> parameters, double t0, std::span<const double> x0,
                                  std::span<const double> eta, double z0, double h);

/// The motion from (x0, xi0, z0) over a step: its arrow e^eta from the identity, and what it is inverted by. It is the
/// contact exponential map on M x G. [ASMLL20, Eqs. 53, 58, Thm 4.1].
struct ArrowOfMotion {
  std::vector<double> eta;       ///< (r)
  std::vector<double> x1;        ///< x0 . e^eta (n)
  std::vector<double> xi1;       ///< velocity at x1 (r)
  double z1 = 0;                 ///< action at the end
  double sigma = 1;              ///< e^{b(h)}, b = int_0^h L_z
  std::vector<double> by_start;  ///< d eta/d xi0, row by row (r x r); singular where the ends are conjugate
};

/// Follows that motion with its variational equations; conventions and errors are those of `exact_on_groupoid`.
ArrowOfMotion arrow_of_motion(const integrate::Dynamics& dynamics, std::span<const double> constants,
                              std::span<const double> parameters, double t0, std::span<const double> x0,
                              std::span<const double> xi0, double z0, double h);

}  // namespace herglotz::analyse
