#include "variational/galerkin_polynomials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/kernel/quadrature.hpp"

namespace herglotz::integrate {
namespace {

/// Returns l_nu and l'_nu of the points d at x.
std::pair<double, double> lagrange(const std::vector<long double>& d, std::size_t nu, long double x) {
  long double value = 1;
  long double slope = 0;
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (k == nu) continue;
    const long double scale = 1 / (d[nu] - d[k]);
    slope = slope * (x - d[k]) * scale + value * scale;
    value *= (x - d[k]) * scale;
  }
  return {static_cast<double>(value), static_cast<double>(slope)};
}

void require_fit(const GalerkinRule& rule) {
  const std::size_t nodes = rule.c.size();
  const bool square = rule.b.size() == nodes && rule.A.size() == nodes &&
                      std::all_of(rule.A.begin(), rule.A.end(), [&](const auto& row) { return row.size() == nodes; });
  if (rule.degree >= 1 && nodes >= rule.degree && square) return;
  throw Refused(
      fmt::format(
          "a Galerkin rule of degree {} needs at least {} nodes c and as many weights b and rows and columns of A",
          rule.degree, std::max<std::size_t>(1, rule.degree)),
      fmt::format("it has {} nodes, {} weights and {} rows", nodes, rule.b.size(), rule.A.size()));
}

}  // namespace

GalerkinPolynomials::GalerkinPolynomials(const GalerkinRule& rule)
    : degree(rule.degree), nodes(rule.c.size()), c(rule.c), b(rule.b) {
  require_fit(rule);
  for (const auto& row : rule.A) A.insert(A.end(), row.begin(), row.end());
  const std::vector<long double> at = kernel::lobatto_quadrature(static_cast<int>(degree) + 1).c;
  points.assign(at.begin(), at.end());
  for (std::size_t j = 0; j < nodes; ++j) {
    for (std::size_t nu = 0; nu <= degree; ++nu) {
      const auto [value, slope] = lagrange(at, nu, c[j]);
      values.push_back(value);
      slopes.push_back(slope);
    }
  }
  for (std::size_t mu = 0; mu <= degree; ++mu) {
    for (std::size_t nu = 0; nu <= degree; ++nu) ahead.push_back(lagrange(at, nu, 1 + at[mu]).first);
    end_slopes.push_back(lagrange(at, mu, 1).second);
  }
}

}  // namespace herglotz::integrate
