#include "derive/energy_source.hpp"
#include "generator.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "shorten/readable.hpp"

namespace herglotz::mechanics {

using symbolic::gradient;

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
  auto bracket = e.c.nonzero().begin();
  for (std::size_t k = 0; k < e.r(); ++k) {
    Expr fibre = system.graph().number(std::int64_t{0});
    for (std::size_t i = 0; i < e.n(); ++i) fibre += q.x_dot[i] * derivative(s[k], e.x[i]);
    for (; bracket != e.c.nonzero().end() && bracket->first[0] == k; ++bracket)
      fibre += bracket->second * q.y[bracket->first[1]] * s[bracket->first[2]];
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
  return {"energy", q.energy, larger_of(system, terms), energy_source(system, q, d), LawKind::energy};
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

/// Returns g at p = dL/dy.
std::vector<Expr> at_momenta(const System& system, const Equations& q, std::vector<Expr> g) {
  for (Expr& value : g) value = symbolic::expand_lets(value);
  return symbolic::substitute(g, system.p, q.p);
}

/// Returns the law df/dt = L_z f + {E, f} + f_t + f_p (F + constraint forces).
BalanceLaw dissipated_law(const System& system, const Equations& q, const Generator& d, const Dissipated& f) {
  std::vector<Expr> all{f.value, derivative(f.value, system.t)};
  const auto f_p = gradient(f.value, system.p);
  all.insert(all.end(), f_p.begin(), f_p.end());
  all = at_momenta(system, q, all);
  const std::vector<Expr> slopes(all.begin() + 2, all.end());
  Expr source = bracket_with_energy(system, q, f) + all[1] + constraint_power(system, q, slopes);
  for (std::size_t a = 0; a < system.r(); ++a) source += d.F[a] * slopes[a];
  if (symbolic::simplify(symbolic::expand(source)).is_zero()) source = system.graph().number(std::int64_t{0});
  return {f.name, all.front(), larger_of(system, summands(all.front())), source, LawKind::dissipated};
}

}  // namespace

std::array<std::string, 3> law_columns(LawKind kind, std::string_view name) {
  if (kind == LawKind::energy) return {"energy", "energy_invariant", "energy_residual"};
  const std::string stem = kind == LawKind::momentum ? "momentum" : "dissipated";
  const std::string of = "." + std::string(name);
  return {stem + of, stem + "_invariant" + of, stem + "_residual" + of};
}

Expr bracket_with_energy(const System& system, const Equations& q, const Dissipated& f) {
  const Generator d = generator_of(system);
  std::vector<Expr> parts{f.value, derivative(f.value, system.z)};
  for (const auto* variables : {&system.p, &system.algebroid.x}) {
    const auto slopes = gradient(f.value, *variables);
    parts.insert(parts.end(), slopes.begin(), slopes.end());
  }
  parts = at_momenta(system, q, parts);
  const auto f_p = parts.begin() + 2;
  const auto f_x = f_p + static_cast<std::ptrdiff_t>(system.r());
  Expr total = parts[1] * q.L - q.L_z * parts[0];
  for (std::size_t a = 0; a < system.r(); ++a) {
    const Expr slope = *(f_p + static_cast<std::ptrdiff_t>(a));
    total += slope * (q.f[a] - d.F[a] + q.L_z * q.p[a]);
  }
  for (std::size_t i = 0; i < system.n(); ++i) total += *(f_x + static_cast<std::ptrdiff_t>(i)) * q.x_dot[i];
  return total;
}

Expr complete_lift_derivative(const System& system, const Equations& equations, const Symmetry& symmetry) {
  return lifted(system, equations, generator_of(system), symmetry.section);
}

std::vector<BalanceLaw> balance_laws(const System& system, const Equations& equations) {
  const Generator d = generator_of(system, Written::for_runs, WithHessian::no);
  std::vector<BalanceLaw> laws{energy_law(system, equations, d)};
  for (const Symmetry& symmetry : system.symmetries) laws.push_back(momentum_law(system, equations, d, symmetry));
  for (const Dissipated& f : system.dissipated) laws.push_back(dissipated_law(system, equations, d, f));
  return laws;
}

}  // namespace herglotz::mechanics
