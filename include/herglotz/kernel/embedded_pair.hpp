#pragma once
/// An explicit Runge-Kutta method with an error estimate.

#include <cstddef>
#include <vector>

namespace herglotz::kernel {

/// c (s), A (s rows, strictly lower triangular: row i has i entries), the weights b of the result, and those of the
/// error estimate, b - b_hat. The change of the step is the eighth root of its error: for pairs of orders 8 and 7.
struct EmbeddedPair {
  std::vector<double> c;
  std::vector<std::vector<double>> A;
  std::vector<double> b;
  std::vector<double> difference;

  [[nodiscard]] std::size_t stages() const { return b.size(); }
};

}  // namespace herglotz::kernel
