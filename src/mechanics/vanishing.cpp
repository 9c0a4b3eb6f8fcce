#include "vanishing.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/magnitude.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {

using symbolic::Expr;

bool is_nonzero_somewhere(Expr f) {
  if (f.is_zero()) return false;
  const std::array<Expr, 2> outputs{f, symbolic::magnitude(f)};
  const auto symbols = symbolic::free_symbols(outputs);
  std::vector<double> values;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    values.push_back(0.3 + std::fmod(0.618034 * static_cast<double>(i + 1), 1.0));
  const auto found = symbolic::evaluate(outputs, symbols, values);
  return std::isfinite(found[1]) && std::abs(found[0]) > 1e-9 * found[1];
}

bool vanishes(Expr f) {
  return f.is_zero() || (!is_nonzero_somewhere(f) && symbolic::simplify(symbolic::expand(f)).is_zero());
}

}  // namespace herglotz::mechanics
