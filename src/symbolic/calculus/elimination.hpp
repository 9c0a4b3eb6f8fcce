#pragma once
/// Gaussian elimination as straight-line expressions.

#include <cstddef>
#include <vector>

#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::symbolic {

enum class Pivoting {
  by_size,  ///< the largest entry of a column, chosen at run time if the sizes are not known now
  in_order  ///< the entries of the diagonal, in their order
};

/// Reduction of (A | B) to triangular form. Columns with the fewest structurally nonzero candidates go first, so
/// diagonal, triangular and block-structured matrices need few selects or none.
class Elimination {
 public:
  Elimination(const Matrix& a, const Matrix& b, Pivoting pivoting);
  [[nodiscard]] Matrix solution() const;
  /// Returns the pivots in the order in which they were used.
  [[nodiscard]] std::vector<Expr> pivots() const;

 private:
  struct Pivot {
    std::size_t row;
    std::size_t col;
    Expr value;
    Expr inverse;
  };

  [[nodiscard]] std::vector<std::size_t> candidates(std::size_t col) const;
  [[nodiscard]] std::size_t next_column() const;
  std::size_t choose_row(std::size_t col);
  void swap_if_larger(std::size_t row, std::size_t other, std::size_t col);
  void eliminate(const Pivot& pivot);
  void subtract(Expr factor, Expr from_pivot, Expr& entry);

  Graph& graph_;
  Matrix a_;
  Matrix b_;
  std::vector<char> row_done_;
  std::vector<char> col_done_;
  std::vector<Pivot> pivots_;
};

}  // namespace herglotz::symbolic
