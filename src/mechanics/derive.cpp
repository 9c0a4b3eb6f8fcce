#include <stdexcept>
#include <string>

#include "herglotz/mechanics/equations.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::gradient;

Expr zero(const System& system) {
  return system.graph().number(std::int64_t{0});
}

void check_shapes(const System& system) {
  const auto expect = [&](const char* what, std::size_t expected, std::size_t got) {
    if (expected != got)
      throw std::invalid_argument(std::string(what) + ": expected " + std::to_string(expected) + ", got " +
                                  std::to_string(got));
  };
  expect("force components", system.r(), system.forces.size());
  expect("momentum symbols", system.r(), system.p.size());
  for (const Symmetry& symmetry : system.symmetries)
    expect(("components of the symmetry '" + symmetry.name + "'").c_str(), system.r(), symmetry.section.size());
  if (!system.generator.valid())
    throw std::invalid_argument("generator: expected a Lagrangian or a Hamiltonian, got none");
}

/// rho^i_a y^a.
std::vector<Expr> anchored(const System& system, const std::vector<Expr>& y) {
  if (system.n() == 0) return {};
  return multiply(system.algebroid.rho, y);
}

/// c^k_ij y^i p_k + sigma^a_j dL/dx^a + F_j.
std::vector<Expr> generalised_forces(const System& system, const std::vector<Expr>& y, const std::vector<Expr>& p,
                                     const std::vector<Expr>& L_x, const std::vector<Expr>& F) {
  const auto& e = system.algebroid;
  std::vector<Expr> f;
  for (std::size_t j = 0; j < e.r(); ++j) {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < e.r(); ++i)
      for (std::size_t k = 0; k < e.r(); ++k)
        if (!e.c(k, i, j).is_zero()) terms.push_back(e.c(k, i, j) * y[i] * p[k]);
    for (std::size_t a = 0; a < e.n(); ++a)
      if (!e.sigma(a, j).is_zero()) terms.push_back(e.sigma(a, j) * L_x[a]);
    terms.push_back(F[j]);
    f.push_back(system.graph().add(terms));
  }
  return f;
}

Expr paired(const System& system, const std::vector<Expr>& p, const std::vector<Expr>& y) {
  Expr total = zero(system);
  for (std::size_t a = 0; a < p.size(); ++a) total += p[a] * y[a];
  return total;
}

Equations derive_lagrangian(const System& system) {
  const auto& e = system.algebroid;
  Equations q;
  q.y = e.y;
  q.L = system.generator;
  q.x_dot = anchored(system, q.y);
  q.p = gradient(q.L, e.y);
  q.L_z = derivative(q.L, system.z);
  q.f = generalised_forces(system, q.y, q.p, gradient(q.L, e.x), system.forces);
  q.W = symbolic::to_dense(system.graph(), symbolic::hessian(q.L, e.y));
  q.energy = paired(system, q.p, q.y) - q.L;

  // The mixed terms d2L/dy dx, d2L/dy dz, d2L/dy dt in one sweep along (x_dot, L, 1).
  std::vector<Expr> along = e.x;
  along.insert(along.end(), {system.z, system.t});
  std::vector<Expr> rate = q.x_dot;
  rate.insert(rate.end(), {q.L, system.graph().number(std::int64_t{1})});
  const auto mixed = symbolic::directional_derivative(q.p, along, rate);
  for (std::size_t j = 0; j < e.r(); ++j) q.b.push_back(q.f[j] + q.L_z * q.p[j] - mixed[j]);
  return q;
}

Equations derive_hamiltonian(const System& system) {
  const auto& e = system.algebroid;
  const Expr H = system.generator;
  Equations q;
  q.y = gradient(H, system.p);
  q.p = system.p;
  q.L = paired(system, q.p, q.y) - H;
  q.energy = H;
  q.x_dot = anchored(system, q.y);
  q.L_z = -derivative(H, system.z);
  std::vector<Expr> L_x = gradient(H, e.x);
  for (Expr& component : L_x) component = -component;
  std::vector<Expr> F;
  for (const Expr& force : system.forces) F.push_back(symbolic::substitute(symbolic::expand_lets(force), e.y, q.y));
  q.f = generalised_forces(system, q.y, q.p, L_x, F);
  q.W = symbolic::identity(system.graph(), e.r());
  for (std::size_t j = 0; j < e.r(); ++j) q.b.push_back(q.f[j] + q.L_z * q.p[j]);
  return q;
}

}  // namespace

Equations derive(const System& system) {
  check_shapes(system);
  Equations q = system.formulation == Formulation::lagrangian ? derive_lagrangian(system) : derive_hamiltonian(system);
  q.u = system.algebroid.x;
  q.u.insert(q.u.end(), system.w().begin(), system.w().end());
  q.u.insert(q.u.end(), {system.z, system.t});
  return q;
}

}  // namespace herglotz::mechanics
