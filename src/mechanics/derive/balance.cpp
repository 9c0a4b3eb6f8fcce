#include "derive/energy_source.hpp"
#include "generator.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "shorten/readable.hpp"

namespace herglotz::mechanics {
namespace {

Expr larger(Expr a, Expr b) {
  return a == b ? a : select(a, b, a, b);
}

Expr larger_of(const System& system, const std::vector<Expr>& terms) {
  Expr largest = system.graph().number(std::int64_t{0});
  bool first = true;
  for (const Expr& term : terms) {
    if (term.is_zero()) continue;
    largest = first ? abs(term) : larger(largest, abs(term));
    first = false;
  }
  return largest;
}

/// Returns F_a y^a - dL/dt + c^k_ij y^i y^j p_k + (sigma - rho)^a_j y^j dL/dx^a plus the power of the constraint
/// forces. [ASC25, Prop. 4.1]; with constraints [LLMR21, after Eq. 26].
Expr energy_source(const System& system, const Equations& q, const Generator& d) {
  Expr source = constraint_power(system, q, q.y) - d.L_t;
  for (std::size_t a = 0; a < system.r(); ++a) source += d.F[a] * q.y[a];
  add_bracket_power(source, system, q, d);
  return source;
}

/// Returns sigma^i_a s^a dL/dx^i + (rho^i_b y^b ds^k/dx^i + c^k_ij y^i s^j) p_k. On a Lie algebroid this is the
/// complete lift of s applied to L. [ASC25, Eq. 22].
Expr lifted(const System& system, const Equations& q, const Generator& d, const std::vector<Expr>& s) {
  const auto& e = system.algebroid;
  Expr total = system.graph().number(std::int64_t{0});
  for (std::size_t i = 0; i < e.n(); ++i)
    for (std::size_t a = 0; a < e.r(); ++a) total += e.sigma(i, a) * s[a] * d.L_x[i];
  for (std::size_t k = 0; k < e.r(); ++k) {
    Expr fibre = system.graph().number(std::int64_t{0});
    for (std::size_t i = 0; i < e.n(); ++i) fibre += q.x_dot[i] * derivative(s[k], e.x[i]);
    for (std::size_t i = 0; i < e.r(); ++i)
      for (std::size_t j = 0; j < e.r(); ++j) fibre += e.c(k, i, j) * q.y[i] * s[j];
    total += fibre * q.p[k];
  }
  return total;
}

BalanceLaw energy_law(const System& system, const Equations& q, const Generator& d) {
  std::vector<Expr> products;
  for (std::size_t a = 0; a < system.r(); ++a) products.push_back(q.p[a] * q.y[a]);
  const Expr kinetic = products.empty() ? system.graph().number(std::int64_t{0}) : symbolic::sum(products);
  // If the terms of L cancel, as they do at rest, the terms themselves bound the rounding error of E.
  std::vector<Expr> terms{kinetic};
  for (const Expr& term : summands(system.generator)) terms.push_back(term);
  if (system.formulation == Formulation::hamiltonian) terms.push_back(q.L);
  return {"energy", q.energy, larger_of(system, terms), energy_source(system, q, d)};
}

BalanceLaw momentum_law(const System& system, const Equations& q, const Generator& d, const Symmetry& symmetry) {
  const auto& s = symmetry.section;
  std::vector<Expr> terms;
  Expr quantity = system.graph().number(std::int64_t{0});
  Expr source = lifted(system, q, d, s) + constraint_power(system, q, s);
  for (std::size_t a = 0; a < system.r(); ++a) {
    terms.push_back(q.p[a] * s[a]);
    quantity += terms.back();
    source += d.F[a] * s[a];
  }
  return {symmetry.name, quantity, larger_of(system, terms), source};
}

}  // namespace

Expr complete_lift_derivative(const System& system, const Equations& equations, const Symmetry& symmetry) {
  return lifted(system, equations, generator_of(system), symmetry.section);
}

std::vector<BalanceLaw> balance_laws(const System& system, const Equations& equations) {
  const Generator d = generator_of(system);
  std::vector<BalanceLaw> laws{energy_law(system, equations, d)};
  for (const Symmetry& symmetry : system.symmetries) laws.push_back(momentum_law(system, equations, d, symmetry));
  return laws;
}

}  // namespace herglotz::mechanics
