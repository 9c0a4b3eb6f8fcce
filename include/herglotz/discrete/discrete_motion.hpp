#pragma once
/// Motions of a discrete Lagrangian on Q x Q as sequences of numbers, with any sign of the conformal factor. [ASMLL20,
/// Sec. 3].

#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/discrete/discrete_lagrangian.hpp"

namespace herglotz::discrete {

/// Values of functions of (q0, q1, z0, z1, t0, h) and the parameters in one step with given ends. Off tangent bundles
/// q1 has the base at the end of the arrow, then the arrow.
class StepValues {
 public:
  /// z1 is z0 until solve_action is called. `parameters` are in the order of system.parameters.
  StepValues(const mechanics::System& system, const DiscreteLagrangian& lagrangian, std::span<const double> parameters,
             std::span<const double> q0, std::span<const double> q1, double z0, double t0, double h);

  [[nodiscard]] std::vector<double> operator()(std::span<const Expr> f) const;
  [[nodiscard]] double z1() const { return values_[z1_]; }
  /// Solves z1 = z0 + ell by Newton's method from z0, with D_z1 = d ell/dz1. One iteration is exact for an ell without
  /// z1. Throws Failed if no z1 is found.
  void solve_action(Expr ell, Expr D_z1);

 private:
  std::vector<Expr> symbols_;
  std::vector<double> values_;
  std::size_t z1_;
  double z0_;
};

/// The Legendre transforms of one step, F-(q0, q1, z0) = (q0, p0, z0) and F+(q0, q1, z0) = (q1, p1, z1), and its
/// factor. [ASMLL20, Eq. 40].
struct LegendreTransforms {
  std::vector<double> p0;  ///< (n)
  std::vector<double> p1;  ///< (n)
  double z1 = 0;
  double sigma = 1;  ///< sigma_d
};

/// Computes them for given ends; z1 solves z1 - z0 = ell. Throws Failed if no z1 does, and Refused for positions of
/// other sizes and for a discrete Lagrangian of arrows.
LegendreTransforms legendre_transforms(const mechanics::System& system, const DiscreteLagrangian& lagrangian,
                                       std::span<const double> parameters, std::span<const double> q0,
                                       std::span<const double> q1, double z0, double t0, double h);

/// A sequence q_0, ..., q_N of positions that solves the discrete Herglotz equations, with its actions and momenta.
struct DiscreteMotion {
  std::vector<std::vector<double>> q;  ///< positions (N + 1) of (n)
  std::vector<double> z;               ///< actions (N + 1)
  std::vector<std::vector<double>> p;  ///< momenta at the positions (N + 1) of (n)
  std::vector<double> sigma;           ///< sigma_d of the steps (N)
};

/// Follows the motion through two positions, q_0 and q_1, by the discrete Herglotz equations, p1 of a step = p0 of the
/// next [ASMLL20, Eq. 39]. Where sigma_d < 0, as for large steps, the flow is a conformal contactomorphism all the
/// same: the conformal factor of the source is any function without zeros [ASMLL20, Sec. 2, Thm 3.9]. Such steps
/// approximate no motion in continuous time, whose factor is positive, and runs refuse them. Newton's method starts at
/// the position at which the sequence would go on evenly. Throws Failed if it finds no position, and Refused if sigma_d
/// is 0.
DiscreteMotion discrete_motion(const mechanics::System& system, const DiscreteLagrangian& lagrangian,
                               std::span<const double> parameters, std::span<const double> q0,
                               std::span<const double> q1, double z0, double t0, double h, std::size_t steps);

}  // namespace herglotz::discrete
