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
  if (algebroid.rho.entries != identity.entries || algebroid.sigma.entries != identity.entries) return false;
  for (std::size_t k = 0; k < algebroid.r(); ++k)
    for (std::size_t i = 0; i < algebroid.r(); ++i)
      for (std::size_t j = 0; j < algebroid.r(); ++j)
        if (!algebroid.c(k, i, j).is_zero()) return false;
  return true;
}

}  // namespace herglotz::geometry
