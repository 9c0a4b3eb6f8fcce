#pragma once
/// The entries of the saddle-point matrix of a system that are not always zero.

#include <cstddef>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::integrate {

/// Entry of [W, -Phi_y^T; Phi_w, 0], and its place in the blocks (W, b, Phi_y, Phi_w, beta) of a mass kernel.
struct SaddlePlace {
  std::size_t row;
  std::size_t col;
  std::size_t from;  ///< of the entry, or of its negative in -Phi_y^T
  bool negative;
};

/// Returns all places whose entries are not always zero. They follow from those of the derivatives of the stages: W =
/// p_w, Phi_y^T = F_l or -p_l, and Phi_w. Without these derivatives all entries are listed.
std::vector<SaddlePlace> saddle_places(const Dynamics& dynamics);

/// Returns whether a matrix of this size and with so many entries, whose places are the same at every step, is
/// eliminated faster as a sparse one. The order of its elimination is found only once. The limits are therefore lower
/// than those of SparseLU::pays.
constexpr bool pays_at_fixed_places(std::size_t size, std::size_t entries) {
  constexpr std::size_t smallest = 64;
  constexpr std::size_t density = 4;
  return size >= smallest && entries * density <= size * size;
}

}  // namespace herglotz::integrate
