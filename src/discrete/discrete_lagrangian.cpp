#include "herglotz/discrete/discrete_lagrangian.hpp"

#include <stdexcept>

namespace herglotz::discrete {

DiscreteLagrangian discrete_symbols(const mechanics::System& system) {
  if (!geometry::is_tangent(system.algebroid))
    throw std::invalid_argument(
        "a discrete Lagrangian needs fibre coordinates that are the velocities of the base; those of this " +
        system.algebroid.kind + " algebroid are not");
  auto& graph = system.graph();
  DiscreteLagrangian symbols;
  for (const auto& x : system.algebroid.x) {
    symbols.q0.push_back(graph.symbol(std::string(x.name()) + "0"));
    symbols.q1.push_back(graph.symbol(std::string(x.name()) + "1"));
  }
  symbols.z0 = graph.symbol(std::string(system.z.name()) + "0");
  symbols.z1 = graph.symbol(std::string(system.z.name()) + "1");
  symbols.t0 = graph.symbol(std::string(system.t.name()) + "0");
  symbols.h = graph.symbol("h");
  symbols.ell = graph.number(0);
  symbols.rule = "given";
  return symbols;
}

}  // namespace herglotz::discrete
