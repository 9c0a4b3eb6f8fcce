#include "calculus/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

Elimination::Elimination(const Matrix& a, const Matrix& b, Pivoting pivoting)
    : graph_(a.entries.front().graph()), a_(a), b_(b), row_done_(a.rows, 0), col_done_(a.cols, 0) {
  for (std::size_t step = 0; step < a.rows; ++step) {
    const std::size_t col = pivoting == Pivoting::in_order ? step : next_column();
    const std::size_t row = pivoting == Pivoting::in_order ? step : choose_row(col);
    if (a_(row, col).is_zero()) throw SingularMatrix("pivot " + std::to_string(step + 1) + " of a linear system is 0");
    const Expr value = graph_.share(a_(row, col));
    const Pivot pivot{row, col, value, graph_.share(pow(value, -1))};
    row_done_[row] = 1;
    col_done_[col] = 1;
    eliminate(pivot);
    pivots_.push_back(pivot);
  }
}

std::vector<std::size_t> Elimination::candidates(std::size_t col) const {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < a_.rows; ++i) {
    if (row_done_[i] == 0 && !a_(i, col).is_zero()) rows.push_back(i);
  }
  return rows;
}

std::size_t Elimination::next_column() const {
  std::size_t best = a_.cols;
  std::size_t fewest = a_.rows + 1;
  for (std::size_t j = 0; j < a_.cols; ++j) {
    if (col_done_[j] != 0) continue;
    const std::size_t count = candidates(j).size();
    if (count < fewest) {
      best = j;
      fewest = count;
    }
  }
  return best;
}

/// Brings the largest entry of a column to one row, by selects at run time if the sizes are not known now. Returns the
/// row.
std::size_t Elimination::choose_row(std::size_t col) {
  const auto rows = candidates(col);
  if (rows.empty()) {
    throw SingularMatrix("the matrix of a linear system is singular: column " + std::to_string(col + 1) +
                         " depends on the others; the rows must be independent");
  }
  const bool numbers = std::all_of(rows.begin(), rows.end(), [&](std::size_t i) { return a_(i, col).is_number(); });
  if (numbers) {
    return *std::max_element(rows.begin(), rows.end(), [&](std::size_t i, std::size_t k) {
      return std::abs(a_(i, col).value()) < std::abs(a_(k, col).value());
    });
  }
  const bool diagonal = std::find(rows.begin(), rows.end(), col) != rows.end();
  const std::size_t row = diagonal ? col : rows.front();
  for (const std::size_t other : rows) {
    if (other != row) swap_if_larger(row, other, col);
  }
  return row;
}

void Elimination::swap_if_larger(std::size_t row, std::size_t other, std::size_t col) {
  const Expr larger = abs(a_(other, col));
  const Expr present = abs(a_(row, col));
  const auto exchange = [&](Expr& x, Expr& y) {
    const Expr first = select(larger, present, y, x);
    const Expr second = select(larger, present, x, y);
    x = first;
    y = second;
  };
  for (std::size_t j = 0; j < a_.cols; ++j) {
    if (col_done_[j] == 0) exchange(a_(row, j), a_(other, j));
  }
  for (std::size_t j = 0; j < b_.cols; ++j) exchange(b_(row, j), b_(other, j));
}

void Elimination::subtract(Expr factor, Expr from_pivot, Expr& entry) {
  if (!from_pivot.is_zero()) entry += factor * from_pivot;
}

void Elimination::eliminate(const Pivot& pivot) {
  for (std::size_t j = 0; j < a_.cols; ++j) graph_.share(a_(pivot.row, j));
  for (std::size_t j = 0; j < b_.cols; ++j) graph_.share(b_(pivot.row, j));
  for (const std::size_t i : candidates(pivot.col)) {
    const Expr factor = graph_.share(-(a_(i, pivot.col) * pivot.inverse));
    for (std::size_t j = 0; j < a_.cols; ++j) {
      if (col_done_[j] == 0) subtract(factor, a_(pivot.row, j), a_(i, j));
    }
    for (std::size_t j = 0; j < b_.cols; ++j) subtract(factor, b_(pivot.row, j), b_(i, j));
  }
}

std::vector<Expr> Elimination::pivots() const {
  std::vector<Expr> values;
  for (const Pivot& pivot : pivots_) values.push_back(pivot.value);
  return values;
}

Matrix Elimination::solution() const {
  Matrix x(a_.cols, b_.cols, graph_.number(0));
  std::vector<Expr> terms;
  for (std::size_t step = pivots_.size(); step-- > 0;) {
    const Pivot& pivot = pivots_[step];
    for (std::size_t j = 0; j < b_.cols; ++j) {
      terms.assign(1, b_(pivot.row, j));
      for (std::size_t later = step + 1; later < pivots_.size(); ++later) {
        const std::size_t col = pivots_[later].col;
        if (!a_(pivot.row, col).is_zero()) terms.push_back(-(a_(pivot.row, col) * x(col, j)));
      }
      x(pivot.col, j) = graph_.share(graph_.add(terms) * pivot.inverse);
    }
  }
  return x;
}

}  // namespace herglotz::symbolic
