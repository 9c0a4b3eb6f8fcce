#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "integration.hpp"
#include "shapes.hpp"

namespace herglotz::geometry {
namespace {

/// Returns component a of the ambient bracket of the sections in rows i and j:
/// [fX, gY] = f rho(X)(g) Y - g sigma(Y)(f) X + fg [X, Y]. [GG08, Thm 1].
Expr bracket(const Algebroid& e, const Matrix& rows, const Matrix& rho, const Matrix& sigma, std::size_t i,
             std::size_t j, std::size_t a) {
  Expr total = e.graph->number(std::int64_t{0});
  for (std::size_t m = 0; m < e.n(); ++m) {
    total += rho(m, i) * derivative(rows(j, a), e.x[m]);
    total -= sigma(m, j) * derivative(rows(i, a), e.x[m]);
  }
  for (std::size_t b = 0; b < e.r(); ++b)
    for (std::size_t d = 0; d < e.r(); ++d) total += e.c(a, b, d) * rows(i, b) * rows(j, d);
  return total;
}

}  // namespace

Algebroid constrained(const Algebroid& ambient, std::vector<Expr> y, const Matrix& span_, const Matrix& metric) {
  const std::size_t r = ambient.r();
  const std::size_t s = y.size();
  expect_shape("sections that span the constraint", span_, s, r);
  expect_shape("fibre metric of the constraint", metric, r, r);
  Algebroid a = empty_algebroid("constrained " + ambient.kind, ambient.graph, {ambient.x, std::move(y)});
  if (s == 0) return a;
  const Matrix columns = transpose(span_);
  if (a.n() > 0) {
    a.rho = multiply(ambient.rho, columns);
    a.sigma = multiply(ambient.sigma, columns);
  }
  const Matrix lowered = multiply(span_, metric);
  const Matrix projector =
      multiply(inverse(multiply(lowered, columns), "metric restricted to the constraint"), lowered);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j) {
      std::vector<Expr> ambient_bracket;
      for (std::size_t b = 0; b < r; ++b) ambient_bracket.push_back(bracket(ambient, span_, a.rho, a.sigma, i, j, b));
      const auto projected = multiply(projector, ambient_bracket);
      for (std::size_t k = 0; k < s; ++k) a.c.set(k, i, j, simplify(projected[k]));
    }
  a.integration = integrate_along_leaves(a);
  return a;
}

}  // namespace herglotz::geometry
