
#include "herglotz/error.hpp"
#include "shapes.hpp"

namespace herglotz::geometry {
namespace {

void place(Matrix& into, const Matrix& block, std::size_t row, std::size_t col) {
  for (std::size_t i = 0; i < block.rows; ++i)
    for (std::size_t j = 0; j < block.cols; ++j) into(row + i, col + j) = block(i, j);
}

void place(StructureFunctions& into, const StructureFunctions& block, std::size_t fibre) {
  for (const auto& [place, value] : block.nonzero()) {
    const auto& [k, i, j] = place;
    into.set(fibre + k, fibre + i, fibre + j, value);
  }
}

/// Returns the product of the groups, or `std::nullopt` if a factor has none.
std::optional<Integration> integrated(const Algebroid& product, const std::vector<Algebroid>& factors) {
  const Expr zero = product.graph->number(0);
  const std::size_t r = product.r();
  Integration made{Matrix(r, r, zero), StructureFunctions(r, zero), Matrix(product.n(), r, zero), {}};
  std::size_t base = 0;
  std::size_t fibre = 0;
  bool named = true;
  for (const Algebroid& factor : factors) {
    if (!factor.integration) return std::nullopt;
    const Integration& part = *factor.integration;
    place(made.frame, part.frame, fibre, fibre);
    place(made.rho, part.rho, base, fibre);
    place(made.c, part.c, fibre);
    for (const GroupFactor& group : part.factors)
      made.factors.push_back({group.group, fibre + group.first, group.size});
    named = named && (!part.factors.empty() || factor.r() == 0);
    base += factor.n();
    fibre += factor.r();
  }
  if (!named) made.factors.clear();
  return made;
}

}  // namespace

Algebroid product(const std::vector<Algebroid>& factors) {
  if (factors.empty()) throw Refused("product algebroid: expected at least one factor, got 0");
  Coordinates coordinates;
  for (const Algebroid& factor : factors) {
    if (factor.graph != factors.front().graph)
      throw Refused("product algebroid: expected all factors in one graph, got several graphs");
    coordinates.x.insert(coordinates.x.end(), factor.x.begin(), factor.x.end());
    coordinates.y.insert(coordinates.y.end(), factor.y.begin(), factor.y.end());
  }
  Algebroid a = empty_algebroid("product", factors.front().graph, std::move(coordinates));
  std::size_t base = 0;
  std::size_t fibre = 0;
  for (const Algebroid& factor : factors) {
    place(a.rho, factor.rho, base, fibre);
    place(a.sigma, factor.sigma, base, fibre);
    place(a.c, factor.c, fibre);
    for (const Promise& promise : factor.promises)
      a.promises.push_back(
          {promise.kind, base + promise.first_base, promise.n, fibre + promise.first_fibre, promise.r});
    base += factor.n();
    fibre += factor.r();
  }
  a.integration = integrated(a, factors);
  return a;
}

}  // namespace herglotz::geometry
