#include "herglotz/geometry/inverse.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/geometry/blocks.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::geometry {
namespace {

using symbolic::Expr;
using symbolic::Matrix;

/// Expressions longer than this are kept as they are: no one reads them, and simplifying them takes long.
constexpr std::size_t largest_entry = 250;

/// The effort for all entries of one inverse together; once it is used up, they are printed as they were computed.
constexpr std::int64_t most_inverse_effort = 100'000;

Expr readable(Expr f, symbolic::Effort& effort) {
  return symbolic::printed_size(f) > largest_entry ? f : simplify(f, effort);
}

/// Determinants of minors by expansion along the first row; each minor is computed once.
class Minors {
 public:
  Minors(const Matrix& a, symbolic::Effort& effort) : a_(a), graph_(a.entries.front().graph()), effort_(effort) {}

  /// Returns the determinant of the given rows and columns (bit sets of equal size).
  Expr operator()(unsigned rows, unsigned cols) {
    if (rows == 0) return graph_.number(std::int64_t{1});
    const auto known = minors_.find({rows, cols});
    if (known != minors_.end()) return known->second;
    const auto row = static_cast<unsigned>(std::countr_zero(rows));
    Expr total = graph_.number(std::int64_t{0});
    bool negative = false;
    for (unsigned col = 0; col < a_.cols; ++col) {
      const unsigned bit = 1U << col;
      if ((cols & bit) == 0) continue;
      const Expr entry = a_(row, col);
      if (!entry.is_zero()) {
        const Expr term = entry * (*this)(rows & ~(1U << row), cols & ~bit);
        total = negative ? total - term : total + term;
      }
      negative = !negative;
    }
    const Expr minor = readable(total, effort_);
    minors_.emplace(std::pair{rows, cols}, minor);
    return minor;
  }

 private:
  const Matrix& a_;
  symbolic::Graph& graph_;
  symbolic::Effort& effort_;
  std::map<std::pair<unsigned, unsigned>, Expr> minors_;
};

/// Returns true if the determinant vanishes, up to round-off of its terms, at every sample point.
bool vanishes(Expr determinant, const Matrix& a) {
  if (determinant.is_number()) return determinant.value() == 0;
  const auto symbols = symbolic::free_symbols(a.entries);
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(0.2, 1.7);
  std::vector<double> values(symbols.size());
  bool judged = false;
  for (int sample = 0; sample < 12; ++sample) {
    for (double& v : values) v = uniform(engine);
    const auto entries = symbolic::evaluate(a.entries, symbols, values);
    double size = 1;
    for (std::size_t i = 0; i < a.rows; ++i) {
      double row = 0;
      for (std::size_t j = 0; j < a.cols; ++j) row += std::abs(entries[i * a.cols + j]);
      size *= row;
    }
    const double value = symbolic::evaluate(determinant, symbols, values);
    if (!std::isfinite(value) || !std::isfinite(size)) continue;
    judged = true;
    if (std::abs(value) > 1e-13 * size) return false;
  }
  return judged;
}

/// Returns true if elimination of numbers finds no pivot for some row, up to round-off of the matrix.
bool singular(std::vector<double> entries, std::size_t n) {
  double size = 0;
  for (const double entry : entries) size = std::max(size, std::abs(entry));
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return entries[i * n + j]; };
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(at(i, k)) > std::abs(at(best, k))) best = i;
    if (!(std::abs(at(best, k)) > 1e-13 * size)) return true;
    for (std::size_t j = k; j < n; ++j) std::swap(at(best, j), at(k, j));
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = at(i, k) / at(k, k);
      for (std::size_t j = k; factor != 0 && j < n; ++j) at(i, j) -= factor * at(k, j);
    }
  }
  return false;
}

/// Returns true if a matrix is singular at every sample point.
bool always_singular(const Matrix& a) {
  const auto symbols = symbolic::free_symbols(a.entries);
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(0.2, 1.7);
  std::vector<double> values(symbols.size());
  for (int sample = 0; sample < 12; ++sample) {
    for (double& v : values) v = uniform(engine);
    if (!singular(symbolic::evaluate(a.entries, symbols, values), a.rows)) return false;
  }
  return true;
}

/// Returns the inverse of a matrix that does not fall into blocks, or `std::nullopt` if it is singular everywhere.
std::optional<Matrix> inverse_of_block(const Matrix& a) {
  const std::size_t n = a.rows;
  symbolic::Graph& graph = a.entries.front().graph();
  if (n > cofactor_size) {
    if (always_singular(a)) return std::nullopt;
    return symbolic::solve(a, symbolic::identity(graph, n));
  }
  symbolic::Effort effort{most_inverse_effort};
  Minors minors(a, effort);
  const unsigned all = (1U << n) - 1;
  const Expr determinant = minors(all, all);
  if (vanishes(determinant, a)) return std::nullopt;
  Matrix result(n, n, graph.number(std::int64_t{0}));
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < n; ++j) {
      const Expr cofactor = minors(all & ~(1U << j), all & ~(1U << i));
      if (cofactor.is_zero()) continue;
      result(i, j) = readable((i + j) % 2 == 0 ? cofactor / determinant : -cofactor / determinant, effort);
    }
  return result;
}

}  // namespace

std::optional<Matrix> inverse_if_regular(const Matrix& a) {
  if (a.rows != a.cols) return std::nullopt;
  if (a.rows <= cofactor_size) return a.rows == 0 ? a : inverse_of_block(a);
  const Expr zero = a.entries.front().graph().number(std::int64_t{0});
  Matrix result(a.rows, a.cols, zero);
  for (const auto& block : blocks_of(a)) {
    Matrix part(block.size(), block.size(), zero);
    for (std::size_t i = 0; i < block.size(); ++i)
      for (std::size_t j = 0; j < block.size(); ++j) part(i, j) = a(block[i], block[j]);
    const auto inverse = inverse_of_block(part);
    if (!inverse) return std::nullopt;
    for (std::size_t i = 0; i < block.size(); ++i)
      for (std::size_t j = 0; j < block.size(); ++j) result(block[i], block[j]) = (*inverse)(i, j);
  }
  return result;
}

Matrix inverse(const Matrix& a, std::string_view what) {
  if (a.rows != a.cols)
    throw Refused(std::string(what) + ": expected a square matrix, got " + std::to_string(a.rows) + " x " +
                  std::to_string(a.cols));
  auto result = inverse_if_regular(a);
  if (!result)
    throw Refused(std::string(what) + ": expected an invertible matrix, got one whose determinant is zero everywhere");
  return *std::move(result);
}

}  // namespace herglotz::geometry
