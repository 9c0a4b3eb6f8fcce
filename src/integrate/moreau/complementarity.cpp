#include "moreau/complementarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace herglotz::integrate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Columns of a tableau: w, z, the artificial variable, and the right side.
class Tableau {
 public:
  Tableau(const Matrix& M, const Vector& q)
      : m_(q.size()), rows_(m_, 2 * m_ + 2), basis_(static_cast<std::size_t>(m_)) {
    rows_.leftCols(m_).setIdentity();
    rows_.middleCols(m_, m_) = -M;
    rows_.col(artificial()).setConstant(-1);
    rows_.col(right()) = q;
    for (Index i = 0; i < m_; ++i) basis_[static_cast<std::size_t>(i)] = i;
  }

  std::optional<Vector> operator()() {
    // Among rows with the least right side the last one leaves: then all others are lexicographically positive.
    Index row = 0;
    for (Index i = 1; i < m_; ++i)
      if (rows_(i, right()) <= rows_(row, right())) row = i;
    if (rows_(row, right()) >= 0) return Vector::Zero(m_);
    Index entering = exchange(row, artificial());
    const Index most = 100 * m_;
    for (Index k = 0; k < most; ++k) {
      const auto leaving = leaving_row(entering);
      if (!leaving) return std::nullopt;
      const Index left = exchange(*leaving, entering);
      if (left == artificial()) return solution();
      entering = left;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Index artificial() const { return 2 * m_; }
  [[nodiscard]] Index right() const { return 2 * m_ + 1; }

  /// Brings a variable into the basis. Returns the complement of the one that leaves, which is to enter next, or the
  /// artificial variable if that leaves.
  Index exchange(Index row, Index entering) {
    rows_.row(row) /= rows_(row, entering);
    for (Index i = 0; i < m_; ++i)
      if (i != row && rows_(i, entering) != 0) rows_.row(i) -= rows_(i, entering) * rows_.row(row);
    const Index left = std::exchange(basis_[static_cast<std::size_t>(row)], entering);
    if (left == artificial()) return left;
    return left < m_ ? left + m_ : left - m_;
  }

  /// Returns the row whose variable vanishes first as the entering one grows.
  [[nodiscard]] std::optional<Index> leaving_row(Index entering) const {
    constexpr double vanishing = 1e-11;
    std::optional<Index> best;
    for (Index i = 0; i < m_; ++i) {
      if (!(rows_(i, entering) > vanishing)) continue;
      if (!best || comes_before(i, *best, entering)) best = i;
    }
    return best;
  }

  /// Compares ratios of two rows: those of the right side, and of the columns of w if these are equal but for rounding.
  [[nodiscard]] bool comes_before(Index i, Index j, Index entering) const {
    constexpr double equal = 1e-13;
    const auto compare = [&](Index column) {
      const double a = rows_(i, column) / rows_(i, entering);
      const double b = rows_(j, column) / rows_(j, entering);
      return std::abs(a - b) <= equal * (1 + std::abs(a) + std::abs(b)) ? 0.0 : a - b;
    };
    if (const double first = compare(right()); first != 0) return first < 0;
    if (basis_[static_cast<std::size_t>(i)] == artificial()) return true;
    if (basis_[static_cast<std::size_t>(j)] == artificial()) return false;
    for (Index column = 0; column < m_; ++column)
      if (const double next = compare(column); next != 0) return next < 0;
    return false;
  }

  [[nodiscard]] Vector solution() const {
    Vector z = Vector::Zero(m_);
    for (Index i = 0; i < m_; ++i)
      if (const Index variable = basis_[static_cast<std::size_t>(i)]; variable >= m_ && variable < 2 * m_)
        z[variable - m_] = std::max(0.0, rows_(i, right()));
    return z;
  }

  Index m_;
  Matrix rows_;
  std::vector<Index> basis_;
};

}  // namespace

std::optional<Vector> solve_complementarity(const Matrix& M, const Vector& q) {
  return Tableau(M, q)();
}

}  // namespace herglotz::integrate
