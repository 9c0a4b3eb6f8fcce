#include "integration.hpp"
#include "shapes.hpp"

namespace herglotz::geometry {

Algebroid lie_algebra(std::shared_ptr<Graph> graph, Coordinates coordinates, StructureFunctions c,
                      std::string_view group) {
  expect_count("base coordinates of a Lie algebra", 0, coordinates.x.size());
  expect_rank("structure constants of a Lie algebra", c, coordinates.y.size());
  Algebroid a = empty_algebroid("lie-algebra", std::move(graph), std::move(coordinates));
  a.c = std::move(c);
  promise_lie(a);
  a.integration = integrate_if_lie(a, single_factor(group, a.r()));
  return a;
}

}  // namespace herglotz::geometry
