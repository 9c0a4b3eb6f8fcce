#include "herglotz/mechanics/events/switches.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "switches/comparisons.hpp"
#include "switches/friction_switches.hpp"
#include "switches/holding_force.hpp"
#include "switches/on_side.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::NodeId;
using symbolic::Op;

/// Returns whether there is a comparison in the equations, whatever it depends on.
bool compares(const System& system) {
  std::vector<Expr> values{system.generator};
  values.insert(values.end(), system.forces.begin(), system.forces.end());
  values.insert(values.end(), system.constraints.equations.begin(), system.constraints.equations.end());
  return mechanics::compares(system.graph(), values);
}

/// Replacement of the comparisons in a list of expressions, innermost ones first.
class Replacement {
 public:
  Replacement(const System& system, std::vector<Expr*> roots) : graph_(system.graph()), roots_(std::move(roots)) {
    for (const auto* list : {&system.algebroid.x, &system.algebroid.y, &system.p})
      for (const Expr& symbol : *list) moving_.insert(symbol.id());
    moving_.insert(system.z.id());
    moving_.insert(system.t.id());
  }

  /// Replaces all comparisons, and returns their switches with the functions that are compared.
  std::vector<std::pair<Switch, Expr>> operator()() {
    for (Expr* root : roots_) *root = symbolic::expand_lets(*root);
    while (true) {
      std::vector<Expr> from;
      std::vector<Expr> to;
      find(from, to);
      if (from.empty()) return std::move(switches_);
      std::vector<Expr> values;
      for (const Expr* root : roots_) values.push_back(*root);
      for (const Comparison& one : comparisons_) values.push_back(one.now);
      values = symbolic::substitute(values, from, to);
      for (std::size_t k = 0; k < roots_.size(); ++k) *roots_[k] = values[k];
      for (std::size_t k = 0; k < comparisons_.size(); ++k) comparisons_[k].now = values[roots_.size() + k];
    }
  }

 private:
  /// A comparison with another one inside.
  struct Comparison {
    Expr written;
    Expr now;  ///< with parameters in place of those inside that have been replaced
  };

  /// Finds the comparisons that no other comparison is an operand of, with what takes their place.
  void find(std::vector<Expr>& from, std::vector<Expr>& to) {
    std::vector<Expr> values;
    for (const Expr* root : roots_) values.push_back(*root);
    const bool first = switches_.empty();
    std::map<NodeId, bool> moves;     // whether a node depends on the state or on time
    std::map<NodeId, bool> switches;  // whether there is a comparison in it
    for (const NodeId id : graph_.reachable(values)) {
      const Op op = graph_.op(id);
      const auto children = graph_.children(id);
      const auto is = [](const std::map<NodeId, bool>& of) { return [&of](NodeId child) { return of.at(child); }; };
      moves[id] = moving_.contains(id) || std::any_of(children.begin(), children.end(), is(moves));
      switches[id] = std::any_of(children.begin(), children.end(), is(switches));
      const auto operands = children.first(compared(op));
      if (operands.empty() || std::none_of(operands.begin(), operands.end(), is(moves))) continue;
      if (std::none_of(operands.begin(), operands.end(), is(switches)) && !switches[id]) {
        from.emplace_back(graph_, id);
        to.push_back(outcome(from.back(), mode(from.back())));
      } else if (first) {
        const Expr outer(graph_, id);
        comparisons_.push_back({outer, outer});
      }
      switches[id] = true;
    }
  }

  /// Returns a comparison as it was before any other one inside was replaced.
  [[nodiscard]] Expr as_written(const Expr& f) const {
    const auto same = [&](const Comparison& one) { return one.now == f; };
    const auto known = std::find_if(comparisons_.begin(), comparisons_.end(), same);
    return known == comparisons_.end() ? f : known->written;
  }

  /// Returns the parameter of a comparison: one parameter for all comparisons of a function and of its opposite.
  Expr mode(const Expr& comparison) {
    const Expr function = function_of(comparison);
    const bool rounds = comparison.op() == Op::floor;
    for (const auto& [known, of] : switches_) {
      if (known.rounds != rounds) continue;
      if (of == function) return known.mode;
      if (!rounds && of == -function) return -known.mode;
    }
    Switch found;
    found.text = symbolic::print(function_of(as_written(comparison)));
    found.mode = graph_.symbol("switch " + std::to_string(switches_.size() + 1));
    found.rounds = rounds;
    switches_.emplace_back(found, function);
    return found.mode;
  }

  symbolic::Graph& graph_;
  std::vector<Expr*> roots_;
  std::set<NodeId> moving_;
  std::vector<Comparison> comparisons_;
  std::vector<std::pair<Switch, Expr>> switches_;
};

/// Appends the events of a switch to those of the system.
void add_events(System& system, Switch& one, Expr function) {
  one.first_event = system.events.size();
  one.function = function;
  if (one.rounds) {
    system.events.push_back({one.text, function - one.mode});
    system.events.push_back({one.text, one.mode + 1.0 - function});
  } else if (one.plane) {
    system.events.push_back({one.text, function - one.plane->parameters[3]});
    system.events.push_back({one.text, one.plane->parameters[4] - function});
  } else {
    system.events.push_back({one.text, one.mode * function});
  }
}

/// Returns whether f is a + b s with the mode s of a switch.
bool is_affine(const Switch& one, const Expr& f) {
  const auto has_mode = [&](const Expr& part) { return symbolic::depends_on(part, one.mode); };
  if (has_mode(symbolic::derivative(f, one.mode))) return false;
  symbolic::Graph& graph = one.mode.graph();
  const std::vector<Expr> values{f};
  const auto nodes = graph.reachable(values);
  return std::none_of(nodes.begin(), nodes.end(), [&](NodeId id) {
    const auto operands = graph.children(id).first(compared(graph.op(id)));
    return std::any_of(operands.begin(), operands.end(), [&](NodeId child) { return has_mode(Expr(graph, child)); });
  });
}

/// Returns half the difference of the values of f on both sides of a switch.
Expr half_jump(const Switch& one, const Expr& f) {
  if (is_affine(one, f)) return symbolic::derivative(f, one.mode);
  return (on_side(one, f, 1) - on_side(one, f, -1)) / 2;
}

/// Forces along dg/dy on both sides of a switch with the function g, beside the mean of both.
struct Reaction {
  Expr forwards;   ///< where g is positive
  Expr backwards;  ///< where it is negative, with the opposite sign
};

/// Returns the reaction of a switch that may be held: of a friction minus its largest forces, else k in the forces
/// F0 + s k dg/dy with s = 1 and s = -1 on both sides. Returns `std::nullopt` if the forces have another form.
std::optional<Reaction> reaction(const SwitchedSystem& switched, std::size_t at) {
  const System& system = switched.system;
  const Switch& one = switched.switches[at];
  if (one.friction) return Reaction{-on_side(one, one.largest, 1), -on_side(one, one.largest, -1)};
  const auto depends = [&](const Expr& f) { return symbolic::depends_on(f, one.mode); };
  const auto& equations = system.constraints.equations;
  if (one.rounds || system.formulation != Formulation::lagrangian || system.constraints.rule == Rule::vakonomic ||
      depends(system.generator) || std::any_of(equations.begin(), equations.end(), depends))
    return std::nullopt;
  std::optional<Expr> result;
  std::vector<Expr> slopes;
  std::vector<Expr> along;
  for (std::size_t a = 0; a < system.r(); ++a) {
    slopes.push_back(symbolic::simplify(symbolic::derivative(one.function, system.algebroid.y[a])));
    along.push_back(symbolic::simplify(half_jump(one, system.forces[a])));
    if (!result && !slopes[a].is_zero()) result = symbolic::simplify(along[a] / slopes[a]);
  }
  for (std::size_t a = 0; a < system.r() && result; ++a)
    if (!symbolic::simplify(symbolic::expand(along[a] - *result * slopes[a])).is_zero()) return std::nullopt;
  if (!result) return std::nullopt;
  return Reaction{*result, *result};
}

}  // namespace

bool may_slide(const SwitchedSystem& switched, std::size_t k) {
  return reaction(switched, k).has_value();
}

bool is_held(const Holds& holds) {
  return std::any_of(holds.begin(), holds.end(), [](Hold hold) { return hold != Hold::none && hold != Hold::share; });
}

SwitchedSystem held(const SwitchedSystem& switched, const Holds& holds) {
  SwitchedSystem result = switched;
  System& system = result.system;
  system.observables.clear();
  system.events.resize(switched.switches.front().first_event);
  std::vector<Expr> equations = system.constraints.equations;
  std::vector<Expr> modes;
  for (std::size_t k = 0; k < holds.size(); ++k) {
    Switch& one = result.switches[k];
    one.hold = holds[k];
    if (one.hold == Hold::none) continue;
    if (one.hold == Hold::share && !one.plane) {
      let_share(result, one);
      continue;
    }
    modes.push_back(one.mode);
    for (std::size_t i = 0; i < one.velocities(); ++i)
      if (one.holds(i)) equations.push_back(one.plane ? one.plane->velocities[i] : one.function);
  }
  // Forces have their mean where the motion is held. That of a + b s is their value for s = 0.
  for (std::size_t k = 0; k < holds.size(); ++k) {
    const Switch& one = switched.switches[k];
    if (holds[k] != Hold::constraint || one.friction) continue;
    const auto take_mean = [&](std::vector<Expr>& forces) {
      for (Expr& force : forces)
        if (!is_affine(one, force)) force = (on_side(one, force, 1) + on_side(one, force, -1)) / 2;
    };
    take_mean(system.forces);
    for (FrictionWork& work : result.works) take_mean(work.forces);
    for (Switch& other : result.switches)
      if (other.plane) take_mean(other.plane->forces);
  }
  const std::vector<Expr> zeros(modes.size(), system.graph().number(0));
  system.forces = symbolic::substitute(system.forces, modes, zeros);
  for (FrictionWork& work : result.works) work.forces = symbolic::substitute(work.forces, modes, zeros);
  for (Switch& one : result.switches)
    if (one.plane) one.plane->forces = symbolic::substitute(one.plane->forces, modes, zeros);
  std::size_t multiplier = system.constraints.equations.size();
  const std::size_t holding = equations.size() - multiplier;
  if (!modes.empty()) system.constraints.rule = Rule::nonholonomic;
  system.constraints.equations = std::move(equations);
  for (std::size_t k = 1; k <= holding; ++k) system.constraints.multipliers.push_back(holding_force(system.graph(), k));
  for (std::size_t k = 0; k < holds.size(); ++k) {
    Switch& one = result.switches[k];
    if (one.hold == Hold::share && !one.plane) {
      one.first_event = system.events.size();
      Expr room = system.graph().number(1);
      if (one.change)
        room = one.change->parameters[2] -
               symbolic::abs(one.change->parameters[0]) * (system.t - one.change->parameters[1]);
      system.events.push_back({one.text, room});
      continue;
    }
    if (one.hold == Hold::none) {
      add_events(system, one, one.function);
      continue;
    }
    one.first_event = system.events.size();
    if (one.plane) {
      for (std::size_t i = 0; i < 2; ++i)
        one.plane->forces[i] =
            one.holds(i) ? system.constraints.multipliers[multiplier++] : share_in_plane(system, one, i);
      result.works[one.work].forces = one.plane->forces;
      // Squares are smooth where the force vanishes.
      system.events.push_back({one.text, symbolic::pow(one.largest, 2) - symbolic::pow(one.plane->forces[0], 2) -
                                             symbolic::pow(one.plane->forces[1], 2)});
      continue;
    }
    const Expr force = system.constraints.multipliers[multiplier++];
    if (one.friction) result.works[one.work].forces = {force};
    const Reaction largest = *reaction(switched, k);
    system.events.push_back({one.text, force - largest.forwards});
    system.events.push_back({one.text, -(force + largest.backwards)});
  }
  add_plane_events(result);
  add_share_events(result);
  return result;
}

std::optional<SwitchedSystem> switched(const System& system) {
  if (!compares(system) && system.frictions.empty()) return std::nullopt;
  SwitchedSystem result{system, {}};
  System& with = result.system;
  auto frictions = frictions_of(with, result.works);
  std::vector<Expr*> roots{&with.generator};
  for (Expr& force : with.forces) roots.push_back(&force);
  for (Expr& equation : with.constraints.equations) roots.push_back(&equation);
  for (auto& [one, function] : frictions) {
    roots.push_back(&one.largest);
    if (!one.plane) continue;
    for (Expr& force : one.plane->forces) roots.push_back(&force);
  }
  for (FrictionWork& work : result.works)
    for (Expr& force : work.forces) roots.push_back(&force);
  auto found = Replacement(system, std::move(roots))();
  found.insert(found.end(), frictions.begin(), frictions.end());
  if (found.empty()) return std::nullopt;
  for (auto& [one, function] : found) {
    with.parameters.push_back({one.mode, 1.0});
    add_events(with, one, function);
    result.switches.push_back(std::move(one));
  }
  add_changes(with, result.switches);
  std::size_t parameters = 0;
  const auto append = [&](std::size_t& first, const std::vector<Expr>& symbols) {
    first = parameters;
    parameters += symbols.size();
    for (const Expr& symbol : symbols) with.parameters.push_back({symbol, 1.0});
  };
  for (Switch& one : result.switches)
    if (one.plane) append(one.plane->first_parameter, one.plane->parameters);
  for (Switch& one : result.switches)
    if (one.change) append(one.change->first_parameter, one.change->parameters);
  add_plane_events(result);
  add_share_events(result);
  return result;
}

}  // namespace herglotz::mechanics
