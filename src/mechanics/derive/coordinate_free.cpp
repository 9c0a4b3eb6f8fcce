#include "herglotz/mechanics/coordinate_free.hpp"

#include "generator.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {
namespace {

/// Returns Gamma^b_ia y^a.
Expr transport(const System& system, const geometry::Connection& gamma, std::size_t b, std::size_t i) {
  Expr total = system.graph().number(std::int64_t{0});
  for (std::size_t a = 0; a < system.r(); ++a) total += gamma(b, i, a) * system.algebroid.y[a];
  return total;
}

/// Returns dL/dx^i along the horizontal lift of d/dx^i, on which dy^b = -Gamma^b_ia y^a.
std::vector<Expr> horizontal_part(const System& system, const geometry::Connection& gamma, std::vector<Expr> part,
                                  const std::vector<Expr>& p) {
  for (std::size_t i = 0; i < system.n(); ++i)
    for (std::size_t b = 0; b < system.r(); ++b) part[i] -= transport(system, gamma, b, i) * p[b];
  return part;
}

/// Returns p_k (nabla-bar_y e_j)^k.
Expr adjoint_term(const System& system, const geometry::Connection& gamma, const std::vector<Expr>& p, std::size_t j) {
  const auto& e = system.algebroid;
  Expr total = system.graph().number(std::int64_t{0});
  for (std::size_t k = 0; k < e.r(); ++k) {
    Expr component = system.graph().number(std::int64_t{0});
    for (std::size_t i = 0; i < e.n(); ++i) component += e.sigma(i, j) * transport(system, gamma, k, i);
    for (std::size_t i = 0; i < e.r(); ++i)
      if (!e.c(k, i, j).is_zero()) component += e.c(k, i, j) * e.y[i];
    total += component * p[k];
  }
  return total;
}

/// Returns sigma^i_j part_i.
std::vector<Expr> pulled_back(const System& system, const std::vector<Expr>& part) {
  std::vector<Expr> pulled(system.r(), system.graph().number(std::int64_t{0}));
  for (std::size_t j = 0; j < system.r(); ++j)
    for (std::size_t i = 0; i < system.n(); ++i) pulled[j] += system.algebroid.sigma(i, j) * part[i];
  return pulled;
}

void require_lagrangian(const System& system) {
  if (system.formulation != Formulation::lagrangian)
    throw Refused("coordinate-free equations: expected a Lagrangian system, got a Hamiltonian one");
}

}  // namespace

Equations derive_with_connection(const System& system, const geometry::Connection& connection) {
  require_lagrangian(system);
  Equations q = derive(system);
  const auto pulled = pulled_back(system, horizontal_part(system, connection, generator_of(system).L_x, q.p));
  for (std::size_t j = 0; j < system.r(); ++j) {
    const Expr before = q.f[j];
    const Expr f = adjoint_term(system, connection, q.p, j) + system.forces[j] + pulled[j];
    q.f[j] = f;
    q.b[j] += f - before;
  }
  return q;
}

ConnectionTerms connection_terms(const System& system, const geometry::Connection& connection,
                                 const std::vector<Expr>& y_dot, const std::vector<Expr>& nu_dot) {
  require_lagrangian(system);
  const Generator g = generator_of(system);
  std::vector<Expr> variables = system.algebroid.x;
  std::vector<Expr> rates = g.x_dot;
  variables.insert(variables.end(), system.algebroid.y.begin(), system.algebroid.y.end());
  rates.insert(rates.end(), y_dot.begin(), y_dot.end());
  const auto& nu = system.constraints.multipliers;
  variables.insert(variables.end(), nu.begin(), nu.begin() + static_cast<std::ptrdiff_t>(nu_dot.size()));
  rates.insert(rates.end(), nu_dot.begin(), nu_dot.end());
  variables.insert(variables.end(), {system.z, system.t});
  rates.insert(rates.end(), {g.L, system.graph().number(std::int64_t{1})});
  ConnectionTerms terms;
  terms.vertical = g.p;
  terms.horizontal = horizontal_part(system, connection, g.L_x, g.p);
  terms.dual = symbolic::directional_derivative(g.p, variables, rates);
  terms.pulled_back = pulled_back(system, terms.horizontal);
  for (std::size_t j = 0; j < system.r(); ++j) {
    terms.dual[j] -= adjoint_term(system, connection, g.p, j);
    terms.action.push_back(g.L_z * g.p[j]);
  }
  terms.forces = g.F;
  return terms;
}

}  // namespace herglotz::mechanics
