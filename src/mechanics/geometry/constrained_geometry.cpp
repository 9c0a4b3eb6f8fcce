#include "herglotz/mechanics/constrained_geometry.hpp"

#include "herglotz/error.hpp"
#include "herglotz/mechanics/readable_equations.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "shorten/shortest.hpp"

namespace herglotz::mechanics {
namespace {

using geometry::OneForm;
using geometry::VectorField;

/// Returns Phi^a_{y^k} theta^k, computed as flat(Z_a), which has dx components only.
std::vector<OneForm> forms_of(const ConstrainedGeometry& g, symbolic::Effort& effort) {
  std::vector<OneForm> forms;
  if (!g.free.contact) return forms;
  for (const VectorField& Z : g.Z) {
    forms.push_back(g.free.contact->flat(Z));
    forms.back().components = shortest(forms.back().components, effort);
  }
  return forms;
}

}  // namespace

ConstrainedGeometry constrained_geometry(const System& system) {
  if (system.constraints.rule != Rule::nonholonomic)
    throw Refused("constrained geometry: expected constraints under the nonholonomic rule, got " +
                  std::string(system.constraints.rule == Rule::none ? "none" : "the vakonomic rule"));
  symbolic::Effort effort{most_effort};
  const PhaseGeometry free = phase_geometry(system);
  System opened = system;
  opened.generator = symbolic::expand_lets(system.generator);
  const Equations q = readable_equations(opened);
  const geometry::Chart& u = free.u();

  const Matrix directions = shortest(multiply(free.W_inverse, transpose(q.Phi_y)), effort);  // (r x m)
  std::vector<VectorField> Z;
  for (std::size_t a = 0; a < q.m(); ++a) {
    Z.push_back({u, std::vector<Expr>(u.size(), system.graph().number(std::int64_t{0}))});
    for (std::size_t i = 0; i < system.r(); ++i) Z[a].components[system.n() + i] = -directions(i, a);
  }
  ConstrainedGeometry g{geometry::constrained_structure(free.jacobi, q.Phi, std::move(Z),
                                                        [&](const Expr& f) { return shortest(f, effort); }),
                        free,
                        {},
                        {}};
  g.dynamics = g.project(free.free_dynamics);
  std::vector<Expr> Phi_t;
  for (const Expr& Phi : g.Phi) Phi_t.push_back(derivative(Phi, system.t));
  const auto lambda = g.multipliers(Phi_t);
  for (std::size_t A = 0; A < u.size(); ++A) {
    Expr moving = system.graph().number(std::int64_t{0});
    for (std::size_t a = 0; a < g.Z.size(); ++a) moving = moving + lambda[a] * g.Z[a].components[A];
    Expr& rate = g.dynamics.components[A];
    rate = shortest(rate - moving, effort);
  }
  g.forms = forms_of(g, effort);
  return g;
}

}  // namespace herglotz::mechanics
