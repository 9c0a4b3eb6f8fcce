#include "herglotz/simulate/related.hpp"

#include <algorithm>

#include "carried.hpp"
#include "herglotz/error.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/mechanics/constrained_geometry.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/mechanics/extended_multiplier.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::simulate {
namespace {

using mechanics::Formulation;
using mechanics::System;
using symbolic::Expr;

/// Evaluator of functions of (x, y, z, t) and parameters at the start of a problem; what it does not give is 0.
class AtStart {
 public:
  explicit AtStart(const Problem& problem) {
    const System& system = problem.system;
    for (const auto* list : {&system.algebroid.x, &system.w()})
      symbols_.insert(symbols_.end(), list->begin(), list->end());
    symbols_.insert(symbols_.end(), {system.z, system.t});
    for (const Expr& symbol : symbols_) {
      const auto given = problem.initial.find(symbol.name());
      values_.push_back(given == problem.initial.end() ? 0 : given->second);
    }
    for (const auto& parameter : system.parameters) {
      symbols_.push_back(parameter.symbol);
      values_.push_back(parameter.value);
    }
  }
  [[nodiscard]] double operator()(const Expr& f) const { return symbolic::evaluate(f, symbols_, values_); }

 private:
  std::vector<Expr> symbols_;
  std::vector<double> values_;
};

/// Returns a name that none of the symbols has.
std::string unused(std::string name, const std::vector<Expr>& symbols) {
  const auto taken = [&] {
    return std::any_of(symbols.begin(), symbols.end(), [&](const Expr& one) { return one.name() == name; });
  };
  while (taken()) name += "_";
  return name;
}

}  // namespace

symbolic::Scope phase_scope(const System& system) {
  symbolic::Scope scope;
  const auto add = [&](const Expr& symbol) { scope.emplace(std::string(symbol.name()), symbol); };
  for (const auto* list : {&system.algebroid.x, &system.algebroid.y, &system.p, &system.definitions})
    for (const Expr& symbol : *list) add(symbol);
  for (const auto& parameter : system.parameters) add(parameter.symbol);
  for (const Expr& symbol : {system.z, system.t, system.energy}) add(symbol);
  return scope;
}

geometry::VectorField field_along(const geometry::ConstrainedStructure& structure,
                                  const geometry::JacobiStructure& free, const Expr& f, ConstrainedField field) {
  return field == ConstrainedField::of_bracket ? structure.hamiltonian_field(f)
                                               : structure.project(free.hamiltonian_field(f));
}

Problem constrained_flow_of(const Problem& problem, const Expr& f, ConstrainedField kind) {
  const System& given = problem.system;
  const auto geometry = mechanics::constrained_geometry(given);
  std::vector<Expr> from{given.energy};
  std::vector<Expr> to{geometry.free.energy};
  if (given.formulation == Formulation::lagrangian) {
    from.insert(from.end(), given.p.begin(), given.p.end());
    to.insert(to.end(), geometry.free.equations.p.begin(), geometry.free.equations.p.end());
  }
  const Expr function = symbolic::substitute(symbolic::expand_lets(f), from, to);
  const auto field = field_along(geometry, geometry.free.jacobi, function, kind);
  for (const Expr& component : field.components)
    if (symbolic::depends_on(component, given.t))
      throw Refused("the field of the function depends on " + std::string(given.t.name()),
                    "a constrained flow is one of a function without time");
  Problem flow = flow_of_field(field, given.algebroid.graph, given.parameters, "W_" + std::string(given.z.name()),
                               std::string(given.t.name()));
  flow.settings = carried(problem.settings);
  System& system = flow.system;
  system.name = given.name;
  system.title = given.title;
  system.reference = given.reference;
  system.latex = given.latex;
  observe_constraints(flow, given.constraints.equations);
  const InitialState start = full_start(problem);
  for (const Expr& symbol : field.u)
    if (const auto value = start.find(symbol.name()); value != start.end()) flow.initial.insert(*value);
  if (const auto t0 = start.find(given.t.name()); t0 != start.end()) flow.initial.insert(*t0);
  return flow;
}

Problem flow_of_field(const geometry::VectorField& field, const std::shared_ptr<symbolic::Graph>& graph,
                      const std::vector<mechanics::Parameter>& parameters, const std::string& action,
                      const std::string& time) {
  auto taken = field.u;
  for (const auto& parameter : parameters) taken.push_back(parameter.symbol);
  const Expr zero = graph->number(std::int64_t{0});
  const Expr pace = graph->symbol(unused("pace", taken));
  symbolic::Matrix anchor(1, field.u.size(), zero);
  anchor.entries = field.components;
  auto algebroid = geometry::custom(graph, {field.u, {pace}}, anchor, geometry::StructureFunctions(1, zero));
  Problem flow{mechanics::make_system(std::move(algebroid), unused(action, taken), unused(time, taken)),
               {},
               {},
               {},
               std::nullopt};
  flow.system.parameters = parameters;
  flow.system.generator = pace * pace / 2.0;
  flow.initial[std::string(pace.name())] = 1;
  return flow;
}

void observe_constraints(Problem& flow, const std::vector<Expr>& constraints) {
  System& system = flow.system;
  auto taken = system.algebroid.x;
  for (const auto& parameter : system.parameters) taken.push_back(parameter.symbol);
  for (std::size_t k = 0; k < constraints.size(); ++k)
    system.observables.push_back(
        {unused("constraint_" + std::to_string(k + 1), taken), symbolic::expand_lets(constraints[k])});
}

Problem flow_of(const Problem& problem, const Expr& f) {
  const System& given = problem.system;
  const Expr opened = symbolic::expand_lets(f);
  for (const Expr& y : given.algebroid.y)
    if (symbolic::depends_on(opened, y))
      throw Refused("the function has the velocity " + std::string(y.name()),
                    "use the momentum p_" + std::string(y.name()));
  if (symbolic::depends_on(opened, given.energy))
    throw Refused("the function has the energy in it, which is a function of velocities here",
                  "write it in positions and momenta");
  Problem flow{given, {}, carried(problem.settings), {}, std::nullopt};
  System& system = flow.system;
  system.formulation = Formulation::hamiltonian;
  system.generator = opened;
  system.constraints = {};
  system.gauge = {};
  system.definitions.clear();
  system.observables.clear();
  system.dissipated.clear();
  system.events.clear();
  system.frictions.clear();
  system.smooth_forces.clear();
  std::fill(system.forces.begin(), system.forces.end(), system.graph().number(std::int64_t{0}));
  std::vector<Expr> kept = given.algebroid.x;
  kept.insert(kept.end(), given.p.begin(), given.p.end());
  kept.insert(kept.end(), {given.z, given.t});
  for (const Expr& symbol : kept)
    if (const auto start = problem.initial.find(symbol.name()); start != problem.initial.end())
      flow.initial.emplace(*start);
  const bool momenta =
      std::any_of(given.p.begin(), given.p.end(), [&](const Expr& p) { return problem.initial.contains(p.name()); });
  if (given.formulation == Formulation::lagrangian && !momenta && !problem.initial.empty()) {
    const AtStart at(problem);
    const auto p = symbolic::gradient(given.generator, given.algebroid.y);
    for (std::size_t a = 0; a < p.size(); ++a) flow.initial[std::string(given.p[a].name())] = at(p[a]);
  }
  return flow;
}

Problem extended(const Problem& problem, mechanics::Rule rule) {
  mechanics::require_no_friction(problem.system, "a system whose action is a coordinate");
  Problem to{
      mechanics::with_action_as_coordinate(problem.system, rule), {}, carried(problem.settings), {}, std::nullopt};
  const System& system = to.system;
  for (const auto& [name, value] : problem.initial) {
    const auto named = [of = std::string_view(name)](const Expr& symbol) { return symbol.name() == of; };
    for (const auto* list : {&system.algebroid.x, &system.algebroid.y})
      if (std::any_of(list->begin(), list->end(), named)) to.initial.emplace(name, value);
    if (system.t.name() == name) to.initial.emplace(name, value);
  }
  const auto& p = problem.system.p;
  const bool momenta =
      std::any_of(p.begin(), p.end(), [&](const Expr& one) { return problem.initial.contains(one.name()); });
  if (!problem.initial.empty() && !momenta)
    to.initial[std::string(system.algebroid.y.back().name())] = AtStart(problem)(problem.system.generator);
  // mu_0 = 0 at the start, so that the other multipliers are those of the given system.
  for (std::size_t k = 0; rule == mechanics::Rule::vakonomic && k < problem.system.constraints.multipliers.size();
       ++k) {
    const auto given = problem.initial.find(problem.system.constraints.multipliers[k].name());
    if (given != problem.initial.end())
      to.initial[std::string(system.constraints.multipliers[k + 1].name())] = given->second;
  }
  return to;
}

std::vector<std::string> events_left_out(const Problem& given, const Problem& made) {
  std::vector<std::string> sentences;
  const auto& kept = made.system.events;
  for (const auto& event : given.system.events) {
    if (std::any_of(kept.begin(), kept.end(), [&](const auto& one) { return one.name == event.name; })) continue;
    const char* reason = mechanics::changes_state(event) ? " changes the state" : "";
    sentences.push_back("the event " + event.name + reason);
  }
  return sentences;
}

}  // namespace herglotz::simulate
