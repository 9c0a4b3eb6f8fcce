#pragma once
/// A motion for tests of implicit steps, in the form d m(u, t)/dt = g(u, t).

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>

#include "herglotz/sensitivity/implicit_steps.hpp"

namespace herglotz::sensitivity {

/// m and g of a motion in two states and a factor R, with all terms that a form may have: m depends on the parameter
/// and on time, and the second table applies to two entries.
template <class T>
std::array<T, 6> lifted(const std::array<T, 5>& at) {
  const auto& [a, b, R, theta, t] = at;
  return {a + a * a * a / 9.0 + theta * b / 7.0,   R * (b * (1.5 + sin(a) / 2.0) + theta * t),
          R * (1.0 + theta * a * t / 20.0),        b + cos(theta * t) * a / 3.0,
          R * (-theta * sin(a) - b * b / 5.0 + t), -R * (theta + a * b) / 4.0};
}

/// The kernel of these functions for several runs at once; its derivatives are complex steps.
inline kernel::Kernel lifted_kernel(int lanes) {
  const auto entry = []<std::size_t W>() {
    return [](const void*, const double* u, const double* p, double* out, double*) {
      for (std::size_t lane = 0; lane < W; ++lane) {
        const auto of = [&](std::size_t k) { return u[k * W + lane]; };
        const std::array<double, 5> at{of(0), of(1), of(2), p[lane], of(3)};
        const auto values = lifted(at);
        for (std::size_t i = 0; i < 6; ++i) out[i * W + lane] = values[i];
        for (std::size_t k = 0; k < 5; ++k) {
          constexpr double e = 1e-100;
          std::array<std::complex<double>, 5> beside;
          for (std::size_t i = 0; i < 5; ++i) beside[i] = at[i];
          beside[k] += std::complex(0.0, e);
          const auto slopes = lifted(beside);
          for (std::size_t i = 0; i < 6; ++i) out[(6 + 5 * i + k) * W + lane] = slopes[i].imag() / e;
        }
      }
    };
  };
  const kernel::Kernel::Entry of_lanes = lanes == 8   ? +entry.operator()<8>()
                                         : lanes == 4 ? +entry.operator()<4>()
                                                      : +entry.operator()<1>();
  return {"lifted", of_lanes, nullptr, 4, 1, 36, 0, lanes};
}

/// The form of these functions.
inline ImplicitForm lifted_form(int lanes = 1) {
  ImplicitForm made;
  made.kernel = lifted_kernel(lanes);
  for (std::size_t i = 0; i < 30; ++i) {
    made.row.push_back(i / 5);
    made.col.push_back(i % 5);
  }
  made.states = 2;
  made.start = {1};
  made.of_second_table = {false, true, true};
  return made;
}

}  // namespace herglotz::sensitivity
