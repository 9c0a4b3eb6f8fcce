#pragma once
/// Polynomials of a Galerkin method at its nodes.

#include <cstddef>
#include <vector>

#include "herglotz/integrate/galerkin_rule.hpp"

namespace herglotz::integrate {

/// GalerkinRule with the polynomials l_nu (nu = 0..degree). Each is 1 at one Lobatto point, which makes the
/// coefficients well conditioned at any degree. Matrices are stored row by row.
struct GalerkinPolynomials {
  /// Throws Refused if the parts of the rule do not fit.
  explicit GalerkinPolynomials(const GalerkinRule& rule);

  [[nodiscard]] double A_of(std::size_t i, std::size_t j) const { return A[i * nodes + j]; }
  [[nodiscard]] double value(std::size_t node, std::size_t nu) const { return values[node * (degree + 1) + nu]; }
  [[nodiscard]] double slope(std::size_t node, std::size_t nu) const { return slopes[node * (degree + 1) + nu]; }
  [[nodiscard]] double value_ahead(std::size_t mu, std::size_t nu) const { return ahead[mu * (degree + 1) + nu]; }

  std::size_t degree;
  std::size_t nodes;
  std::vector<double> c, b, A;
  std::vector<double> points;          ///< the point at which each l_nu is 1
  std::vector<double> values, slopes;  ///< l_nu(c_j) and l'_nu(c_j), node by node
  std::vector<double> ahead;           ///< l_nu(1 + points[mu]), for the next step
  std::vector<double> end_slopes;      ///< l'_nu(1)
};

}  // namespace herglotz::integrate
