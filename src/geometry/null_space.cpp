#include "herglotz/geometry/null_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace herglotz::geometry {
namespace {

using Vector = std::vector<double>;

constexpr double rank_tolerance = 1e-9;

}  // namespace

std::vector<Vector> null_space(std::vector<Vector> rows, std::size_t columns) {
  for (Vector& row : rows) {
    double size = 0;
    for (const double entry : row) size = std::max(size, std::abs(entry));
    if (size > 0)
      for (double& entry : row) entry /= size;
  }
  std::vector<std::size_t> pivots;
  std::vector<std::size_t> free;
  for (std::size_t c = 0; c < columns; ++c) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(pivots.size());
    const auto best = std::max_element(
        first, rows.end(), [&](const Vector& a, const Vector& b) { return std::abs(a[c]) < std::abs(b[c]); });
    if (best == rows.end() || !(std::abs((*best)[c]) > rank_tolerance)) {
      free.push_back(c);
      continue;
    }
    std::iter_swap(first, best);
    const double scale = (*first)[c];
    for (double& entry : *first) entry /= scale;
    const Vector& pivot = *first;
    for (Vector& row : rows) {
      if (&row == &pivot) continue;
      const double factor = row[c];
      for (std::size_t k = 0; k < columns; ++k) row[k] -= factor * pivot[k];
    }
    pivots.push_back(c);
  }
  std::vector<Vector> basis;
  for (const std::size_t c : free) {
    Vector v(columns, 0.0);
    v[c] = 1;
    for (std::size_t k = 0; k < pivots.size(); ++k) v[pivots[k]] = -rows[k][c];
    basis.push_back(std::move(v));
  }
  return basis;
}

std::optional<symbolic::Rational> near_rational(double value) {
  constexpr int most = 12;
  constexpr double largest = 1000;
  if (!(std::abs(value) <= largest)) return std::nullopt;
  for (int denominator = 1; denominator <= most; ++denominator) {
    const double nearest = std::round(value * denominator);
    if (std::abs(value * denominator - nearest) <= 1e-7)
      return symbolic::Rational::make(static_cast<std::int64_t>(nearest), denominator);
  }
  return std::nullopt;
}

Vector solve(Vector a, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[best * n + k])) best = i;
    for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[best * n + j]);
    std::swap(b[k], b[best]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return b;
}

}  // namespace herglotz::geometry
