#include <algorithm>

#include "herglotz/error.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/mechanics/reduction.hpp"
#include "herglotz/symbolic/dependence.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "herglotz/symbolic/table.hpp"

namespace herglotz::mechanics {
namespace {

/// Returns the part of an equation without velocities, if the equation is affine in them with coefficients on the base;
/// of a holonomic equation, whose rate is linear, 0.
std::optional<Expr> rest_of(const System& system, const Expr& equation) {
  std::vector<Expr> others = system.algebroid.y;
  others.insert(others.end(), {system.z, system.t});
  if (!symbolic::depends_on_any(equation, others)) return system.graph().number(std::int64_t{0});
  Expr rest = equation;
  bool restricts = false;
  for (const Expr& y : system.algebroid.y) {
    const Expr slope = symbolic::simplify(derivative(equation, y));
    if (symbolic::depends_on_any(slope, others)) return std::nullopt;
    restricts = restricts || !slope.is_zero();
    rest -= slope * y;
  }
  rest = symbolic::simplify(symbolic::expand(rest));
  if (!restricts || symbolic::depends_on_any(rest, others)) return std::nullopt;
  return rest;
}

/// Returns a name that the system does not use.
std::string unused_name(const System& system, std::string name) {
  const auto named = [](const std::string& word) {
    return [&word](const Expr& symbol) { return symbol.name() == word || symbol.name() == "p_" + word; };
  };
  const auto taken = [&](const std::string& word) {
    for (const auto* list : {&system.algebroid.x, &system.algebroid.y, &system.p, &system.definitions})
      if (std::any_of(list->begin(), list->end(), named(word))) return true;
    const auto is = [&](const auto& one) { return one.name == word; };
    return named(word)(system.z) || named(word)(system.t) ||
           std::any_of(system.parameters.begin(), system.parameters.end(),
                       [&](const Parameter& one) { return named(word)(one.symbol); }) ||
           std::any_of(system.observables.begin(), system.observables.end(), is);
  };
  while (taken(name)) name += "_";
  return name;
}

}  // namespace

std::optional<Homogenised> homogenised(const System& given) {
  if (given.formulation == Formulation::hamiltonian || given.constraints.rule != Rule::nonholonomic)
    return std::nullopt;
  auto& graph = given.graph();
  std::vector<Expr> equations;
  for (const Expr& equation : given.constraints.equations) equations.push_back(symbolic::expand_lets(equation));
  Expr clock;
  if (std::any_of(equations.begin(), equations.end(),
                  [&](const Expr& equation) { return symbolic::depends_on(equation, given.t); })) {
    for (const symbolic::NodeId id : graph.reachable(equations))
      if (graph.op(id) == symbolic::Op::table)
        throw Refused("a constraint depends on the input '" + graph.table(id)->name + "', and an algebroid may not",
                      "write it as an expression in time", "[constraints]");
    clock = graph.symbol(unused_name(given, "clock"));
    for (Expr& equation : equations)
      equation = symbolic::substitute(equation, std::vector{given.t}, std::vector{clock});
  }
  std::vector<Expr> rests;
  for (const Expr& equation : equations) {
    const auto rest = rest_of(given, equation);
    if (!rest) return std::nullopt;
    rests.push_back(*rest);
  }
  if (!clock.valid() && std::all_of(rests.begin(), rests.end(), [](const Expr& rest) { return rest.is_zero(); }))
    return std::nullopt;

  const Expr zero = graph.number(std::int64_t{0});
  const Expr one = graph.number(std::int64_t{1});
  const Expr pace = graph.symbol(unused_name(given, "pace"));
  const auto line =
      clock.valid() ? geometry::tangent(given.algebroid.graph, {{clock}, {pace}})
                    : geometry::lie_algebra(given.algebroid.graph, {{}, {pace}}, geometry::StructureFunctions(1, zero));
  Homogenised result{given, pace, clock};
  System& system = result.system;
  system.algebroid = geometry::product({given.algebroid, line});
  system.p.push_back(graph.symbol("p_" + std::string(pace.name())));
  system.forces.push_back(zero);
  for (Symmetry& symmetry : system.symmetries) symmetry.section.push_back(zero);
  system.generator = symbolic::expand_lets(given.generator) + (pace - one) * (pace - one) / 2.0;
  for (std::size_t k = 0; k < rests.size(); ++k)
    system.constraints.equations[k] = equations[k] + rests[k] * (pace - one);
  return result;
}

}  // namespace herglotz::mechanics
