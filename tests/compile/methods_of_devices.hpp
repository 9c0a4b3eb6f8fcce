#pragma once
/// Methods that devices are tested with.

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "herglotz/kernel/embedded_pair.hpp"
#include "herglotz/kernel/explicit_tableau.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::compile::test {

/// The classical method of order 4.
inline kernel::ExplicitTableau classical() {
  return {{0, 0.5, 0.5, 1}, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};
}

/// Heun's method with Euler's, of orders 2 and 1.
inline kernel::EmbeddedPair euler() {
  kernel::EmbeddedPair pair;
  pair.c = {0, 1};
  pair.A = {{}, {1}};
  pair.b = {0.5, 0.5};
  pair.difference = {-0.5, 0.5};
  return pair;
}

/// A step of two sums on which it depends and one on which it does not, with a constant of a substep.
inline symbolic::Program composed_step() {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto q = graph->symbol("q");
  const auto p = graph->symbol("p");
  const auto t = graph->symbol("t");
  const auto h = graph->symbol("h");
  const auto c = graph->symbol("c");
  const auto k = graph->symbol("k");
  return {"step", graph, {q, p, t, h, c}, {k}, {h * (p - k * sin(q)) * c, -h * k * sin(q + t * c), h * exp(-q * q)}};
}

inline constexpr std::size_t substeps = 3;

/// A table of substeps: time from the start of the step, size and constant of each.
inline std::vector<double> table_of(double h, std::size_t run) {
  std::vector<double> table;
  for (const auto& [start, fraction] : {std::pair{0.0, 0.3}, std::pair{0.3, 0.5}, std::pair{0.8, 0.2}})
    table.insert(table.end(), {start * h, fraction * h, 1 + 0.1 * static_cast<double>(run) * fraction});
  return table;
}

}  // namespace herglotz::compile::test
