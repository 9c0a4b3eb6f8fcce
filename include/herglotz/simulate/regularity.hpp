#pragma once
/// Whether a velocity Hessian can be inverted.

#include <cstddef>
#include <span>

namespace herglotz::simulate {

/// Rank and condition of W scaled to unit diagonal size, so that light and heavy bodies in one system are regular.
struct Regularity {
  bool finite = true;
  bool regular = true;
  std::size_t rank = 0;
  double condition = 1;
};

/// W row by row, (r x r).
Regularity regularity_of(std::span<const double> w, std::size_t r);

}  // namespace herglotz::simulate
