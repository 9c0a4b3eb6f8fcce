#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "integration.hpp"
#include "shapes.hpp"

namespace herglotz::geometry {
namespace {

/// The effort for all brackets together; once it is used up, they are kept as they were computed.
constexpr std::int64_t most_effort = 100'000;

/// Returns component i of the commutator of the vector fields in rows a and b.
Expr commutator(const Matrix& frame, const std::vector<Expr>& x, std::size_t a, std::size_t b, std::size_t i,
                symbolic::Effort& effort) {
  Expr total = x.front().graph().number(std::int64_t{0});
  for (std::size_t j = 0; j < x.size(); ++j) {
    total += frame(a, j) * derivative(frame(b, i), x[j]);
    total -= frame(b, j) * derivative(frame(a, i), x[j]);
  }
  return simplify(total, effort);
}

}  // namespace

Algebroid hamel(std::shared_ptr<Graph> graph, Coordinates coordinates, const Matrix& frame) {
  expect_count("fibre coordinates of a Hamel frame (as many as base coordinates)", coordinates.x.size(),
               coordinates.y.size());
  expect_shape("frame of a hamel algebroid", frame, coordinates.y.size(), coordinates.x.size());
  Algebroid algebroid = empty_algebroid("hamel", std::move(graph), std::move(coordinates));
  promise_lie(algebroid);
  const std::size_t n = algebroid.n();
  if (n == 0) return algebroid;
  algebroid.rho = transpose(frame);
  algebroid.sigma = algebroid.rho;
  const Matrix coframe = inverse(frame, "frame of a hamel algebroid");
  // In the coordinate velocities the algebroid is TM: xi = frame^T y.
  const Matrix one = symbolic::identity(*algebroid.graph, n);
  algebroid.integration = Integration{transpose(coframe), StructureFunctions(n, algebroid.graph->number(0)), one,
                                      single_factor("abelian", n)};
  symbolic::Effort effort{most_effort};
  std::vector<Expr> bracket(n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b) {
      for (std::size_t i = 0; i < n; ++i) bracket[i] = commutator(frame, algebroid.x, a, b, i, effort);
      for (std::size_t k = 0; k < n; ++k) {
        Expr c = algebroid.graph->number(std::int64_t{0});
        for (std::size_t i = 0; i < n; ++i) c += bracket[i] * coframe(i, k);
        algebroid.c.set(k, a, b, simplify(c, effort));
        algebroid.c.set(k, b, a, simplify(-algebroid.c(k, a, b), effort));
      }
    }
  return algebroid;
}

}  // namespace herglotz::geometry
