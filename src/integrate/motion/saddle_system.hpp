#pragma once
/// The saddle-point system of the accelerations and the multipliers, from the blocks that a mass kernel computes.

#include <cstddef>

#include "herglotz/integrate/dynamics.hpp"
#include "numerics/lane_lu.hpp"

namespace herglotz::integrate {

/// Writes [W, -Phi_y^T; Phi_w, 0] and (b, -beta) from the blocks (W, b, Phi_y, Phi_w, beta) that a mass kernel
/// computes.
template <class P>
void load_saddle(const Dynamics& dynamics, const P* blocks, LaneLU<P, 0>& matrix, P* right) {
  const std::size_t r = dynamics.r;
  const std::size_t m = dynamics.m;
  const P* const b = blocks + r * r;
  const P* const Phi_y = b + r;
  const P* const Phi_w = Phi_y + m * r;
  const P* const beta = Phi_w + m * r;
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j < r; ++j) matrix.at(i, j) = blocks[i * r + j];
    for (std::size_t A = 0; A < m; ++A) {
      matrix.at(i, r + A) = -Phi_y[A * r + i];
      matrix.at(r + A, i) = Phi_w[A * r + i];
    }
    right[i] = b[i];
  }
  for (std::size_t A = 0; A < m; ++A) {
    for (std::size_t B = 0; B < m; ++B) matrix.at(r + A, r + B) = P(0.0);
    right[r + A] = -beta[A];
  }
}

}  // namespace herglotz::integrate
