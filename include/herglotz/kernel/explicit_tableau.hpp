#pragma once
/// An explicit Runge-Kutta method.

#include <cstddef>
#include <vector>

namespace herglotz::kernel {

/// Coefficients of an explicit Runge-Kutta method: c (s), A (s rows, strictly lower triangular: row i has i entries),
/// and the weights b of the result.
struct ExplicitTableau {
  std::vector<double> c;
  std::vector<std::vector<double>> A;
  std::vector<double> b;

  [[nodiscard]] std::size_t stages() const { return b.size(); }
};

}  // namespace herglotz::kernel
