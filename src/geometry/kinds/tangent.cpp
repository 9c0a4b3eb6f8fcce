#include "integration.hpp"
#include "shapes.hpp"

namespace herglotz::geometry {

Algebroid tangent(std::shared_ptr<Graph> graph, Coordinates coordinates) {
  expect_count("fibre coordinates of a tangent bundle (one velocity for each base coordinate)", coordinates.x.size(),
               coordinates.y.size());
  Algebroid a = empty_algebroid("tangent", std::move(graph), std::move(coordinates));
  a.rho = symbolic::identity(*a.graph, a.n());
  a.sigma = a.rho;
  promise_lie(a);
  a.integration = as_it_stands(a, single_factor("abelian", a.r()));
  return a;
}

bool is_tangent(const Algebroid& algebroid) {
  if (algebroid.n() != algebroid.r()) return false;
  const auto identity = symbolic::identity(*algebroid.graph, algebroid.n());
  return algebroid.rho.entries == identity.entries && algebroid.sigma.entries == identity.entries &&
         algebroid.c.nonzero().empty();
}

}  // namespace herglotz::geometry
