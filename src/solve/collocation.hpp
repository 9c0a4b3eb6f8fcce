#pragma once
/// Collocation methods of Gauss and of Lobatto on [0, 1].

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace herglotz::solve {

/// Points of a collocation method with s stages: of Gauss (order 2 s), or of Lobatto, which have both ends (order 2 s -
/// 2).
enum class Points { gauss, lobatto };

/// Coefficients c, A and b of a method, and of its form in stages: with sum_j D_ij (Y_j - v) = sum_j E_ij h F_j the end
/// is v_1 = v + sum_j d_j (Y_j - v). The adjoint method, with the coefficients b_j - b_j a_ji/b_i, belongs to the
/// costates [Hag00]: Gauss is its own adjoint, that of Lobatto IIIA is IIIB.
struct Collocation {
  explicit Collocation(std::size_t stages, Points points = Points::gauss);

  int order;
  Eigen::VectorXd c;
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  Eigen::MatrixXd adjoint;
  Eigen::MatrixXd D;  ///< A^-1, or 1 for Lobatto
  Eigen::MatrixXd E;  ///< 1, or A for Lobatto
  Eigen::VectorXd d;
  /// With the multipliers l_i of the stages, b_j P_j = -sum_i E_ij l_i, and l_i = -sum_j S_ij b_j P_j if the P_j are
  /// those of a solution.
  Eigen::MatrixXd S;

  [[nodiscard]] std::size_t stages() const { return static_cast<std::size_t>(c.size()); }
};

/// Returns the weights of the values at the nodes in the value at x of the interpolating polynomial.
std::vector<double> interpolation(std::span<const double> nodes, double x);

}  // namespace herglotz::solve
