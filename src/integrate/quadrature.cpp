#include "quadrature.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

namespace herglotz::integrate {
namespace {

constexpr int most_nodes = 16;

/// P_n, P_n' and P_n'' at x in (-1, 1).
struct Legendre {
  long double value = 1;
  long double slope = 0;
  long double bend = 0;

  Legendre(int n, long double x) {
    long double before = 0;
    for (int k = 0; k < n; ++k) {
      const long double next = ((2 * k + 1) * x * value - k * before) / (k + 1);
      before = value;
      value = next;
    }
    slope = n * (before - x * value) / (1 - x * x);
    bend = (2 * x * slope - n * (n + 1) * value) / (1 - x * x);
  }
};

long double newton(long double x, long double (*correction)(const Legendre&), int n) {
  for (int k = 0; k < 100; ++k) {
    const long double update = correction(Legendre(n, x));
    x -= update;
    if (std::abs(update) < 1e-20L) break;
  }
  return x;
}

/// Products of (x - c_k) over the other nodes as coefficients, integrated from 0 to `end` by Horner's rule.
long double integral_of_lagrange(const std::vector<long double>& c, std::size_t j, long double end) {
  std::vector<long double> polynomial{1};
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (k == j) continue;
    const long double scale = 1 / (c[j] - c[k]);
    std::vector<long double> product(polynomial.size() + 1, 0);
    for (std::size_t d = 0; d < polynomial.size(); ++d) {
      product[d + 1] += polynomial[d] * scale;
      product[d] -= polynomial[d] * c[k] * scale;
    }
    polynomial = std::move(product);
  }
  long double value = 0;
  for (std::size_t d = polynomial.size(); d-- > 0;)
    value = value * end + polynomial[d] / static_cast<long double>(d + 1);
  return value * end;
}

Quadrature collocation(std::vector<long double> c) {
  Quadrature made;
  made.c = std::move(c);
  for (std::size_t j = 0; j < made.c.size(); ++j) made.b.push_back(integral_of_lagrange(made.c, j, 1));
  for (const long double end : made.c) {
    std::vector<long double> row;
    for (std::size_t j = 0; j < made.c.size(); ++j) row.push_back(integral_of_lagrange(made.c, j, end));
    made.A.push_back(std::move(row));
  }
  return made;
}

void require_nodes(int nodes, int least) {
  if (nodes < least || nodes > most_nodes)
    throw std::invalid_argument("a quadrature has between " + std::to_string(least) + " and " +
                                std::to_string(most_nodes) + " nodes, not " + std::to_string(nodes));
}

}  // namespace

Quadrature gauss_quadrature(int nodes) {
  require_nodes(nodes, 1);
  std::vector<long double> c(static_cast<std::size_t>(nodes), 0.5L);
  for (int k = 0; k < nodes / 2; ++k) {
    const long double guess = std::cos(std::numbers::pi_v<long double> * (4 * k + 3) / (4 * nodes + 2));
    const long double root = newton(guess, [](const Legendre& p) { return p.value / p.slope; }, nodes);
    c[static_cast<std::size_t>(k)] = (1 - root) / 2;
    c[static_cast<std::size_t>(nodes - 1 - k)] = (1 + root) / 2;
  }
  return collocation(std::move(c));
}

Quadrature lobatto_quadrature(int nodes) {
  require_nodes(nodes, 2);
  const int degree = nodes - 1;
  std::vector<long double> c(static_cast<std::size_t>(nodes), 0.5L);
  c.front() = 0;
  c.back() = 1;
  for (int k = 1; k < nodes / 2; ++k) {
    const long double guess = std::cos(std::numbers::pi_v<long double> * k / degree);
    const long double root = newton(guess, [](const Legendre& p) { return p.slope / p.bend; }, degree);
    c[static_cast<std::size_t>(k)] = (1 - root) / 2;
    c[static_cast<std::size_t>(nodes - 1 - k)] = (1 + root) / 2;
  }
  return collocation(std::move(c));
}

}  // namespace herglotz::integrate
