
#include "generator.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/singular.hpp"

namespace herglotz::mechanics {

ImplicitSystem implicit_system(const System& system) {
  if (system.formulation != Formulation::lagrangian)
    throw Refused("Hamilton-Pontryagin equations: expected a Lagrangian system, got a Hamiltonian one");
  const auto& e = system.algebroid;
  const auto& p = system.p;
  const Generator g = generator_of(system);
  ImplicitSystem q;
  q.v = e.x;
  q.v.insert(q.v.end(), p.begin(), p.end());
  q.v.push_back(system.z);
  q.w = e.y;
  q.w.insert(q.w.end(), g.l.begin(), g.l.end());
  q.X = g.x_dot;
  for (std::size_t j = 0; j < e.r(); ++j) {
    Expr rate = g.L_z * p[j] + system.forces[j];
    for (std::size_t i = 0; i < e.r(); ++i)
      for (std::size_t k = 0; k < e.r(); ++k)
        if (!e.c(k, i, j).is_zero()) rate += e.c(k, i, j) * e.y[i] * p[k];
    for (std::size_t a = 0; a < e.n(); ++a) rate += e.sigma(a, j) * g.L_x[a];
    if (system.constraints.rule == Rule::nonholonomic)
      for (std::size_t A = 0; A < g.l.size(); ++A) rate += g.l[A] * g.Phi_y(A, j);
    q.X.push_back(rate);
  }
  q.X.push_back(g.L);
  for (std::size_t a = 0; a < e.r(); ++a) q.g.push_back(p[a] - g.p[a]);
  q.g.insert(q.g.end(), g.phi.begin(), g.phi.end());
  q.g.insert(q.g.end(), g.Phi.begin(), g.Phi.end());
  for (auto* list : {&q.X, &q.g})
    for (Expr& f : *list) f = symbolic::expand_lets(f);
  return q;
}

}  // namespace herglotz::mechanics
