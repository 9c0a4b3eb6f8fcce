#include "herglotz/symbolic/matrix.hpp"

#include <bit>
#include <cstdint>
#include <map>
#include <string>

#include "calculus/elimination.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

namespace {

Graph& graph_of(const Matrix& a) {
  if (a.entries.empty()) throw Refused("an empty matrix has no graph");
  return a.entries.front().graph();
}

std::string shape(const Matrix& a) {
  return std::to_string(a.rows) + " x " + std::to_string(a.cols);
}

}  // namespace

Matrix identity(Graph& graph, std::size_t n) {
  Matrix result(n, n, graph.number(0));
  for (std::size_t i = 0; i < n; ++i) result(i, i) = graph.number(1);
  return result;
}

Matrix transpose(const Matrix& a) {
  Matrix result(a.cols, a.rows, Expr());
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.cols; ++j) result(j, i) = a(i, j);
  }
  return result;
}

Matrix multiply(const Matrix& a, const Matrix& b) {
  if (a.cols != b.rows) {
    throw Refused("a " + shape(a) + " matrix times a " + shape(b) + " one", "inner sizes must agree");
  }
  Matrix result(a.rows, b.cols, Expr());
  if (result.entries.empty()) return result;
  if (a.cols == 0) throw Refused("a product over no columns has no graph");
  Graph& graph = graph_of(a);
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.cols; ++j) {
      terms.clear();
      for (std::size_t k = 0; k < a.cols; ++k) {
        if (!a(i, k).is_zero() && !b(k, j).is_zero()) terms.push_back(a(i, k) * b(k, j));
      }
      result(i, j) = graph.add(terms);
    }
  }
  return result;
}

std::vector<Expr> multiply(const Matrix& a, const std::vector<Expr>& x) {
  Matrix column;
  column.rows = x.size();
  column.cols = 1;
  column.entries = x;
  return multiply(a, column).entries;
}

Expr determinant(const Matrix& a) {
  if (a.rows != a.cols || a.rows == 0) {
    throw Refused("the determinant of a " + shape(a) + " matrix", "it must be square and not empty");
  }
  constexpr std::size_t kLargest = 16;
  if (a.rows > kLargest) {
    throw Refused("the determinant of a " + shape(a) + " matrix", "at most 16 x 16, solve instead");
  }
  // Minors of the first rows are kept by their set of columns. Nothing is divided, so singular matrices give 0.
  Graph& graph = graph_of(a);
  std::map<std::uint32_t, Expr> minors{{0U, graph.number(1)}};
  for (std::size_t i = 0; i < a.rows; ++i) {
    std::map<std::uint32_t, std::vector<Expr>> terms;
    for (const auto& [columns, minor] : minors) {
      for (std::size_t j = 0; j < a.cols; ++j) {
        if ((columns >> j & 1U) != 0 || a(i, j).is_zero()) continue;
        const bool odd = std::popcount(columns >> j) % 2 == 1;
        terms[columns | 1U << j].push_back(odd ? -(a(i, j) * minor) : a(i, j) * minor);
      }
    }
    minors.clear();
    for (const auto& [columns, sum] : terms) {
      const Expr minor = graph.share(graph.add(sum));
      if (!minor.is_zero()) minors.emplace(columns, minor);
    }
  }
  return minors.empty() ? graph.number(0) : minors.begin()->second;
}

namespace {

void require_system(const Matrix& a, const Matrix& b) {
  if (a.rows != a.cols || a.rows != b.rows) {
    throw Refused("a " + shape(a) + " matrix with right side " + shape(b),
                  "the matrix must be square and as high as the right side");
  }
}

}  // namespace

Matrix solve(const Matrix& a, const Matrix& b) {
  require_system(a, b);
  if (a.rows == 0) return b;
  return Elimination(a, b, Pivoting::by_size).solution();
}

OrderedSolution solve_in_order(const Matrix& a, const Matrix& b) {
  require_system(a, b);
  if (a.rows == 0) return {b, {}};
  const Elimination elimination(a, b, Pivoting::in_order);
  return {elimination.solution(), elimination.pivots()};
}

}  // namespace herglotz::symbolic
