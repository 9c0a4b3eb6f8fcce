#include "herglotz/mechanics/constrained_geometry.hpp"

#include "herglotz/error.hpp"
#include "herglotz/geometry/inverse.hpp"
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

/// Returns dPhi^b/du^B (m x N).
Matrix slopes_of(const System& system, const ConstrainedGeometry& g) {
  return symbolic::to_dense(system.graph(), symbolic::jacobian(g.Phi, g.free.u()));
}

}  // namespace

VectorField ConstrainedGeometry::project(const VectorField& Y) const {
  return {Y.u, multiply(P, Y.components)};
}

VectorField ConstrainedGeometry::constraint_part(const VectorField& Y) const {
  return Y - project(Y);
}

OneForm ConstrainedGeometry::project(const OneForm& alpha) const {
  return {alpha.u, multiply(transpose(P), alpha.components)};
}

ConstrainedGeometry constrained_geometry(const System& system) {
  if (system.constraints.rule != Rule::nonholonomic)
    throw Refused("constrained geometry: expected constraints under the nonholonomic rule, got " +
                  std::string(system.constraints.rule == Rule::none ? "none" : "the vakonomic rule"));
  symbolic::Effort effort{most_effort};
  ConstrainedGeometry g;
  g.free = phase_geometry(system);
  System opened = system;
  opened.generator = symbolic::expand_lets(system.generator);
  const Equations q = readable_equations(opened);
  const std::size_t m = q.m();
  const std::size_t n = system.n();
  symbolic::Graph& graph = system.graph();
  g.Phi = q.Phi;

  const Matrix directions = shortest(multiply(g.free.W_inverse, transpose(q.Phi_y)), effort);  // (r x m)
  for (std::size_t a = 0; a < m; ++a) {
    g.Z.push_back({g.free.u(), std::vector<Expr>(g.free.u().size(), graph.number(std::int64_t{0}))});
    for (std::size_t i = 0; i < system.r(); ++i) g.Z[a].components[n + i] = -directions(i, a);
  }
  const Matrix slopes = slopes_of(system, g);
  g.C = Matrix(m, m, graph.number(std::int64_t{0}));
  for (std::size_t a = 0; a < m; ++a) {
    const auto along = multiply(slopes, g.Z[a].components);
    for (std::size_t b = 0; b < m; ++b) g.C(a, b) = shortest(along[b], effort);
  }
  // The multipliers of Q(Y) = lambda^a Z_a solve C_ab lambda^a = dPhi^b(Y).
  const Matrix C_inverse = transpose(shortest(geometry::inverse(g.C, "constraint matrix C_ab = dPhi^b(Z_a)"), effort));
  Matrix Z(g.free.u().size(), m, graph.number(std::int64_t{0}));
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t A = 0; A < Z.rows; ++A) Z(A, a) = g.Z[a].components[A];
  const Matrix along_Z = multiply(Z, C_inverse);
  const Matrix Q = multiply(along_Z, slopes);
  g.P = symbolic::identity(graph, Z.rows);
  for (std::size_t k = 0; k < Q.entries.size(); ++k) g.P.entries[k] = shortest(g.P.entries[k] - Q.entries[k], effort);

  const Matrix& Lambda = g.free.jacobi.Lambda.components;
  g.jacobi.Lambda = {g.free.u(), shortest(multiply(multiply(g.P, Lambda), transpose(g.P)), effort)};
  g.jacobi.E = g.project(g.free.jacobi.E);
  g.jacobi.E.components = shortest(g.jacobi.E.components, effort);

  g.dynamics = g.project(g.free.free_dynamics);
  std::vector<Expr> Phi_t;
  for (const Expr& Phi : g.Phi) Phi_t.push_back(derivative(Phi, system.t));
  const auto moving = multiply(along_Z, Phi_t);
  for (std::size_t A = 0; A < Z.rows; ++A) {
    Expr& rate = g.dynamics.components[A];
    rate = shortest(rate - moving[A], effort);
  }
  g.forms = forms_of(g, effort);
  return g;
}

}  // namespace herglotz::mechanics
