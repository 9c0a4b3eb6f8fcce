#pragma once
/// The explicit Runge-Kutta pair RK8(7)13M: order 8, embedded order 7, thirteen stages.

#include <array>

namespace herglotz::kernel {

/// Coefficients c (13), A (13 x 13, strictly lower triangular), b of order 8 and b_hat of order 7.
struct PrinceDormand {
  static constexpr int stages = 13;
  static constexpr int order = 8;
  static constexpr int embedded_order = 7;
  std::array<double, 13> c;
  std::array<std::array<double, 13>, 13> A;
  std::array<double, 13> b;
  std::array<double, 13> b_hat;
};

/// Returns the pair of P. J. Prince, J. R. Dormand, High order embedded Runge-Kutta formulae, J. Comput. Appl. Math. 7
/// (1981), Table 2. Unlike the estimate of Fehlberg's 7(8), its error estimate does not vanish on quadratures, which
/// the budgets are.
const PrinceDormand& prince_dormand();

}  // namespace herglotz::kernel
