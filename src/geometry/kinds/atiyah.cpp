#include <string>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "integration.hpp"
#include "shapes.hpp"

namespace herglotz::geometry {
namespace {

/// Returns the curvature B^C_ij = dA^C_j/dx^i - dA^C_i/dx^j - c^C_AB A^A_i A^B_j.
Expr curvature(const std::vector<Expr>& x, const StructureFunctions& c, const Matrix& connection, std::size_t C,
               std::size_t i, std::size_t j) {
  Expr b = derivative(connection(j, C), x[i]) - derivative(connection(i, C), x[j]);
  for (std::size_t A = 0; A < c.rank(); ++A)
    for (std::size_t B = 0; B < c.rank(); ++B) b -= c(C, A, B) * connection(i, A) * connection(j, B);
  return simplify(b);
}

/// Returns the integration in the frame of TQ x g, in which e_i = d/dx^i - A_i^B e_B, so that
/// (x_dot, v) = (x_dot, xi + A x_dot).
Integration trivialised(const Algebroid& a, const StructureFunctions& c, const Matrix& connection,
                        std::string_view group) {
  const std::size_t n = a.n();
  const std::size_t d = c.rank();
  Integration made{symbolic::identity(*a.graph, n + d), StructureFunctions(n + d, a.graph->number(0)), a.rho, {}};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t B = 0; B < d; ++B) made.frame(n + B, i) = connection(i, B);
  for (std::size_t C = 0; C < d; ++C)
    for (std::size_t A = 0; A < d; ++A)
      for (std::size_t B = 0; B < d; ++B) made.c.set(n + C, n + A, n + B, c(C, A, B));
  if (!group.empty()) made.factors = {{"abelian", 0, n}, {std::string(group), n, d}};
  return made;
}

}  // namespace

Algebroid atiyah(std::shared_ptr<Graph> graph, Coordinates coordinates, const StructureFunctions& c,
                 const Matrix& connection, std::string_view group) {
  const std::size_t n = coordinates.x.size();
  const std::size_t r = coordinates.y.size();
  if (r < n)
    throw Refused("fibre coordinates of an atiyah algebroid: expected at least the " + std::to_string(n) +
                  " base velocities, got " + std::to_string(r));
  const std::size_t d = r - n;
  expect_rank("structure constants of the vertical part", c, d);
  expect_shape("connection of an atiyah algebroid", connection, n, d);
  Algebroid a = empty_algebroid("atiyah", std::move(graph), std::move(coordinates));
  for (std::size_t i = 0; i < n; ++i) a.rho(i, i) = a.graph->number(std::int64_t{1});
  a.sigma = a.rho;

  for (std::size_t C = 0; C < d; ++C) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        const Expr b = curvature(a.x, c, connection, C, i, j);
        a.c.set(n + C, i, j, simplify(-b));
        a.c.set(n + C, j, i, -a.c(n + C, i, j));
      }
      for (std::size_t A = 0; A < d; ++A) {
        Expr transport = a.graph->number(std::int64_t{0});
        for (std::size_t B = 0; B < d; ++B) transport += c(C, A, B) * connection(i, B);
        a.c.set(n + C, i, n + A, transport);
        a.c.set(n + C, n + A, i, -transport);
      }
    }
    for (std::size_t A = 0; A < d; ++A)
      for (std::size_t B = 0; B < d; ++B) a.c.set(n + C, n + A, n + B, c(C, A, B));
  }
  promise_lie(a);
  if (is_lie_algebra(c, a.x)) a.integration = trivialised(a, c, connection, group);
  return a;
}

}  // namespace herglotz::geometry
