#include "herglotz/mechanics/equations.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Op;

/// The partial derivatives of L in (x, t) at fixed velocities, and the forces, as functions of u. For a Hamiltonian
/// dL/dx = -dH/dx and dL/dt = -dH/dt where the velocities and momenta are Legendre related.
struct Partials {
  std::vector<Expr> L_x;
  Expr L_t;
  std::vector<Expr> F;
};

Partials partials(const System& system, const Equations& equations) {
  const auto& e = system.algebroid;
  const bool lagrangian = system.formulation == Formulation::lagrangian;
  Partials d{symbolic::gradient(system.generator, e.x), derivative(system.generator, system.t), system.forces};
  if (lagrangian) return d;
  for (Expr& component : d.L_x) component = -component;
  d.L_t = -d.L_t;
  for (Expr& force : d.F) force = symbolic::substitute(symbolic::expand_lets(force), e.y, equations.y);
  return d;
}

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

/// The terms whose sum f is, through named definitions and constant factors of sums.
std::vector<Expr> summands(Expr f) {
  std::vector<Expr> leaves;
  std::vector<std::pair<Expr, Expr>> open{{f.graph().number(std::int64_t{1}), f}};  // factor, expression
  while (!open.empty()) {
    const auto [factor, g] = open.back();
    open.pop_back();
    if (g.op() == Op::let) {
      open.emplace_back(factor, g.child(0));
    } else if (g.op() == Op::add) {
      for (std::size_t i = g.arity(); i-- > 0;) open.emplace_back(factor, g.child(i));
    } else if (g.op() == Op::mul && g.arity() == 2 && g.child(0).is_number()) {
      open.emplace_back(factor * g.child(0), g.child(1));
    } else {
      leaves.push_back(factor * g);
    }
  }
  return leaves;
}

/// F_a y^a - dL/dt + c^k_ij y^i y^j p_k + (sigma - rho)^a_j y^j dL/dx^a. [ASC25, Prop. 4.1].
Expr energy_source(const System& system, const Equations& q, const Partials& d) {
  const auto& e = system.algebroid;
  Expr source = -d.L_t;
  for (std::size_t a = 0; a < e.r(); ++a) source += d.F[a] * q.y[a];
  for (std::size_t k = 0; k < e.r(); ++k)
    for (std::size_t i = 0; i < e.r(); ++i) {
      source += e.c(k, i, i) * q.y[i] * q.y[i] * q.p[k];
      for (std::size_t j = i + 1; j < e.r(); ++j) source += (e.c(k, i, j) + e.c(k, j, i)) * q.y[i] * q.y[j] * q.p[k];
    }
  for (std::size_t a = 0; a < e.n(); ++a)
    for (std::size_t j = 0; j < e.r(); ++j) source += (e.sigma(a, j) - e.rho(a, j)) * q.y[j] * d.L_x[a];
  return source;
}

/// sigma^i_a s^a dL/dx^i + (rho^i_b y^b ds^k/dx^i + c^k_ij y^i s^j) p_k: on a Lie algebroid the complete lift of s
/// applied to L. [ASC25, Eq. 22].
Expr lifted(const System& system, const Equations& q, const Partials& d, const std::vector<Expr>& s) {
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

BalanceLaw energy_law(const System& system, const Equations& q, const Partials& d) {
  std::vector<Expr> products;
  for (std::size_t a = 0; a < system.r(); ++a) products.push_back(q.p[a] * q.y[a]);
  const Expr kinetic = products.empty() ? system.graph().number(std::int64_t{0}) : symbolic::sum(products);
  // Where the terms of L cancel, as at rest, it is they that bound what rounding leaves of E.
  std::vector<Expr> terms{kinetic};
  for (const Expr& term : summands(system.generator)) terms.push_back(term);
  if (system.formulation == Formulation::hamiltonian) terms.push_back(q.L);
  return {"energy", q.energy, larger_of(system, terms), energy_source(system, q, d)};
}

BalanceLaw momentum_law(const System& system, const Equations& q, const Partials& d, const Symmetry& symmetry) {
  const auto& s = symmetry.section;
  std::vector<Expr> terms;
  Expr quantity = system.graph().number(std::int64_t{0});
  Expr source = lifted(system, q, d, s);
  for (std::size_t a = 0; a < system.r(); ++a) {
    terms.push_back(q.p[a] * s[a]);
    quantity += terms.back();
    source += d.F[a] * s[a];
  }
  return {symmetry.name, quantity, larger_of(system, terms), source};
}

}  // namespace

Expr complete_lift_derivative(const System& system, const Equations& equations, const Symmetry& symmetry) {
  return lifted(system, equations, partials(system, equations), symmetry.section);
}

std::vector<BalanceLaw> balance_laws(const System& system, const Equations& equations) {
  const Partials d = partials(system, equations);
  std::vector<BalanceLaw> laws{energy_law(system, equations, d)};
  for (const Symmetry& symmetry : system.symmetries) laws.push_back(momentum_law(system, equations, d, symmetry));
  return laws;
}

}  // namespace herglotz::mechanics
