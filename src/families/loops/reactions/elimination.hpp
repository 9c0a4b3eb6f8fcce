#pragma once
/// The matrix G M^-1 G^T of the multipliers of constraints.

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <cstdint>
#include <span>
#include <vector>

namespace herglotz::families {

/// Entry of G, which has a row for each equation and a column for each coordinate of each site.
struct SlopeEntry {
  std::uint32_t value = 0;   ///< its place in the list of values
  std::uint32_t row = 0;     ///< of the equation
  std::uint32_t column = 0;  ///< f N + site for the base family f and N sites
};

/// Factors of G M^-1 G^T with the diagonal M, in an order that keeps them sparse (approximate minimum degree).
class Elimination {
 public:
  Elimination(std::vector<SlopeEntry> entries, std::size_t rows, std::size_t columns);

  /// Treatment of an equation whose coordinates all have infinite inertia.
  enum class Held : std::uint8_t { dependent, left_alone };

  /// Takes the values of the entries of G, and 1/M by column.
  void factorise(const std::vector<double>& slopes, std::span<const double* const> inverse_inertia, std::size_t sites,
                 Held held);

  /// The equation that is nearest to following from those eliminated before it, and the square of the sine of the angle
  /// between their slopes; that of equations that follow to rounding is 0.
  struct Dependence {
    std::size_t equation = 0;
    double sine_squared = 1;
  };
  /// Returns whether the matrix is finite.
  [[nodiscard]] bool finite() const { return finite_; }
  [[nodiscard]] const Dependence& dependence() const { return dependence_; }

  /// Leaves an equation out from here on: its multiplier is the value that `solve` is given for it.
  void drop(std::size_t equation) { dropped_[equation] = true; }
  void take_back(std::size_t equation) { dropped_[equation] = false; }
  [[nodiscard]] bool is_dropped(std::size_t equation) const { return dropped_[equation]; }

  /// Replaces the values of the equations by those of the multipliers.
  void solve(std::vector<double>& values) const;
  /// Returns M^-1 G^T k in a column, with the G of the factors.
  [[nodiscard]] double displacement(std::size_t column, const std::vector<double>& k) const;
  /// Returns G^T k there, with given values of G.
  [[nodiscard]] double force(std::size_t column, const std::vector<double>& slopes, const std::vector<double>& k) const;
  /// Returns the sum of its |terms|.
  [[nodiscard]] double size(std::size_t column, const std::vector<double>& slopes, const std::vector<double>& k) const;

 private:
  using Matrix = Eigen::SparseMatrix<double>;

  void find_pattern();
  void leave_out(Held held);
  void find_dependence();
  [[nodiscard]] std::span<const SlopeEntry> of_column(std::size_t column) const {
    return std::span(entries_).subspan(first_[column], first_[column + 1] - first_[column]);
  }

  /// Term of an entry of the matrix: the product of a value of G and a value of M^-1 G^T.
  struct Product {
    std::uint32_t slope = 0;
    std::uint32_t scaled = 0;
  };

  std::vector<SlopeEntry> entries_;  // by column, then by row
  std::vector<std::size_t> first_;   // entry of each column
  std::vector<double> scaled_;       // values of M^-1 G^T
  Matrix matrix_;                    // its lower triangle
  std::vector<std::size_t> first_product_;
  std::vector<Product> products_;
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower> factors_;
  std::vector<bool> dropped_;  // equations
  bool finite_ = true;
  Dependence dependence_;
};

}  // namespace herglotz::families
