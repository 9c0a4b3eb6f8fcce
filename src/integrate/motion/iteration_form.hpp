#pragma once
/// The matrix of Newton's iteration of implicit steps in mass form: where its entries come from.

#include <cstddef>
#include <optional>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"
#include "numerics/sparse_lu.hpp"

namespace herglotz::integrate {

/// The system (g - f_u) x = r for the rates f of the state u = (x, w, z, nu), without the inverse of a mass matrix.
/// With K = [W, -Phi_y^T; Phi_w, 0] and the derivatives B_q of (b, -beta) - K (w_dot, ell) at fixed rates it is
///   K (g x_q, mu) - B_q x = K (r_q, 0),   g x_x - B_x x = r_x,   g x_z - B_z x = r_z,
/// where q are the velocities and differential multipliers, and mu is the change of algebraic ones. If K and B have few
/// entries, so has this matrix. If x_dot = w, the positions x_x = (r_x + x_w)/g are eliminated beforehand (E. Hairer,
/// G. Wanner, Solving Ordinary Differential Equations II, Sec. IV.8). The equation of z borders the matrix, since its
/// entries L_x and L_w fill a row.
struct IterationForm {
  /// factor * g^power * value in a row and a column.
  struct Term {
    std::size_t row;
    std::size_t col;
    std::size_t value;  ///< its index among the entries of K, those of B, and 1
    int power;          ///< 1, 0 or -1
    double factor;
  };

  explicit IterationForm(const Dynamics& dynamics);

  /// Returns the form if Newton's iteration takes less time in it than with f_u as a dense matrix. That follows from
  /// the sizes and the places of entries alone.
  static std::optional<IterationForm> if_it_pays(const Dynamics& dynamics);

  [[nodiscard]] bool sparse() const { return SparseLU::pays_at_fixed_places(size, places.size()); }

  std::size_t dimension = 0;       ///< of u
  std::size_t positions = 0;       ///< how many entries of x are eliminated beforehand: all or none
  std::size_t z = 0;               ///< the entry of u that is z
  std::size_t size = 0;            ///< of the matrix without the border
  std::size_t values = 0;          ///< entries of K, entries of B, and 1
  std::vector<std::size_t> state;  ///< the entry of u that each unknown changes; `none` for algebraic multipliers
  std::vector<Place> places;       ///< of the entries of the matrix
  std::vector<Term> matrix;
  std::vector<std::size_t> place_of;  ///< of each term of the matrix, the index of its place
  std::vector<Term> column;           ///< the border's column: the derivatives by z
  std::vector<Term> row;              ///< the border's row, by the unknowns
  std::vector<Term> corner;           ///< g - B_zz
  std::vector<Term> right;            ///< what r contributes to the right-hand side, whose last row is that of z

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

/// Writes the values of a form: the entries of K, those of B, and 1.
template <class P, class Numbers>
void write_values(const std::vector<P>& K, const Numbers& B, std::vector<P>& values) {
  for (std::size_t k = 0; k < K.size(); ++k) values[k] = K[k];
  for (std::size_t k = K.size(); k + 1 < values.size(); ++k) values[k] = B[k - K.size()];
  values.back() = P(1.0);
}

}  // namespace herglotz::integrate
