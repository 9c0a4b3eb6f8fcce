#include "herglotz/geometry/builders.hpp"

namespace herglotz::geometry {
namespace {

Matrix negated(Matrix m) {
  for (Expr& entry : m.entries) entry = -entry;
  return m;
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
  return a;
}

}  // namespace herglotz::geometry
