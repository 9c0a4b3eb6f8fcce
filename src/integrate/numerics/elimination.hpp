#pragma once
/// Dense systems of Eigen that change at every step.

#include <Eigen/Core>
#include <algorithm>
#include <vector>

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
    sparse_ = is_sparse(matrix);
    if (sparse_) {
      compute_sparse(matrix);
      return;
    }
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
    if (sparse_)
      few_.solve(b.data(), x.data(), 1);
    else if (size_ > most)
      x = large_.solve(b);
    else
      small_.solve(b.data(), x.data());
  }

 private:
  static constexpr Eigen::Index most = 12;

  static bool is_sparse(const Eigen::MatrixXd& matrix) {
    const auto size = static_cast<std::size_t>(matrix.rows());
    if (!SparseLU::pays(size, size)) return false;
    const auto entries = static_cast<std::size_t>((matrix.array() != 0).count());
    return SparseLU::pays(size, entries);
  }
  void compute_sparse(const Eigen::MatrixXd& matrix) {
    places_.clear();
    entries_.clear();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
        if (matrix(i, j) == 0) continue;
        places_.push_back({static_cast<int>(i), static_cast<int>(j)});
        entries_.push_back(matrix(i, j));
      }
    }
    few_.compute(static_cast<std::size_t>(size_), places_, entries_.data(), 1);
  }

  Eigen::Index size_ = 0;
  bool sparse_ = false;
  LaneLU<double, 0> small_;
  linear::PartialLu large_;
  SparseLU few_;
  std::vector<Place> places_;
  std::vector<double> entries_;
};

}  // namespace herglotz::integrate
