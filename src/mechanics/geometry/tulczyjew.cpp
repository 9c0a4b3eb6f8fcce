#include "herglotz/mechanics/geometry/tulczyjew.hpp"

#include "generator.hpp"
#include "herglotz/error.hpp"

namespace herglotz::mechanics {

DualVector algebroid_map(const System& system, const std::vector<Expr>& alpha, const std::vector<Expr>& p) {
  const auto& e = system.algebroid;
  DualVector vector{p, symbolic::multiply(e.rho, e.y), {}};
  for (std::size_t j = 0; j < e.r(); ++j) {
    Expr rate = system.graph().number(std::int64_t{0});
    for (std::size_t i = 0; i < e.r(); ++i)
      for (std::size_t k = 0; k < e.r(); ++k) rate += e.c(k, i, j) * e.y[i] * p[k];
    for (std::size_t i = 0; i < e.n(); ++i) rate += e.sigma(i, j) * alpha[i];
    vector.p_dot.push_back(rate);
  }
  return vector;
}

DualVector tulczyjew_differential(const System& system) {
  if (system.formulation != Formulation::lagrangian)
    throw Refused("Tulczyjew's differential is that of a Lagrangian, and the model has a Hamiltonian");
  const Generator g = generator_of(system);
  return algebroid_map(system, g.L_x, g.p);
}

}  // namespace herglotz::mechanics
