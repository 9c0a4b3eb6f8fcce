#include "herglotz/integrate/exponential.hpp"

#include "groupoid/retraction.hpp"

namespace herglotz::integrate {

std::optional<LogarithmSlopes> logarithm_slopes(std::span<const double> constants, std::span<const double> eta) {
  const std::size_t r = eta.size();
  Retraction<double> exponential(RetractionKind::exponential, r);
  exponential.take(0, group_structure(RetractionKind::exponential, r, constants, {}));
  if (!exponential.at(eta.data())) return std::nullopt;
  const auto& D = exponential.inverse_differential();
  LogarithmSlopes slopes;
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < r; ++j) {
      slopes.left.push_back(D(i, j));
      slopes.right.push_back(D(i, j) + (exponential.trivial() ? 0.0 : exponential.ad()(i, j)));
    }
  return slopes;
}

}  // namespace herglotz::integrate
