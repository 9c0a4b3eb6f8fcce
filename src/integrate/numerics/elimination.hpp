#pragma once
/// Dense systems of Eigen that change at every step.

#include <Eigen/Dense>
#include <algorithm>

#include "numerics/lane_lu.hpp"

namespace herglotz::integrate {

/// Solver of A x = b. Up to a dozen rows the set-up of a general library routine costs several times the elimination
/// itself. Larger systems are left to Eigen, which eliminates them in blocks.
class Elimination {
 public:
  void compute(const Eigen::MatrixXd& matrix) {
    size_ = matrix.rows();
    if (size_ > most) {
      large_.compute(matrix);
      return;
    }
    const auto size = static_cast<std::size_t>(size_);
    if (small_.size() != size) small_.resize(size);
    if (size_ > 0) std::copy_n(matrix.data(), size * size, &small_.at(0, 0));
    small_.compute(false);
  }

  /// Computes x = A^-1 b. The entries are infinite or NaN if A is singular.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
    x.resize(size_);
    if (size_ > most)
      x = large_.solve(b);
    else
      small_.solve(b.data(), x.data());
  }

 private:
  static constexpr Eigen::Index most = 12;

  Eigen::Index size_ = 0;
  LaneLU<double, 0> small_;
  Eigen::PartialPivLU<Eigen::MatrixXd> large_;
};

}  // namespace herglotz::integrate
