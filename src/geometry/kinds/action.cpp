#include "integration.hpp"
#include "shapes.hpp"

namespace herglotz::geometry {

Algebroid action(std::shared_ptr<Graph> graph, Coordinates coordinates, StructureFunctions c, const Matrix& generators,
                 std::string_view group) {
  const std::size_t n = coordinates.x.size();
  const std::size_t r = coordinates.y.size();
  expect_rank("structure constants of an action algebroid", c, r);
  expect_shape("generators of an action algebroid", generators, r, n);
  Algebroid a = empty_algebroid("action", std::move(graph), std::move(coordinates));
  a.rho = n == 0 ? a.rho : transpose(generators);
  a.sigma = a.rho;
  a.c = std::move(c);
  promise_lie(a);
  a.integration = integrate_if_lie(a, single_factor(group, a.r()));
  return a;
}

}  // namespace herglotz::geometry
