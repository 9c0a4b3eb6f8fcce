#pragma once
/// Dense matrices of expressions, and straight-line linear algebra on them.

#include <cstddef>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// Row-major matrix (rows x cols).
struct Matrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<Expr> entries;

  Matrix() = default;
  Matrix(std::size_t m, std::size_t n, Expr fill) : rows(m), cols(n), entries(m * n, fill) {}
  Expr& operator()(std::size_t i, std::size_t j) { return entries[i * cols + j]; }
  const Expr& operator()(std::size_t i, std::size_t j) const { return entries[i * cols + j]; }
};

/// One structurally nonzero entry.
struct Entry {
  std::size_t row = 0;
  std::size_t col = 0;
  Expr value;
};

/// Sparse matrix of structural nonzeros, row by row, columns ascending.
struct SparseMatrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<Entry> entries;
};

Matrix identity(Graph& graph, std::size_t n);
Matrix transpose(const Matrix& a);
Matrix multiply(const Matrix& a, const Matrix& b);
std::vector<Expr> multiply(const Matrix& a, const std::vector<Expr>& x);
/// Returns the determinant by minors, for n <= 16; there are no divisions, so a singular matrix gives 0.
Expr determinant(const Matrix& a);

/// Error of a linear system whose matrix is singular at every value of its symbols.
class SingularMatrix : public Refused {
 public:
  using Refused::Refused;
};

/// Returns X with A X = B as straight-line code: Gaussian elimination whose partial pivoting is done with `select`, so
/// that the same instructions serve every lane. Structural zeros are exploited. A is (n x n), B is (n x m). Throws
/// SingularMatrix if A is exactly or structurally singular. An A that is singular at some values gives infinities or
/// NaN there, which every integrator detects.
Matrix solve(const Matrix& a, const Matrix& b);

/// Solution by elimination with the diagonal entries as pivots, from the first to the last. It is as good as `solve`
/// for definite matrices and for saddle-point matrices whose first block is definite; for other matrices it is no
/// better than its pivots. A pivot that is exactly zero throws SingularMatrix.
struct OrderedSolution {
  Matrix x;
  std::vector<Expr> pivots;
};
OrderedSolution solve_in_order(const Matrix& a, const Matrix& b);

}  // namespace herglotz::symbolic
