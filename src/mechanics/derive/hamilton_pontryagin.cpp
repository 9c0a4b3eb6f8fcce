#include "herglotz/mechanics/hamilton_pontryagin.hpp"

#include <string>

#include "generator.hpp"
#include "herglotz/error.hpp"

namespace herglotz::mechanics {

ImplicitEquations hamilton_pontryagin(const System& system) {
  if (system.formulation != Formulation::lagrangian)
    throw Refused("Hamilton-Pontryagin equations: expected a Lagrangian system, got a Hamiltonian one");
  const auto& e = system.algebroid;
  const auto& p = system.p;
  ImplicitEquations q;
  for (const auto* group : {&e.x, &e.y, &p}) q.variables.insert(q.variables.end(), group->begin(), group->end());
  q.variables.insert(q.variables.end(), {system.z, system.t});
  const auto rate = [&](Expr of) {
    q.rates.push_back(system.graph().symbol("d(" + std::string(of.name()) + ")/dt"));
    return q.rates.back();
  };

  const Generator g = generator_of(system);
  q.variables.insert(q.variables.end(), g.l.begin(), g.l.end());
  for (std::size_t i = 0; i < e.n(); ++i) {
    Expr residual = rate(e.x[i]);
    for (std::size_t a = 0; a < e.r(); ++a) residual -= e.rho(i, a) * e.y[a];
    q.residuals.push_back(residual);
  }
  for (std::size_t a = 0; a < e.r(); ++a) q.residuals.push_back(p[a] - g.p[a]);
  for (std::size_t j = 0; j < e.r(); ++j) {
    Expr residual = rate(p[j]) - g.L_z * p[j] - system.forces[j];
    for (std::size_t i = 0; i < e.r(); ++i)
      for (std::size_t k = 0; k < e.r(); ++k)
        if (!e.c(k, i, j).is_zero()) residual -= e.c(k, i, j) * e.y[i] * p[k];
    for (std::size_t a = 0; a < e.n(); ++a) residual -= e.sigma(a, j) * g.L_x[a];
    if (system.constraints.rule == Rule::nonholonomic)
      for (std::size_t A = 0; A < g.l.size(); ++A) residual -= g.l[A] * g.Phi_y(A, j);
    q.residuals.push_back(residual);
  }
  q.residuals.push_back(rate(system.z) - g.L);
  q.residuals.insert(q.residuals.end(), g.Phi.begin(), g.Phi.end());
  return q;
}

}  // namespace herglotz::mechanics
