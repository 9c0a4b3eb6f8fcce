#include "shapes.hpp"

namespace herglotz::geometry {

Algebroid tangent(std::shared_ptr<Graph> graph, Coordinates coordinates) {
  expect_count("fibre coordinates of a tangent bundle (one velocity for each base coordinate)", coordinates.x.size(),
               coordinates.y.size());
  Algebroid a = empty_algebroid("tangent", std::move(graph), std::move(coordinates));
  a.rho = symbolic::identity(*a.graph, a.n());
  a.sigma = a.rho;
  return a;
}

}  // namespace herglotz::geometry
