#pragma once
/// Collocation methods of Gauss on [0, 1].

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace herglotz::solve {

/// Coefficients c, A and b of the method with s stages, which has order 2 s, and the coefficients D and d of its form
/// in stages alone: Y_i - v = sum_j A_ij h F_j gives sum_j D_ij (Y_j - v) = h F_i with D = A^-1, and the end v_1 = v +
/// sum_j d_j (Y_j - v) with d = A^-T b.
struct Collocation {
  explicit Collocation(std::size_t stages);

  Eigen::VectorXd c;
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  Eigen::MatrixXd D;
  Eigen::VectorXd d;

  [[nodiscard]] std::size_t stages() const { return static_cast<std::size_t>(c.size()); }
};

/// Returns the weights of the values at the nodes in the value at x of the interpolating polynomial.
std::vector<double> interpolation(std::span<const double> nodes, double x);

}  // namespace herglotz::solve
