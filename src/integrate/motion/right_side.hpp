#pragma once
/// The motion as an ordinary differential equation, together with its integrating factor and budgets.

#include <Eigen/Dense>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motion/rates.hpp"
#include "motion/run.hpp"
#include "motion/saddle_point.hpp"

namespace herglotz::integrate {

/// y = (x, w, z, nu where multipliers are differential, log lambda, g_1, ..) with  d(log lambda)/dt = -L_z  and
/// dg_k/dt = L_z g_k + source_k. Theory, Sec. 3.
class RightSide {
 public:
  /// Throws std::invalid_argument when the kernels it needs are missing.
  RightSide(const Dynamics& dynamics, std::span<const double> parameters);

  [[nodiscard]] std::size_t size() const { return dimension_ + 1 + dynamics_->laws; }
  /// (x, w, z, nu) of the start, log lambda = 0, g = Q.
  [[nodiscard]] std::vector<double> initial(double t0, std::span<const double> state);
  /// The same into y, of size().
  void initial(double t0, std::span<const double> state, double* y);
  /// dL/dz at that start.
  [[nodiscard]] double dissipation() const { return dissipation_; }
  /// False when y_dot is not finite; stop() then says why.
  bool operator()(double t, const double* y, double* y_dot);
  /// d y_dot / d y: exact for the state, by forward differences for the rows of the factor and the budgets, whose
  /// kernel has no compiled derivative. Column-major, size() x size(). False as above.
  bool jacobian(double t, const double* y, double* columns);
  /// Moves y onto the constraints, with the work of that impulse in the budgets. False as above.
  bool project(double t, double* y);
  /// The multipliers at (t, y): lambda, or nu. False as above.
  bool multipliers(double t, const double* y, std::vector<double>& l);
  /// Largest |term| of each law's quantity at (t, y), for error weights.
  std::span<const double> law_scales(double t, const double* y);
  /// The same where y_dot was evaluated last.
  std::span<const double> law_scales();
  [[nodiscard]] const Stop& stop() const { return stop_; }
  /// Throws std::invalid_argument when there is no compiled Jacobian.
  void require_jacobian() const { rates_.require_jacobian(); }

 private:
  void load(double t, const double* y);
  bool evaluate_rates();
  void balance(const double* v);
  void budget_rows(const double* y, const Eigen::MatrixXd& state_rows, Eigen::Map<Eigen::MatrixXd>& matrix);
  bool fail(double t, const double* y);
  bool independent(double t);

  const Dynamics* dynamics_;
  std::span<const double> parameters_;
  std::size_t dimension_;
  Rates rates_;
  std::optional<SaddlePoint> saddle_;
  std::vector<double> v_;  // (x, w, z, t, l)
  std::vector<double> out_;
  std::vector<double> balance_;
  std::vector<double> shifted_;
  std::vector<double> scales_;
  std::vector<double> momentum_;
  std::vector<double> work_;
  double dissipation_ = 0;
  std::vector<double> inverse_;        // the diagonal of C^-1
  std::vector<double> first_inverse_;  // the same where the run was projected first
  double first_dependence_ = 0;
  double t0_ = 0;
  double t_projected_ = 0;  // where the run was projected last
  int small_steps_ = 0;     // in a row, between projections
  Stop stop_;
};

}  // namespace herglotz::integrate
