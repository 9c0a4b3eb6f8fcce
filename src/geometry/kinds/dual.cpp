#include "herglotz/geometry/builders.hpp"

namespace herglotz::geometry {
namespace {

Matrix negated(Matrix m) {
  for (Expr& entry : m.entries) entry = -entry;
  return m;
}

/// Takes the groupoid with the opposite structure: only Lie algebroids have one, whose adjoint is their opposite.
void turn_integration(Algebroid& a) {
  if (!a.integration) return;
  Integration& known = *a.integration;
  known.rho = negated(known.rho);
  for (std::size_t k = 0; k < a.r(); ++k)
    for (std::size_t i = 0; i < a.r(); ++i)
      for (std::size_t j = 0; j < a.r(); ++j) known.c(k, i, j) = -known.c(k, i, j);
  known.factors.clear();
}

}  // namespace

Algebroid adjoint(const Algebroid& algebroid) {
  Algebroid a = algebroid;
  a.kind = "adjoint of " + algebroid.kind;
  a.rho = negated(algebroid.sigma);
  a.sigma = negated(algebroid.rho);
  for (std::size_t k = 0; k < a.r(); ++k)
    for (std::size_t i = 0; i < a.r(); ++i)
      for (std::size_t j = 0; j < a.r(); ++j) a.c(k, i, j) = algebroid.c(k, j, i);
  turn_integration(a);
  return a;
}

Algebroid opposite(const Algebroid& algebroid) {
  Algebroid a = algebroid;
  a.kind = "opposite of " + algebroid.kind;
  a.rho = negated(algebroid.rho);
  a.sigma = negated(algebroid.sigma);
  for (std::size_t k = 0; k < a.r(); ++k)
    for (std::size_t i = 0; i < a.r(); ++i)
      for (std::size_t j = 0; j < a.r(); ++j) a.c(k, i, j) = -algebroid.c(k, i, j);
  turn_integration(a);
  return a;
}

}  // namespace herglotz::geometry
