#pragma once
/// Quadratic functions of the base that every motion on an algebroid keeps.

#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/geometry/algebroid.hpp"

namespace herglotz::geometry {

/// A quadratic form Q(x), the sum of coefficient x^i x^j over its terms, with rho^i_a dQ/dx^i = 0 for every a: a
/// Casimir of the anchor, which every motion keeps whatever its Lagrangian.
struct QuadraticCasimir {
  struct Term {
    std::size_t i = 0;
    std::size_t j = 0;  ///< at least i
    double coefficient = 0;
  };
  Expr form;
  std::vector<Term> terms;

  [[nodiscard]] double value(std::span<const double> x) const;
  [[nodiscard]] std::vector<double> gradient(std::span<const double> x) const;
};

/// Returns a basis of the quadratic Casimirs with rational coefficients, such as the squared norm of a quaternion. They
/// are found by linear algebra at points around `centre` (n), with `values` for `symbols` (parameters), and each is
/// verified symbolically. Functions of conserved linear forms are left out. Returns `{}` if the anchor is onto, if n is
/// greater than 12 or if the anchor is finite at too few points.
std::vector<QuadraticCasimir> quadratic_casimirs(const Algebroid& algebroid, std::span<const Expr> symbols,
                                                 std::span<const double> values, std::span<const double> centre);

}  // namespace herglotz::geometry
