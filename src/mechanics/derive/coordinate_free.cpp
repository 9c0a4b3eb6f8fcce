#include "herglotz/mechanics/coordinate_free.hpp"

#include "generator.hpp"
#include "herglotz/error.hpp"

namespace herglotz::mechanics {
namespace {

/// Returns Gamma^b_ia y^a.
Expr transport(const System& system, const geometry::Connection& gamma, std::size_t b, std::size_t i) {
  Expr total = system.graph().number(std::int64_t{0});
  for (std::size_t a = 0; a < system.r(); ++a) total += gamma(b, i, a) * system.algebroid.y[a];
  return total;
}

/// Returns dL/dx^i along the horizontal lift of d/dx^i, on which dy^b = -Gamma^b_ia y^a.
std::vector<Expr> horizontal_part(const System& system, const geometry::Connection& gamma, const std::vector<Expr>& p) {
  auto part = generator_of(system).L_x;
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
    for (std::size_t i = 0; i < e.r(); ++i) component += e.c(k, i, j) * e.y[i];
    total += component * p[k];
  }
  return total;
}

}  // namespace

Equations derive_with_connection(const System& system, const geometry::Connection& connection) {
  if (system.formulation != Formulation::lagrangian)
    throw Refused("coordinate-free equations: expected a Lagrangian system, got a Hamiltonian one");
  const auto& e = system.algebroid;
  Equations q = derive(system);
  const auto dL_hor = horizontal_part(system, connection, q.p);
  for (std::size_t j = 0; j < e.r(); ++j) {
    const Expr before = q.f[j];
    Expr f = adjoint_term(system, connection, q.p, j) + system.forces[j];
    for (std::size_t i = 0; i < e.n(); ++i) f += e.sigma(i, j) * dL_hor[i];
    q.f[j] = f;
    q.b[j] += f - before;
  }
  return q;
}

}  // namespace herglotz::mechanics
