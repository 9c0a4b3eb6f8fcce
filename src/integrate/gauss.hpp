#pragma once
/// Gauss collocation with s stages: order 2s, symplectic.

#include <array>
#include <cmath>

namespace herglotz::integrate {

/// Nodes c, weights b and matrix A on [0, 1]. E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, II.1.3.
template <int S>
struct Gauss {
  std::array<double, S> c;
  std::array<double, S> b;
  std::array<std::array<double, S>, S> A;
};

template <int S>
Gauss<S> gauss() {
  static_assert(S >= 1 && S <= 3);
  if constexpr (S == 1) {
    return {{0.5}, {1.0}, {{{0.5}}}};
  } else if constexpr (S == 2) {
    const double d = std::sqrt(3.0) / 6;
    return {{0.5 - d, 0.5 + d}, {0.5, 0.5}, {{{0.25, 0.25 - d}, {0.25 + d, 0.25}}}};
  } else {
    const double q = std::sqrt(15.0);
    return {{0.5 - q / 10, 0.5, 0.5 + q / 10},
            {5.0 / 18, 4.0 / 9, 5.0 / 18},
            {{{5.0 / 36, 2.0 / 9 - q / 15, 5.0 / 36 - q / 30},
              {5.0 / 36 + q / 24, 2.0 / 9, 5.0 / 36 - q / 24},
              {5.0 / 36 + q / 30, 2.0 / 9 + q / 15, 5.0 / 36}}}};
  }
}

}  // namespace herglotz::integrate
