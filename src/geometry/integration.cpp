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

/// Returns true if rho = sigma and rho[e_i, e_j] = [rho e_i, rho e_j].
bool is_anchored(const Algebroid& e) {
  if (e.rho.entries != e.sigma.entries) return false;
  for (std::size_t i = 0; i < e.r(); ++i) {
    for (std::size_t j = 0; j < e.r(); ++j) {
      for (std::size_t a = 0; a < e.n(); ++a) {
        Expr defect = e.graph->number(0);
        for (std::size_t b = 0; b < e.n(); ++b)
          defect += e.rho(b, i) * derivative(e.rho(a, j), e.x[b]) - e.rho(b, j) * derivative(e.rho(a, i), e.x[b]);
        for (std::size_t k = 0; k < e.r(); ++k) defect -= e.c(k, i, j) * e.rho(a, k);
        if (!vanishes(defect)) return false;
      }
    }
  }
  return true;
}

}  // namespace

bool is_lie_algebra(const StructureFunctions& c, const std::vector<Expr>& x) {
  const std::size_t r = c.rank();
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j < r; ++j) {
      for (std::size_t k = 0; k < r; ++k) {
        for (const Expr& coordinate : x)
          if (symbolic::depends_on(c(k, i, j), coordinate)) return false;
        if (!vanishes(c(k, i, j) + c(k, j, i))) return false;
        for (std::size_t l = 0; l < r; ++l) {
          Expr jacobi = c(k, i, j).graph().number(0);
          for (std::size_t m = 0; m < r; ++m)
            jacobi += c(m, i, j) * c(l, m, k) + c(m, j, k) * c(l, m, i) + c(m, k, i) * c(l, m, j);
          if (!vanishes(jacobi)) return false;
        }
      }
    }
  }
  return true;
}

std::vector<GroupFactor> single_factor(std::string_view group, std::size_t size) {
  if (group.empty()) return {};
  return {{std::string(group), 0, size}};
}

Integration as_it_stands(const Algebroid& algebroid, std::vector<GroupFactor> factors) {
  return {symbolic::identity(*algebroid.graph, algebroid.r()), algebroid.c, algebroid.rho, std::move(factors)};
}

std::optional<Integration> integrate_if_lie(const Algebroid& algebroid, std::vector<GroupFactor> factors) {
  if (!is_lie_algebra(algebroid.c, algebroid.x) || !is_anchored(algebroid)) return std::nullopt;
  return as_it_stands(algebroid, std::move(factors));
}

}  // namespace herglotz::geometry
