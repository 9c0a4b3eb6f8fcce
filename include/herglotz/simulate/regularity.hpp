#pragma once
/// Whether a velocity Hessian, and the saddle-point system of constraints, can be inverted.

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

/// A square matrix row by row, (r x r).
Regularity regularity_of(std::span<const double> w, std::size_t r);

/// Whether [W, -Phi_y^T; Phi_w, 0] can be inverted, and if not, whose fault it is.
struct SaddleRegularity {
  Regularity hessian;    ///< of W
  bool regular = true;   ///< the whole system; it may be where W alone is not
  std::size_t rank = 0;  ///< of C = Phi_w W^-1 Phi_y^T where W is regular, else of Phi_y
};

/// (W, Phi_y, Phi_w) row by row, as hessian_program gives them: r x r, m x r, m x r.
SaddleRegularity saddle_regularity(std::span<const double> blocks, std::size_t r, std::size_t m);

}  // namespace herglotz::simulate
