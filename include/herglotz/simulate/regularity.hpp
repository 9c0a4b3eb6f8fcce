#pragma once
/// Regularity of a velocity Hessian, and of the saddle-point system of constraints.

#include <cstddef>
#include <span>

namespace herglotz::simulate {

/// Rank and condition of W scaled to unit diagonal size, so that light and heavy bodies in one system are regular.
struct Regularity {
  bool finite = true;
  bool regular = true;
  std::size_t rank = 0;
  double condition = 1;
  std::size_t positive = 0;  ///< signature of the symmetric part: the number of positive eigenvalues
  std::size_t negative = 0;  ///< the number of negative eigenvalues
};

/// Returns the regularity of a square matrix w (r x r), row by row.
Regularity regularity_of(std::span<const double> w, std::size_t r);

/// Regularity of [W, -Phi_y^T; Phi_w, 0] and of its parts.
struct SaddleRegularity {
  Regularity hessian;    ///< the regularity of W
  bool regular = true;   ///< whether the whole system is regular; it may be although W is not
  std::size_t rank = 0;  ///< the rank of C = Phi_w W^-1 Phi_y^T if W is regular, else of Phi_y
};

/// Returns the regularity of the system with `blocks` = (W, Phi_y, Phi_w), row by row as hessian_program gives them: r
/// x r, m x r, m x r.
SaddleRegularity saddle_regularity(std::span<const double> blocks, std::size_t r, std::size_t m);

}  // namespace herglotz::simulate
