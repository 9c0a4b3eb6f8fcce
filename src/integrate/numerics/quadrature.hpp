#pragma once
/// Quadratures on [0, 1] with their collocation matrices, of any number of nodes.

#include <vector>

namespace herglotz::integrate {

/// Nodes, weights and A_ij = int_0^{c_i} l_j, where l_j are the Lagrange polynomials of the nodes. All numbers are in
/// extended precision, so that they are correctly rounded as doubles.
struct Quadrature {
  std::vector<long double> c;
  std::vector<long double> b;
  std::vector<std::vector<long double>> A;
};

/// Returns the quadrature at the roots of the Legendre polynomial of degree `nodes`, 1 <= nodes <= 16, which is exact
/// to degree 2 nodes - 1.
Quadrature gauss_quadrature(int nodes);
/// Returns the quadrature at 0, 1 and the roots of the derivative of the Legendre polynomial of degree nodes - 1, 2 <=
/// nodes <= 16, which is exact to degree 2 nodes - 3.
Quadrature lobatto_quadrature(int nodes);

}  // namespace herglotz::integrate
