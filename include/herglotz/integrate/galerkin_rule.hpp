#pragma once
/// The parts of a Galerkin method: polynomials of the positions, and a quadrature of the action.

#include <cstddef>
#include <string_view>
#include <vector>

namespace herglotz::integrate {

/// Rule of a Galerkin method. Positions are polynomials of degree `degree` over a step; the action is followed at the
/// nodes c by Z_j = z0 + h sum_k A_jk L_k, z1 = z0 + h sum_j b_j L_j. There are at least as many nodes as the degree.
struct GalerkinRule {
  std::size_t degree = 1;
  std::vector<double> c;
  std::vector<double> b;
  std::vector<std::vector<double>> A;
};

/// Returns the rule with a named quadrature, "gauss-u" or "lobatto-u" with u nodes, and its collocation matrix; its
/// order is min(2 degree, order of the quadrature). Throws Refused for a name that is not a quadrature,
/// and for fewer nodes than the degree.
GalerkinRule galerkin_rule(std::size_t degree, std::string_view quadrature);

}  // namespace herglotz::integrate
