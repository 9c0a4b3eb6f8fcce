#include "switches/friction_switches.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "switches/comparisons.hpp"
#include "switches/on_side.hpp"
#include "vanishing.hpp"

namespace herglotz::mechanics {
namespace {

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

/// Returns a size of a friction with its mode in place of the comparisons of its velocity with 0.
Expr with_mode(Expr size, const Expr& velocity, const Expr& mode) {
  symbolic::Graph& graph = mode.graph();
  size = symbolic::expand_lets(size);
  for (std::optional<Expr> found{size}; found;) {
    found.reset();
    const std::vector<Expr> values{size};
    for (const symbolic::NodeId id : graph.reachable(values)) {
      const Expr one(graph, id);
      if (compared(one.op()) == 0 || one.op() == symbolic::Op::floor) continue;
      const Expr function = function_of(one);
      if (!(function == velocity || function == -velocity)) continue;
      found = one;
      size = symbolic::substitute(size, std::vector<Expr>{one},
                                  std::vector<Expr>{outcome(one, function == velocity ? mode : -mode)});
      break;
    }
  }
  return size;
}

/// Throws Refused if a friction on one velocity has different bounds on both sides of rest. Those of frictions that
/// hold together with ones on two velocities are intervals with 0 in the middle.
void require_even(const System& system, const Switch& one) {
  const Expr jump = on_side(one, one.largest, 1) - on_side(one, one.largest, -1);
  if (jump.is_zero()) return;
  for (const Expr& y : system.algebroid.y) {
    const Expr slope = symbolic::simplify(symbolic::derivative(one.function, y));
    if (slope.is_zero()) continue;
    const std::vector<Expr> velocity{y};
    if (vanishes(symbolic::substitute(jump, velocity, std::vector<Expr>{y - one.function / slope}))) return;
    throw Refused("the friction on '" + one.text + "' has different bounds forwards and backwards",
                  "beside frictions on two velocities give it one", "[friction]");
  }
}

}  // namespace

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
    const bool plane = k + 1 < system.frictions.size() && is_second_velocity(system, k + 1);
    std::array<Expr, 2> sizes{symbolic::expand_lets(friction.held), symbolic::expand_lets(friction.slid)};
    // Forces may depend on the velocity, whose sign is the mode. Slips in a plane have no sign.
    if (!plane)
      for (Expr& size : sizes) size = with_mode(size, friction.on, mode);
    Switch one;
    one.text = called(friction, symbolic::print(friction.on));
    one.mode = mode;
    one.friction = k;
    one.largest = sizes[0];
    one.work = work++;
    if (plane) {
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

void add_changes(const System& system, std::vector<Switch>& switches) {
  if (std::none_of(switches.begin(), switches.end(), [](const Switch& one) { return one.plane.has_value(); })) return;
  for (Switch& one : switches) {
    if (!one.friction || one.plane) continue;
    require_even(system, one);
    const std::string of = " of the share of friction " + std::to_string(*one.friction + 1);
    one.change.emplace();
    for (const char* what : {"rate", "time", "room", "probe"})
      one.change->parameters.push_back(system.graph().symbol(what + of));
  }
}

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

void add_share_events(SwitchedSystem& switched) {
  for (Switch& one : switched.switches) {
    if (!one.friction || one.plane || !(one.change || one.hold == Hold::share)) continue;
    one.force_event = switched.system.events.size();
    switched.system.events.push_back({one.text, switched.works[one.work].forces.front()});
    if (one.change) switched.system.events.push_back({one.text, one.function});
  }
}

void let_share(SwitchedSystem& switched, const Switch& one) {
  System& system = switched.system;
  Expr& force = switched.works[one.work].forces.front();
  Expr part = one.mode;
  if (one.change) part += one.change->parameters[0] * (system.t - one.change->parameters[1]);
  Expr largest = one.largest;
  if (symbolic::depends_on(largest, one.mode))
    largest = symbolic::select(part, part.graph().number(0), on_side(one, largest, 1), on_side(one, largest, -1));
  Expr shared = -(part * largest);
  if (one.change) shared += one.change->parameters[3];
  if (shared == force) return;
  for (std::size_t a = 0; a < system.r(); ++a) {
    const Expr along = symbolic::simplify(symbolic::derivative(one.function, system.algebroid.y[a]));
    if (!along.is_zero()) system.forces[a] += (shared - force) * along;
  }
  force = shared;
}

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

}  // namespace herglotz::mechanics
