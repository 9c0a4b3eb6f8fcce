#pragma once
/// Radau IIA method with three stages, of order 5. E. Hairer, G. Wanner, Solving Ordinary Differential Equations
/// II, Sec. IV.5 and IV.8.

#include <array>
#include <cstddef>

namespace herglotz::integrate {

struct Radau {
  static constexpr std::size_t stages = 3;
  static constexpr double root_6 = 2.4494897427831780982;
  static constexpr std::array<double, 3> c{(4 - root_6) / 10, (4 + root_6) / 10, 1};
  static constexpr std::array<std::array<double, 3>, 3> A{
      {{(88 - 7 * root_6) / 360, (296 - 169 * root_6) / 1800, (-2 + 3 * root_6) / 225},
       {(296 + 169 * root_6) / 1800, (88 + 7 * root_6) / 360, (-2 - 3 * root_6) / 225},
       {(16 - root_6) / 36, (16 + root_6) / 36, 1.0 / 9}}};

  /// Eigenvalues of A^-1: gamma, and alpha + i beta with its conjugate.
  static constexpr double gamma = 3.6378342527444957322;
  static constexpr double alpha = 2.6810828736277521339;
  static constexpr double beta = -3.0504301992474105695;
  /// A^-1 = T diag(gamma, [alpha, -beta; beta, alpha]) T^-1.
  static constexpr std::array<std::array<double, 3>, 3> T{
      {{0.09443876248897524, -0.14125529502095421, 0.03002919410514742},
       {0.25021312296533332, 0.20412935229379994, -0.38294211275726192},
       {1, 1, 0}}};
  static constexpr std::array<std::array<double, 3>, 3> T_inverse{
      {{4.17871859155190428, 0.32768282076106237, 0.52337644549944951},
       {-4.17871859155190428, -0.32768282076106237, 0.47662355450055044},
       {0.50287263494578682, -2.57192694985560522, 0.59603920482822492}}};

  /// The error of the embedded method of order 3 is (gamma/h - f_u)^-1 (f(u_0) + sum error_i Z_i / h).
  static constexpr std::array<double, 3> error{(-13 - 7 * root_6) / 3, (-13 + 7 * root_6) / 3, -1.0 / 3};
  /// Polynomial through u_0 and the stages u_0 + Z_i: u_0 + sum_i Z_i (dense_i0 s + dense_i1 s^2 + dense_i2 s^3).
  static constexpr std::array<std::array<double, 3>, 3> dense{
      {{13.0 / 3 + 7 * root_6 / 3, -23.0 / 3 - 22 * root_6 / 3, 10.0 / 3 + 5 * root_6},
       {13.0 / 3 - 7 * root_6 / 3, -23.0 / 3 + 22 * root_6 / 3, 10.0 / 3 - 5 * root_6},
       {1.0 / 3, -8.0 / 3, 10.0 / 3}}};
};

}  // namespace herglotz::integrate
