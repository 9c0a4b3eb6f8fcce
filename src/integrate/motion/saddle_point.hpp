#pragma once
/// The saddle-point system [W, -Phi_y^T; Phi_w, 0] of constraints at a state, and the projections that it gives.

#include <Eigen/Dense>
#include <span>
#include <string>
#include <vector>

#include "motion/run.hpp"
#include "numerics/elimination.hpp"

namespace herglotz::integrate {

/// Works on v = (x, w, z, t, l). Everything comes from the stage kernel and its Jacobian, and from phi. W alone may be
/// singular as long as the whole system is not. Copyable; owns its work space.
class SaddlePoint {
 public:
  /// Throws std::invalid_argument when kernels that it needs are missing.
  SaddlePoint(const Dynamics& dynamics, std::span<const double> parameters);

  /// v of a state; an algebraic l starts at zero.
  void load(double t, std::span<const double> state);
  [[nodiscard]] double* v() { return v_.data(); }
  [[nodiscard]] const double* v() const { return v_.data(); }

  /// The blocks at v, factorised. Anything but success: reason() says what is wrong with them.
  Status factorise();
  /// What is singular at v: W, or constraints that are not independent there; success when nothing is.
  Stop singularity();
  /// The diagonal of C^-1, where C = Phi_w W^-1 Phi_y^T is the constraint matrix: it grows without bounds where the
  /// constraints become dependent. Needs factorise().
  void inverse_diagonal(std::vector<double>& diagonal);
  /// The largest C_aa (C^-1)_aa: 1 for constraints that are orthogonal in the metric W, more the closer they are to
  /// being dependent, whatever their units. 0 where W is singular. Needs factorise().
  double dependence();
  /// p at v. False when it is not finite.
  bool momentum(double* p);
  /// Largest |phi|, |Phi| at v, relative to the terms of size |Phi_w||w| (to 1 where those are less). Needs
  /// factorise().
  double defect();

  /// Moves x along rho W^-1 Phi_y^T k (and z along with it, by p, where phi depends on z) until phi = 0. Starts from
  /// the factorisation at hand.
  Status project_positions();
  /// Moves w along W^-1 Phi_y^T, which turns with it, until Phi is nearly 0.
  Status approach();
  /// Moves w until p(x, w, z, t) = p + Phi_y^T k and Phi = 0, to round-off; the impulse k (m) is left in impulse().
  /// This is w + W^-1 Phi_y^T k: minimal in the metric W.
  Status project_velocities(const double* p);
  /// Moves w and a differential l until p(x, w, z, t, l) = p and Phi = 0, to round-off.
  Status recover(const double* p);

  [[nodiscard]] const double* impulse() const { return impulse_.data(); }
  /// Phi_y^T k.
  [[nodiscard]] const Eigen::VectorXd& impulse_momentum() const { return impulse_momentum_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] std::size_t iterations() const { return iterations_; }

 private:
  bool evaluate();
  void assemble();
  void bend();
  Status solve_velocities(const double* p, bool moves_multipliers);
  Status explain();
  double position_defect();

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
  double moved_ = 0;  // relative size of all updates since the blocks were taken
  std::string reason_;
  std::size_t iterations_ = 0;
};

/// The work of the impulse k on each law at v: source(v with l = k) - source(v with l = 0), sources being affine in an
/// algebraic l.
void impulse_work(const Dynamics& dynamics, std::span<const double> parameters, const SaddlePoint& saddle,
                  std::span<double> work);

/// The stop where constraints have become dependent.
Stop dependent_constraints(double dependence);

/// What keeps the rates at a state from being determined: a singular W, or constraints that are not independent there.
/// Status::success when nothing does, or where the dynamics lacks the stage Jacobian to tell from.
Stop singularity(const Dynamics& dynamics, std::span<const double> parameters, double t, std::span<const double> state);

}  // namespace herglotz::integrate
