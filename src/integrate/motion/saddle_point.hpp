#pragma once
/// Saddle-point system [W, -Phi_y^T; Phi_w, 0] of constraints at a state, and the projections that it gives.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "motion/run.hpp"
#include "numerics/elimination.hpp"

namespace herglotz::integrate {

/// Saddle-point system at v = (x, w, z, t, l). All numbers come from the stage kernel and its Jacobian, and from phi. W
/// alone may be singular as long as the whole system is not. Copyable; owns its work space. The iterations of its
/// projections are not that of newton.hpp, since they add up the impulse whose direction turns with the unknowns, and
/// end by the same bound as VelocityRecovery.
class SaddlePoint {
 public:
  /// Throws Refused if kernels that it needs are missing.
  SaddlePoint(const Dynamics& dynamics, std::span<const double> parameters);

  /// Sets v from a state; an algebraic l becomes zero.
  void load(double t, std::span<const double> state);
  [[nodiscard]] double* v() { return v_.data(); }
  [[nodiscard]] const double* v() const { return v_.data(); }

  /// Computes and factorises the blocks at v. After any status but success, reason() says what is wrong with them.
  Status factorise();
  /// Returns the reason if W is singular at v or if the constraints are not independent there, and success otherwise.
  Stop singularity();
  /// Computes the diagonal of C^-1, where C = Phi_w W^-1 Phi_y^T is the constraint matrix. It grows without bounds as
  /// the constraints become dependent. Needs factorise().
  void inverse_diagonal(std::vector<double>& diagonal);
  /// Returns the largest C_aa (C^-1)_aa: 1 for constraints that are orthogonal in the metric W, and more the closer
  /// they are to being dependent, whatever their units. Returns 0 if W is singular. Needs factorise().
  double dependence();
  /// Computes p at v. Returns false if it is not finite.
  bool momentum(double* p);
  /// Returns the distance of v from the constraints, relative to the size of v: the displacement that leads to phi = 0
  /// beside |x|, and |Phi|/|Phi_w| beside the terms |Phi_w w|/|Phi_w|, the largest of them. It does not depend on
  /// units, but for rounding of numbers of the size 1: it is at most 1e5 times the distance itself, and is the distance
  /// where v has no size. So a bound of 1e-10 accepts any distance below 1e-15, and one below 1e-10 at x = 0. Needs
  /// factorise().
  double defect();

  /// Moves x along rho W^-1 Phi_y^T k until phi = 0. If phi depends on z, z moves along with x, by p. Starts from the
  /// current factorisation.
  Status project_positions();
  /// Moves w along W^-1 Phi_y^T, which turns with w, until Phi is nearly 0.
  Status approach();
  /// Moves w until p(x, w, z, t) = p + Phi_y^T k and Phi = 0, to round-off. The impulse k (m) is left in impulse(). The
  /// new w is w + W^-1 Phi_y^T k, a change that is minimal in the metric W.
  Status project_velocities(const double* p);
  /// Moves w and a differential l until p(x, w, z, t, l) = p and Phi = 0, to round-off.
  Status recover(const double* p);

  [[nodiscard]] const double* impulse() const { return impulse_.data(); }
  /// Returns Phi_y^T k.
  [[nodiscard]] const Eigen::VectorXd& impulse_momentum() const { return impulse_momentum_; }
  [[nodiscard]] const Reason& reason() const { return reason_; }
  [[nodiscard]] std::size_t iterations() const { return iterations_; }

 private:
  bool evaluate();
  void assemble();
  void bend();
  Status solve_velocities(const double* p, bool moves_multipliers);
  Status explain();
  double position_defect();
  /// Computes the displacement of Newton's method for phi_.
  void solve_for_displacement();
  double distance_from_positions();
  double distance_from_velocities();

  const Dynamics* dynamics_;
  std::span<const double> parameters_;
  std::vector<double> v_;
  std::vector<double> out_;
  std::vector<double> jacobian_;
  std::vector<double> phi_;
  std::vector<double> work_;
  std::vector<double> impulse_;
  Eigen::MatrixXd K_;
  Eigen::MatrixXd x_by_w_;  // dx_dot/dw
  Eigen::MatrixXd forces_;  // Phi_y^T (r x m)
  Eigen::VectorXd right_;
  Eigen::VectorXd update_;
  Eigen::VectorXd displacement_;
  Eigen::VectorXd impulse_momentum_;
  Elimination elimination_;
  double moved_ = 0;  // relative size of all updates since the blocks were computed
  Reason reason_;
  std::size_t iterations_ = 0;
};

/// Computes the work of the impulse k on each law at v: source(v with l = k) - source(v with l = 0). Sources are affine
/// in an algebraic l.
void impulse_work(const Dynamics& dynamics, std::span<const double> parameters, const SaddlePoint& saddle,
                  std::span<double> work);

/// Returns the reason that ends a run whose constraints have become dependent.
Stop dependent_constraints(double dependence);

/// Returns the reason why the rates at a state are not determined: a singular W, or constraints that are not
/// independent there. Returns Status::success if they are determined, or if the dynamics lacks the stage Jacobian,
/// without which this is not known.
Stop singularity(const Dynamics& dynamics, std::span<const double> parameters, double t, std::span<const double> state);

}  // namespace herglotz::integrate
