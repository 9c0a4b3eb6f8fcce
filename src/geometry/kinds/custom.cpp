#include "integration.hpp"
#include "shapes.hpp"

namespace herglotz::geometry {

Algebroid custom(std::shared_ptr<Graph> graph, Coordinates coordinates, const Matrix& anchor, StructureFunctions c,
                 const std::optional<Matrix>& right_anchor) {
  const std::size_t n = coordinates.x.size();
  const std::size_t r = coordinates.y.size();
  expect_rank("structure functions of a custom algebroid", c, r);
  expect_shape("anchor of a custom algebroid", anchor, r, n);
  if (right_anchor) expect_shape("right anchor of a custom algebroid", *right_anchor, r, n);
  Algebroid a = empty_algebroid("custom", std::move(graph), std::move(coordinates));
  if (n > 0 && r > 0) {
    a.rho = transpose(anchor);
    a.sigma = right_anchor ? transpose(*right_anchor) : a.rho;
  }
  a.c = std::move(c);
  a.integration = integrate_if_lie(a);
  if (!a.integration) a.integration = integrate_rescaled(a);
  if (!a.integration) a.integration = integrate_along_leaves(a);
  if (!a.integration) a.integration = integrate_by_own_functions(a);
  return a;
}

}  // namespace herglotz::geometry
