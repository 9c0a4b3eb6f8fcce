#include <stdexcept>

#include "shapes.hpp"

namespace herglotz::geometry {
namespace {

void place(Matrix& into, const Matrix& block, std::size_t row, std::size_t col) {
  for (std::size_t i = 0; i < block.rows; ++i)
    for (std::size_t j = 0; j < block.cols; ++j) into(row + i, col + j) = block(i, j);
}

}  // namespace

Algebroid product(const std::vector<Algebroid>& factors) {
  if (factors.empty()) throw std::invalid_argument("product algebroid: expected at least one factor, got 0");
  Coordinates coordinates;
  for (const Algebroid& factor : factors) {
    if (factor.graph != factors.front().graph)
      throw std::invalid_argument("product algebroid: expected all factors in one graph, got several graphs");
    coordinates.x.insert(coordinates.x.end(), factor.x.begin(), factor.x.end());
    coordinates.y.insert(coordinates.y.end(), factor.y.begin(), factor.y.end());
  }
  Algebroid a = empty_algebroid("product", factors.front().graph, std::move(coordinates));
  std::size_t base = 0;
  std::size_t fibre = 0;
  for (const Algebroid& factor : factors) {
    place(a.rho, factor.rho, base, fibre);
    place(a.sigma, factor.sigma, base, fibre);
    for (std::size_t k = 0; k < factor.r(); ++k)
      for (std::size_t i = 0; i < factor.r(); ++i)
        for (std::size_t j = 0; j < factor.r(); ++j) a.c(fibre + k, fibre + i, fibre + j) = factor.c(k, i, j);
    base += factor.n();
    fibre += factor.r();
  }
  return a;
}

}  // namespace herglotz::geometry
