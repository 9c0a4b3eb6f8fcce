#pragma once
/// Rates (x_dot, w_dot, z_dot, ell) at a point, from the flow kernel or by solving the mass form.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "motion/run.hpp"
#include "motion/saddle_system.hpp"
#include "numerics/short_array.hpp"

namespace herglotz::integrate {

class Rates {
 public:
  /// Throws Refused if there is neither a flow nor a mass kernel.
  Rates(const Dynamics& dynamics, std::span<const double> parameters);

  [[nodiscard]] std::size_t size() const { return rates_.size(); }
  /// Computes (x_dot, w_dot, z_dot, ell) at v = (x, w, z, t, l). Returns false if a numerically solved system is
  /// singular or not finite. Rates from straight-line code may be infinite or NaN.
  bool operator()(const double* v);
  [[nodiscard]] const double* data() const { return rates_.data(); }
  /// Returns L_z and the source of every law from the last call, if the flow has them.
  [[nodiscard]] const double* laws() const { return out_.data() + rates_.size(); }
  /// Returns ell (m).
  [[nodiscard]] const double* ell() const { return rates_.data() + dynamics_->n + dynamics_->r + 1; }
  [[nodiscard]] bool singular() const { return singular_; }

  /// Adds d(x_dot, w_dot, z_dot, ell)/d(x, w, z, l) at v to a matrix of zeros. Needs the compiled Jacobian. Returns
  /// false if a system that is solved numerically is singular.
  bool jacobian(const double* v, Eigen::MatrixXd& matrix);
  /// Computes the rates at v, and writes the values of the mass form (IterationForm) there. Needs the compiled Jacobian
  /// of the mass kernel. Returns false if a system that is solved numerically is singular.
  bool mass_form(const double* v, std::vector<double>& values);
  /// Throws Refused if there is no compiled Jacobian.
  void require_jacobian() const;
  /// Returns whether there is a compiled Jacobian.
  [[nodiscard]] bool has_jacobian() const;

 private:
  bool solve(const double* v);
  bool differentiate(const double* v);

  const Dynamics* dynamics_;
  std::span<const double> parameters_;
  ShortArray rates_;
  ShortArray out_;
  ShortArray work_;
  std::vector<double> with_rates_;  // v, then w_dot and ell, for the mass Jacobian
  std::optional<SaddleSystem<double>> saddle_;
  std::vector<double> right_;
  bool singular_ = false;
};

}  // namespace herglotz::integrate
