#include "integration.hpp"

#include <stdexcept>
#include <string>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::geometry {
namespace {

bool vanishes(Expr f) {
  return f.is_zero() || symbolic::simplify(symbolic::expand(symbolic::expand_lets(f))).is_zero();
}

/// Skew, a bracket homomorphism of anchors, and the Jacobi identity, for constant structure functions.
bool is_lie(const Algebroid& e) {
  const std::size_t r = e.r();
  const Expr zero = e.graph->number(0);
  if (e.rho.entries != e.sigma.entries) return false;
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j < r; ++j) {
      for (std::size_t k = 0; k < r; ++k) {
        if (!vanishes(e.c(k, i, j) + e.c(k, j, i))) return false;
        for (std::size_t l = 0; l < r; ++l) {
          Expr jacobi = zero;
          for (std::size_t m = 0; m < r; ++m)
            jacobi += e.c(m, i, j) * e.c(l, m, k) + e.c(m, j, k) * e.c(l, m, i) + e.c(m, k, i) * e.c(l, m, j);
          if (!vanishes(jacobi)) return false;
        }
      }
      for (std::size_t a = 0; a < e.n(); ++a) {
        Expr defect = zero;
        for (std::size_t b = 0; b < e.n(); ++b)
          defect += e.rho(b, i) * derivative(e.rho(a, j), e.x[b]) - e.rho(b, j) * derivative(e.rho(a, i), e.x[b]);
        for (std::size_t k = 0; k < r; ++k) defect -= e.c(k, i, j) * e.rho(a, k);
        if (!vanishes(defect)) return false;
      }
    }
  }
  return true;
}

}  // namespace

bool is_constant(const StructureFunctions& c, const std::vector<Expr>& x) {
  for (std::size_t k = 0; k < c.rank(); ++k)
    for (std::size_t i = 0; i < c.rank(); ++i)
      for (std::size_t j = 0; j < c.rank(); ++j)
        for (const Expr& coordinate : x)
          if (symbolic::depends_on(c(k, i, j), coordinate)) return false;
  return true;
}

std::vector<GroupFactor> single_factor(std::string_view group, std::size_t size) {
  if (group.empty()) return {};
  return {{std::string(group), 0, size}};
}

Integration as_it_stands(const Algebroid& algebroid, std::vector<GroupFactor> factors) {
  return {symbolic::identity(*algebroid.graph, algebroid.r()), algebroid.c, algebroid.rho, std::move(factors)};
}

std::optional<Integration> integrate_if_lie(const Algebroid& algebroid) {
  if (!is_constant(algebroid.c, algebroid.x) || !is_lie(algebroid)) return std::nullopt;
  return as_it_stands(algebroid, {});
}

}  // namespace herglotz::geometry
