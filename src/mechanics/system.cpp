#include "herglotz/mechanics/system.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::mechanics {
namespace {

/// The role of every name that is in use.
class Names {
 public:
  Expr take(symbolic::Graph& graph, const std::string& name, const std::string& role) {
    claim(name, role);
    return graph.symbol(name);
  }
  void claim(const std::string& name, const std::string& role) {
    const auto [at, fresh] = roles_.emplace(name, role);
    if (!fresh)
      throw Refused("name '" + name + "': expected a name of its own for " + role + ", got one that is already " +
                    at->second);
  }

 private:
  std::map<std::string, std::string> roles_;
};

}  // namespace

System make_system(geometry::Algebroid algebroid, std::string_view action, std::string_view time) {
  System system;
  symbolic::Graph& graph = *algebroid.graph;
  Names names;
  for (const Expr& x : algebroid.x) names.claim(std::string(x.name()), "a base coordinate");
  for (const Expr& y : algebroid.y) names.claim(std::string(y.name()), "a fibre coordinate");
  system.z = names.take(graph, std::string(action), "the action");
  system.t = names.take(graph, std::string(time), "time");
  for (const Expr& y : algebroid.y) {
    const std::string fibre(y.name());
    system.p.push_back(names.take(graph, "p_" + fibre, "the momentum of " + fibre));
  }
  system.energy = names.take(graph, "energy", "the energy");
  system.generator = graph.number(std::int64_t{0});
  system.forces.assign(algebroid.r(), graph.number(std::int64_t{0}));
  system.algebroid = std::move(algebroid);
  return system;
}

void constrain(System& system, Rule rule, std::vector<Expr> equations) {
  if (rule == Rule::none && !equations.empty())
    throw Refused("constraints: expected a nonholonomic or vakonomic rule, got none");
  const std::string letter = rule == Rule::vakonomic ? "nu" : "lambda";
  Constraints constraints{equations.empty() ? Rule::none : rule, std::move(equations), {}};
  std::set<std::string_view> taken{system.z.name(), system.t.name(), system.energy.name()};
  for (const auto* symbols : {&system.algebroid.x, &system.algebroid.y, &system.p})
    for (const Expr& symbol : *symbols) taken.insert(symbol.name());
  for (const Parameter& parameter : system.parameters) taken.insert(parameter.symbol.name());
  for (std::size_t k = 1; k <= constraints.equations.size(); ++k) {
    const std::string name = letter + std::to_string(k);
    if (taken.count(name) != 0)
      throw Refused("name '" + name + "': expected a name of its own for the multiplier of constraint " +
                    std::to_string(k) + ", got one that is already in use");
    constraints.multipliers.push_back(system.graph().symbol(name));
  }
  system.constraints = std::move(constraints);
}

System with_constraints(const System& system, const std::vector<std::size_t>& kept) {
  System result = system;
  result.constraints.equations.clear();
  result.constraints.multipliers.clear();
  for (const std::size_t k : kept) {
    result.constraints.equations.push_back(system.constraints.equations.at(k));
    result.constraints.multipliers.push_back(system.constraints.multipliers.at(k));
  }
  if (kept.empty()) result.constraints.rule = Rule::none;
  std::vector<Expr> removed;
  for (std::size_t k = 0; k < system.constraints.multipliers.size(); ++k)
    if (std::find(kept.begin(), kept.end(), k) == kept.end()) removed.push_back(system.constraints.multipliers[k]);
  const std::vector<Expr> zeros(removed.size(), system.graph().number(std::int64_t{0}));
  if (removed.empty()) return result;
  const auto without = [&](const Expr& f) { return symbolic::substitute(symbolic::expand_lets(f), removed, zeros); };
  for (Event& event : result.events) change_functions(event, without);
  for (Observable& observable : result.observables) observable.value = without(observable.value);
  for (Expr& force : result.forces) force = without(force);
  for (Friction& friction : result.frictions)
    for (Expr* f : {&friction.normal, &friction.held, &friction.slid, &friction.force}) *f = without(*f);
  return result;
}

}  // namespace herglotz::mechanics
