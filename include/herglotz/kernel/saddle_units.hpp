#pragma once
/// Units of a saddle-point matrix [W, -Phi_y^T; Phi_w, 0], on which its rank does not depend.

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace herglotz::kernel {

/// Divides W (r x r) by its largest entry, and each of the m constraints, in its row and in its column, by the largest
/// of its coefficients in Phi_w. The test for singularity then does not take small masses (of atoms, in kilograms)
/// for zeros beside large coefficients. Blocks that are 0 stay. `entry(i, j)` returns
/// a reference to an entry of the matrix, which is (r + m) x (r + m).
template <class Entry>
void take_out_units(std::size_t r, std::size_t m, Entry entry) {
  double mass = 0;
  for (std::size_t a = 0; a < r; ++a)
    for (std::size_t b = 0; b < r; ++b) mass = std::max(mass, std::abs(entry(a, b)));
  for (std::size_t a = 0; a < r && mass > 0; ++a)
    for (std::size_t b = 0; b < r; ++b) entry(a, b) /= mass;
  for (std::size_t A = r; A < r + m; ++A) {
    double slope = 0;
    for (std::size_t a = 0; a < r; ++a) slope = std::max(slope, std::abs(entry(A, a)));
    for (std::size_t a = 0; a < r && slope > 0; ++a) {
      entry(A, a) /= slope;
      entry(a, A) /= slope;
    }
  }
}

}  // namespace herglotz::kernel
