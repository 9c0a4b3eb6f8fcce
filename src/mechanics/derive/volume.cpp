#include "herglotz/mechanics/derive/volume.hpp"

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {

Expr volume_rate(const System& system, const Equations& q) {
  if (!system.constraints.equations.empty())
    throw Refused("volume_rate is the rate of volumes of systems without constraints", "leave the column out");
  const geometry::Algebroid& e = system.algebroid;
  const std::size_t r = e.r();
  Expr rate = system.graph().number(static_cast<std::int64_t>(r + 1)) * q.L_z;
  for (std::size_t a = 0; a < r; ++a) {
    Expr modular = system.graph().number(std::int64_t{0});
    for (std::size_t i = 0; i < e.n(); ++i) modular += symbolic::derivative(e.rho(i, a), e.x[i]);
    for (std::size_t j = 0; j < r; ++j) modular += e.c(j, a, j);
    rate += q.y[a] * modular;
  }
  Matrix slopes(r, r, system.graph().number(std::int64_t{0}));
  bool acts = false;
  for (std::size_t a = 0; a < r; ++a) {
    const auto by_w = symbolic::gradient(symbolic::expand_lets(system.forces[a]), system.w());
    for (std::size_t b = 0; b < r; ++b) {
      slopes(a, b) = by_w[b];
      acts = acts || !by_w[b].is_zero();
    }
  }
  if (acts) {
    const Matrix product = symbolic::solve(q.W, slopes);
    for (std::size_t a = 0; a < r; ++a) rate += product(a, a);
  }
  return symbolic::simplify(rate);
}

}  // namespace herglotz::mechanics
