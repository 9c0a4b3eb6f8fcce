#pragma once
/// The collocation methods of Gauss on [0, 1].

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace herglotz::solve {

/// c, A and b of s stages, order 2 s; and for the form of stages alone, Y_i - v = sum_j A_ij h F_j:
/// sum_j D_ij (Y_j - v) = h F_i with D = A^-1, and v_1 = v + sum_j d_j (Y_j - v) with d = A^-T b.
struct Collocation {
  explicit Collocation(std::size_t stages);

  Eigen::VectorXd c;
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  Eigen::MatrixXd D;
  Eigen::VectorXd d;

  [[nodiscard]] std::size_t stages() const { return static_cast<std::size_t>(c.size()); }
};

/// Weights of values at the nodes in the value at x of the polynomial through them.
std::vector<double> interpolation(std::span<const double> nodes, double x);

}  // namespace herglotz::solve
