#include "herglotz/geometry/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::geometry {

bool vanishes(symbolic::Expr f) {
  if (f.is_number()) return f.value() == 0;
  std::vector<symbolic::Expr> outputs{f};
  if (f.op() == symbolic::Op::add)
    for (std::size_t i = 0; i < f.arity(); ++i) outputs.push_back(f.child(i));
  const auto symbols = symbolic::free_symbols(outputs);
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(0.2, 1.7);
  std::vector<double> point(symbols.size());
  bool judged = false;
  for (int sample = 0; sample < 12; ++sample) {
    for (double& value : point) value = uniform(engine);
    const auto values = symbolic::evaluate(outputs, symbols, point);
    double size = 1;
    for (const double value : values) size = std::max(size, std::abs(value));
    if (!std::isfinite(size)) continue;
    judged = true;
    if (std::abs(values[0]) > 1e-11 * size) return false;
  }
  return judged;
}

}  // namespace herglotz::geometry
