#pragma once
/// The motion as an ordinary differential equation, together with its integrating factor and budgets.

#include <Eigen/Dense>
#include <span>
#include <string>
#include <vector>

#include "method.hpp"

namespace herglotz::integrate {

/// y = (x, w, z, log lambda, g_1, ..) with  d(log lambda)/dt = -L_z  and  dg_k/dt = L_z g_k + source_k. Theory, Sec. 3.
/// Taken from `flow`, or from `mass` with W w_dot = b solved by pivoted elimination.
class RightSide {
 public:
  /// Throws std::invalid_argument when the kernels it needs are missing.
  RightSide(const Dynamics& dynamics, std::span<const double> parameters);

  [[nodiscard]] std::size_t size() const { return dimension_ + 1 + dynamics_->laws; }
  /// (x, w, z) of the start, log lambda = 0, g = Q.
  [[nodiscard]] std::vector<double> initial(double t0, std::span<const double> state);
  /// False when y_dot is not finite; stop() then says why.
  bool operator()(double t, const double* y, double* y_dot);
  /// d y_dot / d y: exact for (x, w, z), by forward differences for the rows of the factor and the budgets, whose
  /// kernel has no compiled derivative. Column-major, size() x size(). False as above.
  bool jacobian(double t, const double* y, double* columns);
  /// Largest |term| of each law's quantity at (t, y), for error weights.
  std::span<const double> law_scales(double t, const double* y);
  [[nodiscard]] const Stop& stop() const { return stop_; }
  /// Throws std::invalid_argument when there is no compiled Jacobian.
  void require_jacobian() const;

 private:
  bool motion(const double* y, double* y_dot);
  bool solve_mass(double* y_dot);
  bool motion_jacobian(Eigen::Map<Eigen::MatrixXd>& matrix);
  void balance(const double* u);
  void load(double t, const double* y);
  bool fail(double t, const double* y);

  const Dynamics* dynamics_;
  std::span<const double> parameters_;
  std::size_t dimension_;
  std::vector<double> u_;  // (x, w, z, t), then w_dot for the mass Jacobian
  std::vector<double> out_;
  std::vector<double> balance_;
  std::vector<double> shifted_;
  std::vector<double> scales_;
  std::vector<double> work_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  bool singular_ = false;
  Stop stop_;
};

/// Whether some pivot of an elimination is round-off beside its column; column_sizes: largest |entry| of each column.
bool is_singular(const Eigen::PartialPivLU<Eigen::MatrixXd>& lu, const Eigen::VectorXd& column_sizes);

}  // namespace herglotz::integrate
