#pragma once
/// The momentum p(x, w, z, t) and its Hessian W = dp/dw, from the stage kernels.

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "method.hpp"

namespace herglotz::integrate {

/// The map w -> p at fixed (x, z, t), and its inverse by Newton's method. Copyable; owns its work space.
class MomentumMap {
 public:
  MomentumMap(const Dynamics& dynamics, std::span<const double> parameters);

  /// p(x, w, z, t) of a state (x, w, z). False when it is not finite.
  bool momentum(double t, std::span<const double> state, double* p);
  /// Changes w in the state until p(x, w, z, t) = p, to round-off; w is the guess.
  Status invert(double t, std::span<double> state, const double* p);
  /// Whether W is singular at a state: after row scaling its reciprocal condition is below round-off.
  bool is_singular(double t, std::span<const double> state);
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] std::size_t iterations() const { return iterations_; }

 private:
  void load_hessian(double t, std::span<const double> state);

  const Dynamics* dynamics_;
  std::span<const double> parameters_;
  std::vector<double> u_;
  std::vector<double> out_;
  std::vector<double> jacobian_;
  std::vector<double> work_;
  Eigen::MatrixXd W_;
  Eigen::VectorXd defect_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  std::string reason_;
  std::size_t iterations_ = 0;
};

}  // namespace herglotz::integrate
