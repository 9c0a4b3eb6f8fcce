#include "herglotz/geometry/constrained_structure.hpp"

#include <string>

#include "herglotz/error.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/geometry/sampling.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::geometry {
namespace {

void require_one_each(const std::vector<Expr>& Phi, std::size_t reactions) {
  if (Phi.empty() || Phi.size() != reactions)
    throw Refused(
        std::to_string(Phi.size()) + " constraints and " + std::to_string(reactions) + " forms of reactions are given",
        "one form for each constraint is needed");
}

/// Shortens by `given`, or simplifies if there is none.
Shortening shortening_of(const Shortening& given) {
  return given ? given : [](const Expr& f) { return symbolic::simplify(symbolic::expand(f)); };
}

/// Returns dPhi^b/du^B (m x N).
Matrix slopes_of(const ConstrainedStructure& s, const Chart& u) {
  return symbolic::to_dense(u.front().graph(), symbolic::jacobian(s.Phi, u));
}

}  // namespace

VectorField ConstrainedStructure::project(const VectorField& Y) const {
  return {Y.u, multiply(P, Y.components)};
}

VectorField ConstrainedStructure::constraint_part(const VectorField& Y) const {
  return Y - project(Y);
}

OneForm ConstrainedStructure::project(const OneForm& alpha) const {
  return {alpha.u, multiply(transpose(P), alpha.components)};
}

std::vector<Expr> ConstrainedStructure::multipliers(const std::vector<Expr>& rates) const {
  return multiply(transpose(C_inverse), rates);
}

ConstrainedStructure constrained_structure(const JacobiStructure& free, std::vector<Expr> Phi,
                                           std::vector<VectorField> Z, const Shortening& shorten) {
  require_one_each(Phi, Z.size());
  const Shortening shorter = shortening_of(shorten);
  const Chart& u = free.u();
  const std::size_t m = Phi.size();
  symbolic::Graph& graph = u.front().graph();
  const Expr zero = graph.number(std::int64_t{0});
  ConstrainedStructure s;
  s.Phi = std::move(Phi);
  s.Z = std::move(Z);
  const auto shortened = [&](Matrix all) {
    for (Expr& entry : all.entries) entry = shorter(entry);
    return all;
  };

  const Matrix slopes = slopes_of(s, u);
  s.C = Matrix(m, m, zero);
  for (std::size_t a = 0; a < m; ++a) {
    const auto along = multiply(slopes, s.Z[a].components);
    for (std::size_t b = 0; b < m; ++b) s.C(a, b) = shorter(along[b]);
  }
  const auto C_inverse = inverse_if_regular(s.C);
  if (!C_inverse)
    throw Refused("the constraint matrix C_ab = dPhi^b(Z_a) is singular everywhere",
                  "give reactions that keep the constraints, and no constraint that follows from the others");
  s.C_inverse = shortened(*C_inverse);
  Matrix fields(u.size(), m, zero);
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t A = 0; A < fields.rows; ++A) fields(A, a) = s.Z[a].components[A];
  const Matrix Q = multiply(multiply(fields, transpose(s.C_inverse)), slopes);
  s.P = symbolic::identity(graph, fields.rows);
  for (std::size_t k = 0; k < Q.entries.size(); ++k) s.P.entries[k] = shorter(s.P.entries[k] - Q.entries[k]);

  s.jacobi.Lambda = {u, shortened(multiply(multiply(s.P, free.Lambda.components), transpose(s.P)))};
  s.jacobi.E = s.project(free.E);
  for (Expr& component : s.jacobi.E.components) component = shorter(component);
  return s;
}

ConstrainedStructure constrained_structure(const JacobiStructure& free, std::vector<Expr> Phi,
                                           const std::vector<OneForm>& beta, const Shortening& shorten) {
  require_one_each(Phi, beta.size());
  const Shortening shorter = shortening_of(shorten);
  std::vector<VectorField> Z;
  for (std::size_t a = 0; a < beta.size(); ++a) {
    if (!vanishes(pair(beta[a], free.E)))
      throw Refused("the form of reaction " + std::to_string(a + 1) + " does not vanish on the Reeb field -E",
                    "give forms that do");
    Z.push_back(free.sharp(beta[a]));
    for (Expr& component : Z.back().components) component = shorter(component);
  }
  return constrained_structure(free, std::move(Phi), std::move(Z), shorten);
}

}  // namespace herglotz::geometry
