#include "herglotz/control/states.hpp"

#include <string>

#include "herglotz/geometry/builders.hpp"

namespace herglotz::control {

mechanics::System system_of_states(const mechanics::System& of, const std::vector<symbolic::Expr>& states) {
  std::vector<symbolic::Expr> rates;
  for (const auto& state : states) rates.push_back(of.graph().symbol("rate(" + std::string(state.name()) + ")"));
  mechanics::System system =
      mechanics::make_system(geometry::tangent(of.algebroid.graph, {states, rates}), "action()", of.t.name());
  system.name = of.name;
  system.parameters = of.parameters;
  return system;
}

}  // namespace herglotz::control
