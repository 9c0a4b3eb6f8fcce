#include "herglotz/kernel/quadrature.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "herglotz/error.hpp"

namespace herglotz::kernel {
namespace {

constexpr int most_nodes = 16;

/// Values of P_n, P_{n-1}, P_n' and P_n'' at x in (-1, 1).
struct Legendre {
  long double value = 1;
  long double before = 0;
  long double slope = 0;
  long double bend = 0;

  Legendre(int n, long double x) {
    for (int k = 0; k < n; ++k) {
      const long double next = ((2 * k + 1) * x * value - k * before) / (k + 1);
      before = value;
      value = next;
    }
    slope = n * (before - x * value) / (1 - x * x);
    bend = (2 * x * slope - n * (n + 1) * value) / (1 - x * x);
  }
};

long double newton(long double x, long double (*correction)(const Legendre&, long double, int), int n) {
  for (int k = 0; k < 100; ++k) {
    const long double update = correction(Legendre(n, x), x, n);
    x -= update;
    if (std::abs(update) < 1e-20L) break;
  }
  return x;
}

/// Newton's corrections for the roots of P_n, of P_n', and of P_n - P_{n-1}, whose slope is n (P_n + P_{n-1})/(1 + x).
long double of_value(const Legendre& p, long double, int) {
  return p.value / p.slope;
}
long double of_slope(const Legendre& p, long double, int) {
  return p.slope / p.bend;
}
long double of_difference(const Legendre& p, long double x, int n) {
  return (p.value - p.before) * (1 + x) / (static_cast<long double>(n) * (p.value + p.before));
}

/// Nodes and weights 1/((1 - x^2) P_n'(x)^2) at the roots x of P_n.
struct Nodes {
  std::vector<long double> c;
  std::vector<long double> b;
};

Nodes gauss_nodes(int nodes) {
  const auto n = static_cast<std::size_t>(nodes);
  Nodes made{std::vector<long double>(n, 0.5L), std::vector<long double>(n)};
  for (int k = 0; k < (nodes + 1) / 2; ++k) {
    const bool middle = 2 * k + 1 == nodes;
    const long double guess = std::cos(std::numbers::pi_v<long double> * (4 * k + 3) / (4 * nodes + 2));
    const long double root = middle ? 0 : newton(guess, of_value, nodes);
    const long double slope = Legendre(nodes, root).slope;
    const auto left = static_cast<std::size_t>(k);
    const std::size_t right = n - 1 - left;
    made.c[left] = (1 - root) / 2;
    made.c[right] = (1 + root) / 2;
    made.b[left] = made.b[right] = 1 / ((1 - root * root) * slope * slope);
  }
  return made;
}

/// Computes int_0^end l_j by Gauss quadrature of products, which is exact and well conditioned for any number of nodes.
long double integral_of_lagrange(const std::vector<long double>& c, std::size_t j, long double end,
                                 const Nodes& exact) {
  long double sum = 0;
  for (std::size_t i = 0; i < exact.c.size(); ++i) {
    long double value = exact.b[i];
    for (std::size_t k = 0; k < c.size(); ++k)
      if (k != j) value *= (end * exact.c[i] - c[k]) / (c[j] - c[k]);
    sum += value;
  }
  return sum * end;
}

Quadrature collocation(std::vector<long double> c) {
  const Nodes exact = gauss_nodes(static_cast<int>(c.size() + 1) / 2);
  Quadrature made;
  made.c = std::move(c);
  for (std::size_t j = 0; j < made.c.size(); ++j) made.b.push_back(integral_of_lagrange(made.c, j, 1, exact));
  for (const long double end : made.c) {
    std::vector<long double> row;
    for (std::size_t j = 0; j < made.c.size(); ++j) row.push_back(integral_of_lagrange(made.c, j, end, exact));
    made.A.push_back(std::move(row));
  }
  return made;
}

void require_nodes(int nodes, int least) {
  if (nodes < least || nodes > most_nodes)
    throw Refused("a quadrature has between " + std::to_string(least) + " and " + std::to_string(most_nodes) +
                  " nodes, not " + std::to_string(nodes));
}

}  // namespace

Quadrature gauss_quadrature(int nodes) {
  require_nodes(nodes, 1);
  return collocation(gauss_nodes(nodes).c);
}

Quadrature lobatto_quadrature(int nodes) {
  require_nodes(nodes, 2);
  const int degree = nodes - 1;
  std::vector<long double> c(static_cast<std::size_t>(nodes), 0.5L);
  c.front() = 0;
  c.back() = 1;
  for (int k = 1; k < nodes / 2; ++k) {
    const long double guess = std::cos(std::numbers::pi_v<long double> * k / degree);
    const long double root = newton(guess, of_slope, degree);
    c[static_cast<std::size_t>(k)] = (1 - root) / 2;
    c[static_cast<std::size_t>(nodes - 1 - k)] = (1 + root) / 2;
  }
  return collocation(std::move(c));
}

Quadrature radau_quadrature(int nodes) {
  require_nodes(nodes, 1);
  std::vector<long double> c(static_cast<std::size_t>(nodes), 1.0L);
  for (int k = 1; k < nodes; ++k) {
    const long double guess = std::cos(2 * std::numbers::pi_v<long double> * k / (2 * nodes - 1));
    c[static_cast<std::size_t>(nodes - 1 - k)] = (1 + newton(guess, of_difference, nodes)) / 2;
  }
  return collocation(std::move(c));
}

}  // namespace herglotz::kernel
