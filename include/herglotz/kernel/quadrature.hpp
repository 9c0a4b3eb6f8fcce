#pragma once
/// Quadratures of Gauss, Lobatto and Radau on [0, 1] with their collocation matrices.

#include <array>
#include <cstddef>
#include <vector>

namespace herglotz::kernel {

/// Nodes, weights and A_ij = int_0^{c_i} l_j, where l_j are the Lagrange polynomials of the nodes. All numbers are in
/// extended precision, so that they are correctly rounded as doubles.
struct Quadrature {
  std::vector<long double> c;
  std::vector<long double> b;
  std::vector<std::vector<long double>> A;
};

/// Returns the quadrature at c_i = (1 + x_i)/2, where x_i are the roots of the Legendre polynomial P of degree `nodes`,
/// 1 <= nodes <= 16. It is exact to degree 2 nodes - 1, and its weights are b_i = 1/((1 - x_i^2) P'(x_i)^2). M.
/// Abramowitz, I. Stegun, Handbook of Mathematical Functions (1964), Eq. 25.4.29, on [0, 1]. Throws
/// Refused if there are no such nodes.
Quadrature gauss_quadrature(int nodes);
/// Returns the quadrature at 0, 1 and the roots of the derivative of the Legendre polynomial P of degree nodes - 1, 2
/// <= nodes <= 16. It is exact to degree 2 nodes - 3, and its weights are b_i = 1/(nodes (nodes - 1) P(x_i)^2). M.
/// Abramowitz, I. Stegun, Handbook of Mathematical Functions (1964), Eq. 25.4.32, on [0, 1]. Throws
/// Refused if there are no such nodes.
Quadrature lobatto_quadrature(int nodes);
/// Returns the quadrature at 1 and the other roots of P_n - P_{n-1} for Legendre polynomials and n = nodes between 1
/// and 16. It is exact to degree 2 nodes - 2; its collocation is the method Radau IIA. M. Abramowitz, I. Stegun,
/// Handbook of Mathematical Functions (1964), Eq. 25.4.31, reflected on [0, 1]. Throws Refused if there are no such
/// nodes.
Quadrature radau_quadrature(int nodes);

/// Nodes, weights and matrix of a quadrature with S nodes in doubles.
template <std::size_t S>
struct RoundedQuadrature {
  std::array<double, S> c{};
  std::array<double, S> b{};
  std::array<std::array<double, S>, S> A{};
};

/// Returns the quadrature with every number rounded to the nearest double.
template <std::size_t S>
RoundedQuadrature<S> rounded(const Quadrature& exact) {
  RoundedQuadrature<S> made;
  for (std::size_t i = 0; i < S; ++i) {
    made.c[i] = static_cast<double>(exact.c[i]);
    made.b[i] = static_cast<double>(exact.b[i]);
    for (std::size_t j = 0; j < S; ++j) made.A[i][j] = static_cast<double>(exact.A[i][j]);
  }
  return made;
}

}  // namespace herglotz::kernel
