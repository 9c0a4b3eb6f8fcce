#include "herglotz/mechanics/events/switches.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "switches/comparisons.hpp"
#include "switches/holding_force.hpp"

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
        to.push_back(outcome(from.back()));
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

  /// Returns the function that decides a comparison.
  static Expr function_of(const Expr& f) { return f.op() == Op::select ? f.child(0) - f.child(1) : f.child(0); }

  Expr outcome(Expr f) {
    const Expr of = mode(f);
    switch (f.op()) {
      case Op::floor:
      case Op::sign:
        return of;
      case Op::abs:
        return of * f.child(0);
      default:
        return symbolic::select(of, graph_.number(0), f.child(2), f.child(3));
    }
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

/// Returns the largest force k of a switch that may be held: of a friction minus its largest force, else k in the
/// forces F0 + s k dg/dy. Returns `std::nullopt` if the forces have another form.
std::optional<Expr> reaction(const SwitchedSystem& switched, std::size_t at) {
  const System& system = switched.system;
  const Switch& one = switched.switches[at];
  if (one.friction) return -one.largest;
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
    along.push_back(symbolic::simplify(symbolic::derivative(system.forces[a], one.mode)));
    if (depends(along[a])) return std::nullopt;
    if (!result && !slopes[a].is_zero()) result = symbolic::simplify(along[a] / slopes[a]);
  }
  for (std::size_t a = 0; a < system.r() && result; ++a)
    if (!symbolic::simplify(symbolic::expand(along[a] - *result * slopes[a])).is_zero()) return std::nullopt;
  return result;
}

/// Returns what a friction is called in messages: its velocity, or its name where that would fill lines.
std::string called(const Friction& friction, const std::string& velocity) {
  constexpr std::size_t longest = 60;
  return velocity.size() > longest ? friction.name : velocity;
}

/// Gives a friction on two velocities its parameters and the forces along both of them while it slips.
void add_plane(const System& system, Switch& one, const Expr& size, FrictionWork& work, std::vector<Expr>& forces) {
  const std::size_t k = *one.friction;
  const Friction& first = system.frictions[k];
  const Friction& second = system.frictions[k + 1];
  SlipPlane plane;
  plane.velocities = {first.on, second.on};
  const std::string of = " of the slip of friction " + std::to_string(k + 1);
  for (const char* what :
       {"direction 1", "direction 2", "least size", "lower bound", "upper bound", "probe 1", "probe 2"})
    plane.parameters.push_back(system.graph().symbol(what + of));
  const Expr& a1 = plane.parameters[0];
  const Expr& a2 = plane.parameters[1];
  const Expr ahead = a1 * first.on + a2 * second.on;
  const Expr aside = a1 * second.on - a2 * first.on;
  // Squares of the velocities would be multiplied out somewhere, and lose slow slips in rounding.
  const Expr angle = symbolic::atan(aside / (ahead + plane.parameters[2]));
  const Expr force = one.mode * size;
  plane.forces = {-force * (a1 * symbolic::cos(angle) - a2 * symbolic::sin(angle)),
                  -force * (a2 * symbolic::cos(angle) + a1 * symbolic::sin(angle))};
  work.forces = plane.forces;
  for (std::size_t a = 0; a < forces.size(); ++a) {
    if (!first.direction[a].is_zero()) forces[a] += plane.forces[0] * first.direction[a];
    if (!second.direction[a].is_zero()) forces[a] += plane.forces[1] * second.direction[a];
  }
  one.text = called(first, symbolic::print(first.on) + ", " + symbolic::print(second.on));
  one.function = ahead;
  one.plane = std::move(plane);
}

/// Appends the events of the slip planes, behind those of all switches.
void add_plane_events(SwitchedSystem& switched) {
  for (Switch& one : switched.switches) {
    if (!one.plane) continue;
    auto& events = switched.system.events;
    one.plane->first_event = events.size();
    for (const auto* list : {&one.plane->velocities, &one.plane->forces})
      for (const Expr& value : *list) events.push_back({one.text, value});
    events.push_back({one.text, one.largest});
  }
}

/// Appends the forces of the frictions on one velocity that share or may change.
void add_share_events(SwitchedSystem& switched) {
  for (Switch& one : switched.switches) {
    if (!one.friction || one.plane || !(one.change || one.hold == Hold::share)) continue;
    one.force_event = switched.system.events.size();
    switched.system.events.push_back({one.text, switched.works[one.work].forces.front()});
    if (one.change) switched.system.events.push_back({one.text, one.function});
  }
}

/// Gives frictions on one velocity beside ones on two what their shares need to change in time.
void add_changes(std::vector<Switch>& switches, symbolic::Graph& graph) {
  if (std::none_of(switches.begin(), switches.end(), [](const Switch& one) { return one.plane.has_value(); })) return;
  for (Switch& one : switches) {
    if (!one.friction || one.plane) continue;
    const std::string of = " of the share of friction " + std::to_string(*one.friction + 1);
    one.change.emplace();
    for (const char* what : {"rate", "time", "room", "probe"})
      one.change->parameters.push_back(graph.symbol(what + of));
  }
}

/// Gives a friction the force of one that shares, in place of that with which it slips.
void share(SwitchedSystem& switched, const Switch& one) {
  System& system = switched.system;
  Expr& force = switched.works[one.work].forces.front();
  Expr part = one.mode;
  if (one.change) part += one.change->parameters[0] * (system.t - one.change->parameters[1]);
  Expr shared = -(part * one.largest);
  if (one.change) shared += one.change->parameters[3];
  if (shared == force) return;
  for (std::size_t a = 0; a < system.r(); ++a) {
    const Expr along = symbolic::simplify(symbolic::derivative(one.function, system.algebroid.y[a]));
    if (!along.is_zero()) system.forces[a] += (shared - force) * along;
  }
  force = shared;
}

/// Lets friction on two velocities share at rest along velocity number `k` of the two, and returns that force.
Expr share_in_plane(System& system, const Switch& one, std::size_t k) {
  const SlipPlane& plane = *one.plane;
  const Expr part = plane.parameters[k] + plane.parameters[3 + k] * (system.t - plane.parameters[2]);
  const Expr force = one.largest * part + plane.parameters[5 + k];
  for (std::size_t a = 0; a < system.r(); ++a) {
    const Expr along = symbolic::simplify(symbolic::derivative(plane.velocities[k], system.algebroid.y[a]));
    if (!along.is_zero()) system.forces[a] += force * along;
  }
  return force;
}

/// Gives the forces of frictions parameters for their modes, and returns the switches with their functions. The system
/// has no frictions afterwards; their works are put into `works`.
std::vector<std::pair<Switch, Expr>> frictions_of(System& system, std::vector<FrictionWork>& works) {
  std::vector<std::pair<Switch, Expr>> result;
  if (system.frictions.empty()) return result;
  works = friction_works(system);
  std::vector<Expr> forces = system.smooth_forces;
  std::size_t work = 0;
  for (std::size_t k = 0; k < system.frictions.size(); ++k) {
    if (is_second_velocity(system, k)) continue;
    const Friction& friction = system.frictions[k];
    const Expr mode = friction_mode(system, k);
    // Forces may depend on the size of the velocity, whose sign is the mode.
    const std::vector<Expr> sizes = symbolic::substitute(
        std::vector<Expr>{symbolic::expand_lets(friction.held), symbolic::expand_lets(friction.slid)},
        std::vector<Expr>{symbolic::abs(friction.on), symbolic::sign(friction.on)},
        std::vector<Expr>{mode * friction.on, mode});
    Switch one;
    one.text = called(friction, symbolic::print(friction.on));
    one.mode = mode;
    one.friction = k;
    one.largest = sizes[0];
    one.work = work++;
    if (k + 1 < system.frictions.size() && is_second_velocity(system, k + 1)) {
      add_plane(system, one, sizes[1], works[one.work], forces);
      const Expr function = one.function;
      result.emplace_back(std::move(one), function);
      continue;
    }
    works[one.work].forces = {-(mode * sizes[1])};
    for (std::size_t a = 0; a < forces.size(); ++a)
      if (!friction.direction[a].is_zero()) forces[a] -= mode * sizes[1] * friction.direction[a];
    result.emplace_back(std::move(one), friction.on);
  }
  system.forces = std::move(forces);
  system.frictions.clear();
  system.smooth_forces.clear();
  return result;
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
      share(result, one);
      continue;
    }
    modes.push_back(one.mode);
    for (std::size_t i = 0; i < one.velocities(); ++i)
      if (one.holds(i)) equations.push_back(one.plane ? one.plane->velocities[i] : one.function);
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
    const Expr largest = *reaction(switched, k);
    system.events.push_back({one.text, force - largest});
    system.events.push_back({one.text, -(force + largest)});
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
  add_changes(result.switches, with.graph());
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
