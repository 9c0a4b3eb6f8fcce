#include "collocation.hpp"

#include <Eigen/LU>
#include <cmath>
#include <numbers>

namespace herglotz::solve {
namespace {

/// Returns the Legendre polynomial of degree n and its derivative at x.
std::pair<double, double> legendre(std::size_t n, double x) {
  double before = 1;
  double value = x;
  for (std::size_t k = 2; k <= n; ++k) {
    const auto degree = static_cast<double>(k);
    const double next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
    before = value;
    value = next;
  }
  return {value, static_cast<double>(n) * (x * value - before) / (x * x - 1)};
}

}  // namespace

std::vector<double> interpolation(std::span<const double> nodes, double x) {
  std::vector<double> weights(nodes.size(), 1.0);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = 0; j < nodes.size(); ++j)
      if (i != j) weights[i] *= (x - nodes[j]) / (nodes[i] - nodes[j]);
  return weights;
}

Collocation::Collocation(std::size_t stages) {
  const auto s = static_cast<Eigen::Index>(stages);
  c.resize(s);
  b.resize(s);
  A.resize(s, s);
  for (Eigen::Index i = 0; i < s; ++i) {
    double x = -std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(s) + 0.5));
    if (2 * i + 1 == s) x = 0;
    for (int k = 0; k < 20; ++k) {
      const auto [value, slope] = legendre(stages, x);
      x -= value / slope;
    }
    const double slope = legendre(stages, x).second;
    c[i] = (1 + x) / 2;
    b[i] = 1 / ((1 - x * x) * slope * slope);
  }
  const std::span<const double> nodes(c.data(), stages);
  for (Eigen::Index i = 0; i < s; ++i) {
    A.row(i).setZero();
    for (Eigen::Index k = 0; k < s; ++k) {
      const auto weights = interpolation(nodes, c[i] * c[k]);
      for (Eigen::Index j = 0; j < s; ++j) A(i, j) += c[i] * b[k] * weights[static_cast<std::size_t>(j)];
    }
  }
  D = A.inverse();
  d = D.transpose() * b;
}

}  // namespace herglotz::solve
