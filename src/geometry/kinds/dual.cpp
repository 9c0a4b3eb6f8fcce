#include "herglotz/geometry/builders.hpp"

namespace herglotz::geometry {
namespace {

Matrix negated(Matrix m) {
  for (Expr& entry : m.entries) entry = -entry;
  return m;
}

/// Returns the structure functions -c^k_ij.
StructureFunctions negated(const StructureFunctions& c) {
  StructureFunctions opposite = c;
  for (const auto& [place, value] : c.nonzero()) opposite.set(place[0], place[1], place[2], -value);
  return opposite;
}

/// Takes the groupoid with the opposite structure: only Lie algebroids have one, whose adjoint is their opposite.
void turn_integration(Algebroid& a) {
  if (!a.integration) return;
  Integration& known = *a.integration;
  known.rho = negated(known.rho);
  known.c = negated(known.c);
  known.factors.clear();
}

}  // namespace

Algebroid adjoint(const Algebroid& algebroid) {
  Algebroid a = algebroid;
  a.kind = "adjoint of " + algebroid.kind;
  a.rho = negated(algebroid.sigma);
  a.sigma = negated(algebroid.rho);
  a.c = StructureFunctions(a.r(), a.graph->number(0));
  for (const auto& [place, value] : algebroid.c.nonzero()) a.c.set(place[0], place[2], place[1], value);
  turn_integration(a);
  return a;
}

Algebroid opposite(const Algebroid& algebroid) {
  Algebroid a = algebroid;
  a.kind = "opposite of " + algebroid.kind;
  a.rho = negated(algebroid.rho);
  a.sigma = negated(algebroid.sigma);
  a.c = negated(algebroid.c);
  turn_integration(a);
  return a;
}

}  // namespace herglotz::geometry
