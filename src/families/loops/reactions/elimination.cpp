#include "loops/reactions/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "herglotz/linear/eigen_views.hpp"

namespace herglotz::families {
namespace {

/// A pivot below this share of its diagonal entry, which is the square of the sine, has no digit left.
constexpr double least_pivot = 1e-14;

/// Product that belongs to an entry of the lower triangle.
struct Placed {
  std::uint32_t column = 0;
  std::uint32_t row = 0;
  std::uint32_t slope = 0;
  std::uint32_t scaled = 0;
};

}  // namespace

Elimination::Elimination(std::vector<SlopeEntry> entries, std::size_t rows, std::size_t columns)
    : entries_(std::move(entries)), matrix_(linear::index(rows), linear::index(rows)) {
  std::sort(entries_.begin(), entries_.end(), [](const SlopeEntry& a, const SlopeEntry& b) {
    return std::tie(a.column, a.row, a.value) < std::tie(b.column, b.row, b.value);
  });
  first_.assign(columns + 1, 0);
  std::size_t values = 0;
  for (const SlopeEntry& entry : entries_) {
    ++first_[entry.column + 1];
    values = std::max<std::size_t>(values, entry.value + 1);
  }
  for (std::size_t column = 0; column < columns; ++column) first_[column + 1] += first_[column];
  scaled_.resize(values);
  dropped_.resize(rows);
  find_pattern();
  factors_.analyzePattern(matrix_);
}

void Elimination::find_pattern() {
  std::vector<Placed> placed;
  for (std::size_t column = 0; column + 1 < first_.size(); ++column)
    for (const SlopeEntry& a : of_column(column))
      for (const SlopeEntry& b : of_column(column))
        if (a.row >= b.row) placed.push_back({b.row, a.row, a.value, b.value});
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return std::tie(a.column, a.row, a.slope, a.scaled) < std::tie(b.column, b.row, b.slope, b.scaled);
  });
  std::vector<Eigen::Triplet<double>> cells;
  for (const Placed& one : placed) {
    const bool same = !cells.empty() && cells.back().row() == static_cast<int>(one.row) &&
                      cells.back().col() == static_cast<int>(one.column);
    if (!same) {
      cells.emplace_back(static_cast<int>(one.row), static_cast<int>(one.column), 1.0);
      first_product_.push_back(products_.size());
    }
    products_.push_back({one.slope, one.scaled});
  }
  first_product_.push_back(products_.size());
  matrix_.setFromTriplets(cells.begin(), cells.end());
}

void Elimination::factorise(const std::vector<double>& slopes, std::span<const double* const> inverse_inertia,
                            std::size_t sites, Held held) {
  for (std::size_t f = 0, column = 0; f < inverse_inertia.size(); ++f)
    for (std::size_t site = 0; site < sites; ++site, ++column)
      for (const SlopeEntry& entry : of_column(column))
        scaled_[entry.value] = slopes[entry.value] * inverse_inertia[f][site];
  double* const cells = matrix_.valuePtr();
  for (std::size_t cell = 0; cell + 1 < first_product_.size(); ++cell) {
    double total = 0;
    for (std::size_t k = first_product_[cell]; k < first_product_[cell + 1]; ++k)
      total += slopes[products_[k].slope] * scaled_[products_[k].scaled];
    cells[cell] = total;
  }
  const bool drops = std::find(dropped_.begin(), dropped_.end(), true) != dropped_.end();
  if (drops || held == Held::left_alone) leave_out(held);
  finite_ = std::all_of(cells, cells + matrix_.nonZeros(), [](double cell) { return std::isfinite(cell); });
  if (!finite_) return;
  factors_.factorize(matrix_);
  find_dependence();
}

void Elimination::leave_out(Held held) {
  for (Eigen::Index column = 0; column < matrix_.cols(); ++column)
    for (Matrix::InnerIterator cell(matrix_, column); cell; ++cell) {
      const bool diagonal = cell.row() == column;
      if (dropped_[static_cast<std::size_t>(column)] || dropped_[static_cast<std::size_t>(cell.row())])
        cell.valueRef() = diagonal ? 1 : 0;
      else if (held == Held::left_alone && diagonal && cell.value() == 0)
        cell.valueRef() = 1;
    }
}

void Elimination::find_dependence() {
  dependence_ = {};
  const Eigen::VectorXd pivots = factors_.vectorD();
  const auto& order = factors_.permutationPinv().indices();
  // Where a pivot is 0 there are no pivots after it.
  for (Eigen::Index k = 0; k < matrix_.rows(); ++k) {
    const Eigen::Index row = order.size() == 0 ? k : order[k];
    // The first entry of a column of the lower triangle is that of the diagonal, unless the equation has no slope.
    const Matrix::InnerIterator diagonal(matrix_, row);
    const bool has_slope = diagonal && diagonal.row() == row;
    const double sine_squared = has_slope ? pivots[k] / diagonal.value() : 0;
    if (sine_squared >= dependence_.sine_squared) continue;
    dependence_ = {static_cast<std::size_t>(row), sine_squared};
    if (sine_squared > least_pivot) continue;
    dependence_.sine_squared = 0;
    return;
  }
}

void Elimination::solve(std::vector<double>& values) const {
  Eigen::Map<Eigen::VectorXd> all(values.data(), linear::index(values.size()));
  all = factors_.solve(all).eval();
}

double Elimination::displacement(std::size_t column, const std::vector<double>& k) const {
  return force(column, scaled_, k);
}

double Elimination::force(std::size_t column, const std::vector<double>& slopes, const std::vector<double>& k) const {
  double total = 0;
  for (const SlopeEntry& entry : of_column(column)) total += slopes[entry.value] * k[entry.row];
  return total;
}

double Elimination::size(std::size_t column, const std::vector<double>& slopes, const std::vector<double>& k) const {
  double total = 0;
  for (const SlopeEntry& entry : of_column(column)) total += std::abs(slopes[entry.value] * k[entry.row]);
  return total;
}

}  // namespace herglotz::families
