#pragma once
/// Discrete mechanics along arrows (x, e^eta) of the groupoid M x G of an algebroid. [ASMLL20, Secs. 3, 4] with M x G
/// in the place of Q x Q; [MMM06] without dissipation.

#include <vector>

#include "herglotz/analyse/exact_on_groupoid.hpp"
#include "herglotz/discrete/action_groupoid.hpp"
#include "herglotz/simulate/given_sequence.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// The Legendre transforms of one step along an arrow, with momenta along the frame in which the structure functions
/// are constant, and its end x1 = x0 . e^eta.
struct ArrowStep {
  discrete::LegendreTransforms legendre;
  std::vector<double> x1;  ///< (n)
};

/// Computes mu0 = -(D1 L_d)/sigma_d and mu1 = D2 L_d of the problem's discrete Lagrangian at (x0, e^eta), with the
/// discrete forces. Throws Refused if it has none of arrows, and Failed for an eta beyond the reach of exp, an arrow
/// that does not reach from x0, and an action that is not found.
ArrowStep step_along_arrow(const Problem& problem, const std::vector<double>& parameters, const std::vector<double>& x0,
                           const std::vector<double>& eta, double z0, double t0, double h);

/// The motion of a problem without constraints in the frame of its groupoid, y = B(x) xi.
class MotionOnGroupoid {
 public:
  /// Throws Refused for constraints, Hamiltonians and algebroids without a known groupoid. The problem has to outlive
  /// it.
  MotionOnGroupoid(const Problem& problem, std::vector<double> parameters);

  /// Returns the exact discrete Lagrangian at (x0, e^eta); throws as analyse::exact_on_groupoid does.
  [[nodiscard]] analyse::ExactOnGroupoid exact(const std::vector<double>& x0, const std::vector<double>& eta, double z0,
                                               double t0, double h) const;
  /// Returns the arrow of the motion from (x0, xi0, z0); throws as analyse::arrow_of_motion does.
  [[nodiscard]] analyse::ArrowOfMotion arrow(const std::vector<double>& x0, const std::vector<double>& xi0, double z0,
                                             double t0, double h) const;
  /// Returns y = B(x) xi.
  [[nodiscard]] std::vector<double> velocity(const std::vector<double>& x, const std::vector<double>& xi) const;

 private:
  [[nodiscard]] integrate::Dynamics dynamics() const;

  const Problem& problem_;
  discrete::ActionGroupoid groupoid_;
  std::vector<double> parameters_;
  std::vector<double> constants_;
};

/// Arrows e^eta_1, ..., e^eta_N from x0, each over the time h, with the action z0 at x0.
struct ArrowSequence {
  discrete::Components eta;  ///< (N) of (r)
  std::vector<double> x0;    ///< (n)
  double z0 = 0;
  double t0 = 0;
  double h = 0;
};

/// Computes action, first variation and rows of a sequence of arrows, for the discrete Lagrangian of the problem or
/// with `exact` for the exact one. A variation zeta_0, ..., zeta_N, which may be empty, moves x_k to x_k . e^(s zeta_k)
/// and the arrow to e^(-s zeta_k) e^eta e^(s zeta_k+1); for one that vanishes at both ends the derivative is 0 exactly
/// along the discrete motions. The columns are those of `facts_of_sequence`, with `arrow.<fibre>` for the arrow that
/// begins at a point; momenta and rows are components along the constant frame. Throws as `step_along_arrow` and
/// MotionOnGroupoid do.
SequenceFacts facts_of_arrows(const Problem& problem, const ArrowSequence& sequence, const discrete::Components& zeta,
                              bool exact);

}  // namespace herglotz::simulate
