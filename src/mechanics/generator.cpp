#include "generator.hpp"

#include <algorithm>

#include "herglotz/error.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/mechanics/constraints.hpp"
#include "herglotz/symbolic/dependence.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "velocity_row.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::gradient;

/// Returns rho^i_a y^a.
std::vector<Expr> anchored(const System& system, const std::vector<Expr>& y) {
  if (system.n() == 0) return {};
  return multiply(system.algebroid.rho, y);
}

Matrix dense_jacobian(const System& system, const std::vector<Expr>& f, const std::vector<Expr>& x) {
  return symbolic::to_dense(system.graph(), symbolic::jacobian(f, x));
}

/// Computes velocities, momenta and partial derivatives without constraints.
Generator free_generator(const System& system, WithHessian hessian) {
  const auto& e = system.algebroid;
  Generator g;
  if (system.formulation == Formulation::lagrangian) {
    g.y = e.y;
    g.L = system.generator;
    g.p = gradient(g.L, e.y);
    if (hessian == WithHessian::yes) g.W = symbolic::to_dense(system.graph(), symbolic::hessian(g.L, e.y));
    g.L_x = gradient(g.L, e.x);
    g.L_z = derivative(g.L, system.z);
    g.L_t = derivative(g.L, system.t);
    g.F = system.forces;
  } else {
    const Expr H = system.generator;
    g.y = gradient(H, system.p);
    g.p = system.p;
    g.L = paired(system, g.p, g.y) - H;
    if (hessian == WithHessian::yes) g.W = symbolic::identity(system.graph(), e.r());
    for (const Expr& H_x : gradient(H, e.x)) g.L_x.push_back(-H_x);
    g.L_z = -derivative(H, system.z);
    g.L_t = -derivative(H, system.t);
    for (const Expr& force : system.forces) g.F.push_back(symbolic::substitute(symbolic::expand_lets(force), e.y, g.y));
  }
  g.x_dot = anchored(system, g.y);
  return g;
}

/// Returns df/dx at fixed velocities for rows f(x, w, z, t). For a Hamiltonian, w = p moves with x, and this is
/// f_x - f_y H_px.
Matrix at_fixed_velocity(const System& system, const Generator& g, const std::vector<Expr>& f, const Matrix& f_y,
                         const std::vector<Expr>& x) {
  Matrix f_x = dense_jacobian(system, f, x);
  if (system.formulation == Formulation::lagrangian || x.empty()) return f_x;
  const Matrix moved = multiply(f_y, dense_jacobian(system, g.y, x));
  for (std::size_t k = 0; k < f_x.entries.size(); ++k) f_x.entries[k] -= moved.entries[k];
  return f_x;
}

/// Returns the directions Phi_y of the constraint forces of a Hamiltonian: Phi_w = Phi_y H_pp, and H_pp is symmetric.
Matrix force_directions(const Matrix& H_pp, const Matrix& Phi_w, Written written) {
  if (written == Written::for_runs) return transpose(symbolic::solve(H_pp, transpose(Phi_w)));
  if (H_pp.rows > geometry::cofactor_size) return transpose(symbolic::solve_in_order(H_pp, transpose(Phi_w)).x);
  const auto inverse = geometry::inverse_if_regular(H_pp);
  if (!inverse) throw symbolic::SingularMatrix("d2H/dp2 is singular everywhere");
  return multiply(Phi_w, *inverse);
}

void add_constraints(const System& system, Generator& g, Written written) {
  const auto& [rule, equations, multipliers] = system.constraints;
  if (equations.size() != multipliers.size())
    throw Refused("multipliers: expected " + std::to_string(equations.size()) + ", one per constraint, got " +
                  std::to_string(multipliers.size()));
  const bool hamiltonian = system.formulation == Formulation::hamiltonian;
  for (const bool holonomic : {true, false})
    for (std::size_t k = 0; k < equations.size(); ++k) {
      if ((kind_of(system, equations[k]) == ConstraintKind::holonomic) != holonomic) continue;
      if (holonomic) g.phi.push_back(symbolic::expand_lets(equations[k]));
      Expr Phi = symbolic::expand_lets(velocity_row(system, equations[k], g.x_dot, g.L));
      if (hamiltonian) Phi = symbolic::substitute(Phi, system.algebroid.y, g.y);
      g.Phi.push_back(Phi);
      g.l.push_back(multipliers[k]);
      g.equation.push_back(k);
    }
  g.Phi_w = dense_jacobian(system, g.Phi, system.w());
  g.Phi_y = g.Phi_w;
  if (!hamiltonian || g.Phi.empty()) return;
  try {
    g.Phi_y = force_directions(dense_jacobian(system, g.y, system.p), g.Phi_w, written);
  } catch (const symbolic::SingularMatrix&) {
    throw Refused("constraints on a Hamiltonian need a d2H/dp2 that can be inverted", "here it is singular");
  }
}

/// Moves the forces that are proportional to multipliers, as friction is to the force of a contact, into the directions
/// of the forces of these multipliers.
void move_multipliers(const System& system, Generator& g) {
  const auto nodes = system.graph().reachable(g.F);
  const auto is_used = [&](const Expr& l) { return std::find(nodes.begin(), nodes.end(), l.id()) != nodes.end(); };
  if (std::none_of(g.l.begin(), g.l.end(), is_used)) return;
  const std::vector<Expr> zeros(g.l.size(), system.graph().number(0));
  for (std::size_t a = 0; a < system.r(); ++a) {
    const Expr force = symbolic::expand_lets(g.F[a]);
    for (std::size_t A = 0; A < g.l.size(); ++A) {
      // Of a product with a multiplier the derivative is the other factor, as it was written. Only where multipliers
      // are left in it does it take long work to see whether these cancel.
      Expr slope = derivative(force, g.l[A]);
      if (symbolic::depends_on_any(slope, g.l)) slope = symbolic::simplify(slope);
      if (symbolic::depends_on_any(slope, g.l)) throw Refused("a force is not linear in the multipliers");
      g.Phi_y(A, a) += slope;
    }
    g.F[a] = symbolic::substitute(force, g.l, zeros);
  }
}

/// Replaces L by L - nu Phi. [LLMR21, Sec. 5.4; GG08, Eqs. 5.3-5.4].
void apply_vakonomic_rule(const System& system, Generator& g, WithHessian hessian) {
  const auto& e = system.algebroid;
  const std::size_t m = g.l.size();
  const auto minus_nu = [&](Expr& value, const Matrix& columns, std::size_t at) {
    for (std::size_t A = 0; A < m; ++A) value -= g.l[A] * columns(A, at);
  };
  const Matrix Phi_x = at_fixed_velocity(system, g, g.Phi, g.Phi_y, e.x);
  const Matrix Phi_zt = at_fixed_velocity(system, g, g.Phi, g.Phi_y, {system.z, system.t});
  for (std::size_t a = 0; a < e.r(); ++a) minus_nu(g.p[a], g.Phi_y, a);
  for (std::size_t i = 0; i < e.n(); ++i) minus_nu(g.L_x[i], Phi_x, i);
  minus_nu(g.L_z, Phi_zt, 0);
  minus_nu(g.L_t, Phi_zt, 1);
  if (hessian == WithHessian::yes) g.W = dense_jacobian(system, g.p, system.w());
}

}  // namespace

Expr paired(const System& system, const std::vector<Expr>& p, const std::vector<Expr>& y) {
  Expr total = system.graph().number(std::int64_t{0});
  for (std::size_t a = 0; a < p.size(); ++a) total += p[a] * y[a];
  return total;
}

Generator generator_of(const System& system, Written written, WithHessian hessian) {
  Generator g = free_generator(system, hessian);
  if (system.constraints.rule == Rule::none) return g;
  add_constraints(system, g, written);
  if (system.constraints.rule == Rule::vakonomic)
    apply_vakonomic_rule(system, g, hessian);
  else
    move_multipliers(system, g);
  return g;
}

}  // namespace herglotz::mechanics
