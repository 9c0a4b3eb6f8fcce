#include <array>
#include <map>
#include <string>

#include "generator.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/derivation.hpp"
#include "herglotz/mechanics/readable_equations.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {
namespace {

void check_shapes(const System& system) {
  const auto expect = [&](const char* what, std::size_t expected, std::size_t got) {
    if (expected != got)
      throw Refused(std::string(what) + ": expected " + std::to_string(expected) + ", got " + std::to_string(got));
  };
  expect("force components", system.r(), system.forces.size());
  expect("momentum symbols", system.r(), system.p.size());
  for (const Symmetry& symmetry : system.symmetries)
    expect(("components of the symmetry '" + symmetry.name + "'").c_str(), system.r(), symmetry.section.size());
  if (!system.generator.valid()) throw Refused("generator: expected a Lagrangian or a Hamiltonian, got none");
}

/// Returns c^k_ij y^i p_k + sigma^a_j dL/dx^a + F_j.
std::vector<Expr> generalised_forces(const System& system, const Generator& g) {
  const auto& e = system.algebroid;
  using Factors = std::array<std::size_t, 2>;  // (i, k)
  std::vector<std::map<Factors, Expr>> brackets(e.r());
  for (const auto& [place, value] : e.c.nonzero()) brackets[place[2]].emplace(Factors{place[1], place[0]}, value);
  std::vector<Expr> f;
  for (std::size_t j = 0; j < e.r(); ++j) {
    std::vector<Expr> terms;
    for (const auto& [factors, value] : brackets[j]) terms.push_back(value * g.y[factors[0]] * g.p[factors[1]]);
    for (std::size_t a = 0; a < e.n(); ++a)
      if (!e.sigma(a, j).is_zero()) terms.push_back(e.sigma(a, j) * g.L_x[a]);
    terms.push_back(g.F[j]);
    f.push_back(system.graph().add(terms));
  }
  return f;
}

/// Computes df/d(x, z, t) along (x_dot, L, 1) in one sweep: df/dt without its terms in dw/dt and dl/dt.
std::vector<Expr> drift(const System& system, const Equations& q, const std::vector<Expr>& f) {
  std::vector<Expr> along = system.algebroid.x;
  along.insert(along.end(), {system.z, system.t});
  std::vector<Expr> rate = q.x_dot;
  rate.insert(rate.end(), {q.L, system.graph().number(std::int64_t{1})});
  return symbolic::directional_derivative(f, along, rate);
}

Equations equations_of(const System& system, Written written) {
  check_shapes(system);
  begin_derivation(system);
  Generator g = generator_of(system, written);
  Equations q;
  q.f = generalised_forces(system, g);
  q.energy = system.formulation == Formulation::hamiltonian && system.constraints.rule != Rule::vakonomic
                 ? system.generator
                 : paired(system, g.p, g.y) - g.L;
  q.rule = system.constraints.rule;
  q.y = std::move(g.y);
  q.x_dot = std::move(g.x_dot);
  q.p = std::move(g.p);
  q.L = g.L;
  q.L_z = g.L_z;
  q.W = std::move(g.W);
  q.l = std::move(g.l);
  q.phi = std::move(g.phi);
  q.Phi = std::move(g.Phi);
  q.Phi_y = std::move(g.Phi_y);
  q.Phi_w = std::move(g.Phi_w);
  q.equation = std::move(g.equation);
  q.beta = drift(system, q, q.Phi);
  const auto mixed = drift(system, q, q.p);
  for (std::size_t j = 0; j < system.r(); ++j) q.b.push_back(q.f[j] + q.L_z * q.p[j] - mixed[j]);
  q.u = system.algebroid.x;
  q.u.insert(q.u.end(), system.w().begin(), system.w().end());
  q.u.insert(q.u.end(), {system.z, system.t});
  return q;
}

}  // namespace

Equations derive(const System& system) {
  return equations_of(system, Written::for_runs);
}

Equations readable_equations(const System& system) {
  return equations_of(system, Written::for_readers);
}

}  // namespace herglotz::mechanics
