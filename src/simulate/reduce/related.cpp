#include "herglotz/simulate/related.hpp"

#include <algorithm>

#include "carried.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/friction.hpp"
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

}  // namespace

Problem flow_of(const Problem& problem, const Expr& f) {
  const System& given = problem.system;
  const Expr opened = symbolic::expand_lets(f);
  for (const Expr& y : given.algebroid.y)
    if (symbolic::depends_on(opened, y))
      throw Refused("the function has the velocity " + std::string(y.name()),
                    "use the momentum p_" + std::string(y.name()));
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

}  // namespace herglotz::simulate
