#pragma once
/// Dense systems of Eigen that change at every step.

#include <Eigen/Core>
#include <algorithm>

#include "herglotz/linear/partial_lu.hpp"
#include "numerics/lane_lu.hpp"
#include "numerics/sparse_lu.hpp"

namespace herglotz::integrate {

/// Solver of A x = b. Up to a dozen rows the set-up of a general library routine costs several times the elimination
/// itself. Larger systems are left to Eigen, which eliminates them in blocks, or as sparse ones if most entries of a
/// large matrix are zero.
class Elimination {
 public:
  void compute(const Eigen::MatrixXd& matrix) {
    size_ = matrix.rows();
    const auto size = static_cast<std::size_t>(size_);
    sparse_ = few_.compute_if_sparse(size, matrix.data());
    if (sparse_) return;
    if (size_ > most) {
      large_.compute(matrix);
      return;
    }
    if (small_.size() != size) small_.resize(size);
    if (size_ > 0) std::copy_n(matrix.data(), size * size, &small_.at(0, 0));
    small_.compute(false);
  }

  /// Computes x = A^-1 b. The entries are infinite or NaN if A is singular.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
    x.resize(size_);
    if (sparse_)
      few_.solve(b.data(), x.data(), 1);
    else if (size_ > most)
      x = large_.solve(b);
    else
      small_.solve(b.data(), x.data());
  }

 private:
  static constexpr Eigen::Index most = 12;

  Eigen::Index size_ = 0;
  bool sparse_ = false;
  LaneLU<double, 0> small_;
  linear::PartialLu large_;
  SparseLU few_;
};

}  // namespace herglotz::integrate
