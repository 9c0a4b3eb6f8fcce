#include "constraints/orthonormal.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace herglotz::mechanics {
namespace {

/// The remainder of a row of length 1 that counts as rounding.
constexpr double dependent = 1e-10;
/// Rows beyond this number are solved for as sparse ones.
constexpr std::size_t most_dense = 32;

/// Returns J^T (J J^T)^-1 values for rows J of length 1, or `std::nullopt` if they are nearly dependent: pivots are
/// squares of heights over the rows before.
std::optional<Row> shortest_by_pivots(const std::vector<SparseRow>& rows, const Row& values, std::size_t size) {
  constexpr double least_pivot = 1e-10;
  const auto m = static_cast<Eigen::Index>(rows.size());
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd target(m);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto& [col, value] = rows[k];
    const double length = norm(value);
    if (!(length > 0)) return std::nullopt;
    target[static_cast<Eigen::Index>(k)] = values[k] / length;
    for (std::size_t e = 0; e < col.size(); ++e)
      if (value[e] != 0) entries.emplace_back(static_cast<int>(k), static_cast<int>(col[e]), value[e] / length);
  }
  Eigen::SparseMatrix<double> J(m, static_cast<Eigen::Index>(size));
  J.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(J * J.transpose());
  if (factors.info() != Eigen::Success || !(factors.vectorD().minCoeff() > least_pivot)) return std::nullopt;
  const Eigen::VectorXd step = J.transpose() * factors.solve(target);
  return Row(step.begin(), step.end());
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

double norm(std::span<const double> a) {
  return std::sqrt(dot(a, a));
}

Row Span::rest(Row row) const {
  // The second pass removes the part along the basis that rounding left in the first.
  for (int pass = 0; pass < 2; ++pass)
    for (const Row& q : basis_) {
      const double along = dot(q, row);
      for (std::size_t i = 0; i < size_; ++i) row[i] -= along * q[i];
    }
  return row;
}

void Span::add(const Row& rest) {
  const double length = norm(rest);
  Row q = rest;
  for (double& entry : q) entry /= length;
  basis_.push_back(std::move(q));
}

std::vector<Row> Span::complement() const {
  Span all = *this;
  // Squares of the heights of the unit vectors over the span. Their sum is the dimension of what is left, so that the
  // largest height is never small.
  Row height(size_, 1.0);
  const auto lower = [&](const Row& q) {
    for (std::size_t i = 0; i < size_; ++i) height[i] -= q[i] * q[i];
  };
  for (const Row& q : basis_) lower(q);
  while (all.basis_.size() < size_) {
    Row unit(size_, 0.0);
    unit[static_cast<std::size_t>(std::max_element(height.begin(), height.end()) - height.begin())] = 1;
    all.add(all.rest(std::move(unit)));
    lower(all.basis_.back());
  }
  return {all.basis_.begin() + static_cast<std::ptrdiff_t>(basis_.size()), all.basis_.end()};
}

namespace {

/// Returns the step, with rows made orthogonal one after the other.
Row shortest_by_rows(const std::vector<Row>& rows, const Row& values, std::size_t size) {
  Span span(size);
  Row step(size, 0.0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double length = norm(rows[k]);
    if (!(length > 0)) continue;
    const Row rest = span.rest(rows[k]);
    const double height = norm(rest);
    if (height <= dependent * length) continue;
    // The step so far leaves this difference in the value of the row; the new direction of the row supplies it.
    const double missing = (values[k] - dot(rows[k], step)) / height;
    span.add(rest);
    for (std::size_t i = 0; i < size; ++i) step[i] += missing * span.basis().back()[i];
  }
  return step;
}

}  // namespace

Row shortest_solution(const std::vector<SparseRow>& rows, const Row& values, std::size_t size) {
  if (rows.size() > most_dense)
    if (auto step = shortest_by_pivots(rows, values, size)) return *std::move(step);
  std::vector<Row> dense(rows.size(), Row(size, 0.0));
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t e = 0; e < rows[k].col.size(); ++e) dense[k][rows[k].col[e]] = rows[k].value[e];
  return shortest_by_rows(dense, values, size);
}

Row shortest_solution(const std::vector<Row>& rows, const Row& values, std::size_t size) {
  if (rows.size() <= most_dense) return shortest_by_rows(rows, values, size);
  std::vector<SparseRow> sparse(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      if (rows[k][i] == 0) continue;
      sparse[k].col.push_back(i);
      sparse[k].value.push_back(rows[k][i]);
    }
  }
  return shortest_solution(sparse, values, size);
}

}  // namespace herglotz::mechanics
