#include "herglotz/mechanics/time_transformation.hpp"

#include "herglotz/error.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::derivative;

/// Returns the system's data on E x TR. No model can use names in parentheses.
System extended(const System& system) {
  System result = system;
  const Expr rate = system.graph().symbol("(dt/dtau)");
  const Expr e = system.graph().symbol("(e)");
  geometry::Algebroid algebroid =
      geometry::product({system.algebroid, geometry::tangent(system.algebroid.graph, {{system.t}, {rate}})});
  if (system.formulation == Formulation::lagrangian) algebroid.y.back() = e;
  result.algebroid = std::move(algebroid);
  result.t = system.graph().symbol("(tau)");
  result.p.push_back(e);
  result.forces.push_back(system.graph().number(std::int64_t{0}));
  return result;
}

/// Returns b = f + L_z p - dp/dt at fixed w.
std::vector<Expr> right_side(const Equations& q) {
  std::vector<Expr> base(q.u.begin(), q.u.begin() + static_cast<std::ptrdiff_t>(q.x_dot.size()));
  const Expr& z = q.u[q.u.size() - 2];
  std::vector<Expr> b;
  for (std::size_t a = 0; a < q.p.size(); ++a) {
    Expr value = q.f[a] + q.L_z * q.p[a] - derivative(q.p[a], z) * q.L;
    for (std::size_t i = 0; i < base.size(); ++i) value -= derivative(q.p[a], base[i]) * q.x_dot[i];
    b.push_back(value);
  }
  return b;
}

}  // namespace

TimeTransformation transform_time(const System& system, const Equations& equations, const std::vector<BalanceLaw>& laws,
                                  const Expr& time_scale) {
  if (equations.m() > 0) throw Refused("a time scale is for systems without constraints");
  const auto& algebroid = system.algebroid;
  const Expr s = symbolic::expand_lets(time_scale);
  TimeTransformation result{extended(system), {}, {}};
  const Expr e = result.system.p.back();
  const Expr level = equations.energy + e;
  const BalanceLaw energy = balance_laws(system, equations).front();

  Equations& q = result.equations;
  q.u = algebroid.x;
  q.u.push_back(system.t);
  q.u.insert(q.u.end(), system.w().begin(), system.w().end());
  q.u.insert(q.u.end(), {e, system.z, result.system.t});
  q.y = equations.y;
  for (Expr& y : q.y) y = s * y;
  q.y.push_back(s);
  for (const Expr& rate : equations.x_dot) q.x_dot.push_back(s * rate);
  q.x_dot.push_back(s);
  q.p = equations.p;
  q.p.push_back(e);
  for (std::size_t a = 0; a < system.r(); ++a) {
    Expr force = s * equations.f[a];
    for (std::size_t i = 0; i < system.n(); ++i) force -= algebroid.sigma(i, a) * derivative(s, algebroid.x[i]) * level;
    q.f.push_back(force);
  }
  q.f.push_back(-s * energy.source - derivative(s, system.t) * level);
  q.L = s * equations.L;
  q.L_z = s * equations.L_z - derivative(s, system.z) * level;
  std::vector<Expr> w = system.w();
  w.push_back(e);
  q.W = symbolic::to_dense(system.graph(), symbolic::jacobian(q.p, w));
  q.b = right_side(q);
  q.energy = s * level;
  q.Phi_y = Matrix(0, w.size(), system.graph().number(std::int64_t{0}));
  q.Phi_w = q.Phi_y;
  for (const BalanceLaw& law : laws)
    result.laws.push_back({law.name, law.quantity, law.scale, s * law.source, law.kind});
  return result;
}

}  // namespace herglotz::mechanics
