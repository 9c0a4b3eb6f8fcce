#pragma once
/// Square matrices as products of triangular factors.

#include <Eigen/Core>
#include <algorithm>

#include "herglotz/linear/partial_lu.hpp"

namespace herglotz::sensitivity {

/// P A = L U with exchanges of rows. The numbers of a factorisation can be written down and taken up again.
class Factors {
 public:
  /// Returns how many numbers the factors of a matrix of this size are.
  static Eigen::Index count(Eigen::Index size) { return size * (size + 1); }

  void compute(const Eigen::MatrixXd& matrix) {
    lu_.compute(matrix);
    triangles_ = lu_.triangles();
    order_ = lu_.order();
  }
  /// Returns whether there are factors, and of a matrix of this size.
  [[nodiscard]] bool are_of(Eigen::Index size) const { return triangles_.rows() == size && size > 0; }
  void forget() { triangles_.resize(0, 0); }

  /// Writes the factors to count(size) numbers, or takes them from there.
  void write(double* to) const {
    to = std::copy_n(triangles_.data(), triangles_.size(), to);
    for (Eigen::Index k = 0; k < order_.size(); ++k) *to++ = order_.indices()[k];
  }
  void read(const double* from, Eigen::Index size) {
    triangles_ = Eigen::Map<const Eigen::MatrixXd>(from, size, size);
    order_.resize(size);
    from += size * size;
    for (Eigen::Index k = 0; k < size; ++k) order_.indices()[k] = static_cast<int>(*from++);
  }

  /// Writes A^-1 b or A^-T b into x, which is another one.
  template <class B, class X>
  void solve(const B& b, X& x) const {
    x = order_ * b;
    triangles_.template triangularView<Eigen::UnitLower>().solveInPlace(x);
    triangles_.template triangularView<Eigen::Upper>().solveInPlace(x);
  }
  void solve_transposed(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
    Eigen::VectorXd y = b;
    triangles_.transpose().triangularView<Eigen::Lower>().solveInPlace(y);
    triangles_.transpose().triangularView<Eigen::UnitUpper>().solveInPlace(y);
    x = order_.transpose() * y;
  }

 private:
  linear::PartialLu lu_;
  Eigen::MatrixXd triangles_;
  Eigen::PermutationMatrix<Eigen::Dynamic> order_;
};

}  // namespace herglotz::sensitivity
