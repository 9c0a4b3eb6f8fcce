#include "herglotz/mechanics/extended_multiplier.hpp"

#include <string>

#include "herglotz/error.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/mechanics/constraints.hpp"

namespace herglotz::mechanics {
namespace {

void check(const System& system, Rule rule, const std::string& velocity, const std::string& action) {
  if (system.formulation != Formulation::lagrangian)
    throw Refused("the action as a coordinate: expected a Lagrangian system, got a Hamiltonian one");
  if (rule == Rule::none || (system.constraints.rule != Rule::none && system.constraints.rule != rule))
    throw Refused("the action as a coordinate: expected " +
                  std::string(rule == Rule::none ? "a rule" : "the rule of the system's constraints") + ", got " +
                  (rule == Rule::none ? "none" : "another one"));
  for (const Parameter& parameter : system.parameters)
    if (parameter.symbol.name() == velocity || parameter.symbol.name() == action)
      throw Refused("name '" + std::string(parameter.symbol.name()) +
                    "': expected a name of its own for the action as a coordinate, got a parameter's");
}

}  // namespace

System with_action_as_coordinate(const System& system, Rule rule) {
  const std::string action(system.z.name());
  const std::string velocity = action + "_dot";
  const std::string unused = "W_" + action;
  check(system, rule, velocity, unused);
  const auto& graph = system.algebroid.graph;
  const Expr z_dot = graph->symbol(velocity);
  const auto line = geometry::tangent(graph, {{system.z}, {z_dot}});
  System extended = make_system(geometry::product({system.algebroid, line}), unused, system.t.name());
  extended.name = system.name;
  extended.title = system.title;
  extended.reference = system.reference;
  extended.generator = system.generator;
  extended.parameters = system.parameters;
  extended.definitions = system.definitions;
  std::vector<Expr> equations{z_dot - system.generator};
  for (const Expr& equation : system.constraints.equations) equations.push_back(velocity_constraint(system, equation));
  constrain(extended, rule, std::move(equations));
  const Expr weight = 1.0 + extended.constraints.multipliers.front();
  for (std::size_t a = 0; a < system.r(); ++a)
    extended.forces[a] = rule == Rule::vakonomic ? weight * system.forces[a] : system.forces[a];
  return extended;
}

}  // namespace herglotz::mechanics
