#pragma once
/// The solution of the equations of a projection, with its derivatives.

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "factors.hpp"
#include "herglotz/sensitivity/projected_steps.hpp"

namespace herglotz::sensitivity {

/// F(u, k; y, t, theta) = 0 at one solution, with its derivatives there:
///   F_(u,k) d(u, k) = -F_(y,theta,t) d(y, theta, t).
class Projection {
 public:
  explicit Projection(ProjectionForm form);

  [[nodiscard]] std::size_t states() const { return form_.states; }
  /// Returns the number of the unknowns (u, k).
  [[nodiscard]] std::size_t unknowns() const { return form_.replaced + form_.others; }

  /// Solves for (u, k) behind the projection of y, by Newton's method to round-off. Returns false if that does not
  /// converge.
  bool solve(double t, std::span<const double> theta, std::span<const double> y);
  /// Takes a solution (u, k) that is known. Returns false if a derivative there is not finite.
  bool recall(double t, std::span<const double> theta, std::span<const double> y, std::span<const double> solution);
  /// Returns the solution (u, k).
  [[nodiscard]] std::span<const double> solution() const { return std::span<const double>(point_).first(unknowns()); }

  /// Replaces the entries of y that the projection replaces by u.
  void replace(std::span<double> y) const;
  /// Returns the derivatives of u along those of (y, theta, t).
  [[nodiscard]] Eigen::MatrixXd along(const Eigen::MatrixXd& changes) const;
  /// Returns the rows of a matrix with a row for each entry of y that the projection replaces.
  template <class Matrix>
  auto replaced_rows(Matrix& of) const {
    return of.middleRows(static_cast<Eigen::Index>(form_.first), static_cast<Eigen::Index>(form_.replaced));
  }
  /// Replaces the cotangent of the state behind the projection by that of y, and returns those of (theta, t): with nu
  /// from F_(u,k)^T nu = (c_u, 0) they are -F_(theta,t)^T nu, and that of y loses c_u and F_y^T nu.
  Eigen::VectorXd back(std::span<double> cotangent) const;

 private:
  bool evaluate(std::span<const double> theta);

  ProjectionForm form_;
  std::vector<double> point_;  // (u, k, y, t)
  std::vector<double> values_;
  std::vector<double> work_;
  Eigen::MatrixXd slopes_;  // of F by (u, k, y, theta, t)
  Factors factors_;         // of F_(u,k)
};

}  // namespace herglotz::sensitivity
