#include "gauss_nodes.hpp"

#include <cmath>
#include <numbers>

namespace herglotz::simulate {
namespace {

constexpr std::size_t s = GaussNodes::count;

/// Returns the value and the derivative of the Legendre polynomial of degree s.
std::array<double, 2> legendre(double x) {
  double before = 1;
  double value = x;
  for (std::size_t k = 2; k <= s; ++k) {
    const auto degree = static_cast<double>(k);
    const double next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
    before = value;
    value = next;
  }
  return {value, static_cast<double>(s) * (x * value - before) / (x * x - 1)};
}

}  // namespace

GaussNodes gauss_nodes() {
  GaussNodes gauss;
  for (std::size_t i = 0; i < s; ++i) {
    double x = -std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(s) + 0.5));
    for (int iteration = 0; iteration < 20; ++iteration) {
      const auto [value, slope] = legendre(x);
      x -= value / slope;
    }
    const double slope = legendre(x)[1];
    gauss.c[i] = (1 + x) / 2;
    gauss.b[i] = 1 / ((1 - x * x) * slope * slope);
  }
  // a_ij is the integral from 0 to c_i of the j-th Lagrange polynomial, which the nodes themselves integrate exactly.
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j)
      for (std::size_t k = 0; k < s; ++k) {
        const double at = gauss.c[i] * gauss.c[k];
        double polynomial = 1;
        for (std::size_t m = 0; m < s; ++m)
          if (m != j) polynomial *= (at - gauss.c[m]) / (gauss.c[j] - gauss.c[m]);
        gauss.a[i][j] += gauss.c[i] * gauss.b[k] * polynomial;
      }
  return gauss;
}

}  // namespace herglotz::simulate
