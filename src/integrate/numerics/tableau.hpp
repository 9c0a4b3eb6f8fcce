#pragma once
/// Partitioned Runge-Kutta tableaux for the homogeneous lift: Gauss, and Lobatto IIIA-IIIB.

#include <array>
#include <cmath>

#include "herglotz/kernel/quadrature.hpp"

namespace herglotz::integrate {

/// Nodes c and weights b on [0, 1], matrix A of (x, z), and matrix A_hat of (p, R). The tableau is symplectic in the
/// lift: b_i A_hat_ij + b_j A_ji = b_i b_j. E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, VI.4.
template <int S>
struct Tableau {
  static constexpr int stages = S;
  std::array<double, S> c;
  std::array<double, S> b;
  std::array<std::array<double, S>, S> A;
  std::array<std::array<double, S>, S> A_hat;
};

/// Returns the tableau of collocation at the nodes, with A_hat from the condition above.
template <int S>
Tableau<S> partitioned(const kernel::Quadrature& quadrature) {
  const kernel::RoundedQuadrature<S> plain = kernel::rounded<S>(quadrature);
  Tableau<S> made{plain.c, plain.b, plain.A, {}};
  for (std::size_t i = 0; i < S; ++i)
    for (std::size_t j = 0; j < S; ++j)
      made.A_hat[i][j] = static_cast<double>(quadrature.b[j] * (1 - quadrature.A[j][i] / quadrature.b[i]));
  return made;
}

/// Returns the Gauss tableau of S stages and order 2S, in which A_hat = A. Closed forms serve up to S = 3.
template <int S>
Tableau<S> gauss() {
  if constexpr (S == 1) {
    return {{0.5}, {1.0}, {{{0.5}}}, {{{0.5}}}};
  } else if constexpr (S == 2) {
    const double d = std::sqrt(3.0) / 6;
    const std::array<std::array<double, 2>, 2> A{{{0.25, 0.25 - d}, {0.25 + d, 0.25}}};
    return {{0.5 - d, 0.5 + d}, {0.5, 0.5}, A, A};
  } else if constexpr (S == 3) {
    const double q = std::sqrt(15.0);
    const std::array<std::array<double, 3>, 3> A{{{5.0 / 36, 2.0 / 9 - q / 15, 5.0 / 36 - q / 30},
                                                  {5.0 / 36 + q / 24, 2.0 / 9, 5.0 / 36 - q / 24},
                                                  {5.0 / 36 + q / 30, 2.0 / 9 + q / 15, 5.0 / 36}}};
    return {{0.5 - q / 10, 0.5, 0.5 + q / 10}, {5.0 / 18, 4.0 / 9, 5.0 / 18}, A, A};
  } else {
    Tableau<S> made = partitioned<S>(kernel::gauss_quadrature(S));
    made.A_hat = made.A;
    return made;
  }
}

/// Returns the Lobatto tableau of S stages and order 2S - 2. IIIA serves for (x, z); its first stage is the start of
/// the step and its last stage the end. IIIB serves for (p, R).
template <int S>
Tableau<S> lobatto() {
  static_assert(S >= 2);
  return partitioned<S>(kernel::lobatto_quadrature(S));
}

}  // namespace herglotz::integrate
