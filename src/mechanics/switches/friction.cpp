#include "herglotz/mechanics/events/friction.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "generator.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "switches/comparisons.hpp"
#include "vanishing.hpp"

namespace herglotz::mechanics {
namespace {

/// Returns the derivatives of the velocity of a friction by the fibre coordinates.
std::vector<Expr> direction_of(const System& system, const Friction& friction) {
  const auto refuse = [&](const std::string& what) {
    throw Refused("the friction '" + friction.name + "' is on a function that " + what,
                  "name a velocity that is linear in the fibre coordinates, such as v or vx - R*w", "[friction]");
  };
  if (compares(system.graph(), std::span(&friction.on, 1))) refuse("makes comparisons");
  if (symbolic::depends_on(friction.on, system.z)) refuse("depends on the action");
  std::vector<Expr> direction;
  for (const Expr& y : system.algebroid.y)
    direction.push_back(symbolic::simplify(symbolic::derivative(friction.on, y)));
  for (const Expr& y : system.algebroid.y)
    if (std::any_of(direction.begin(), direction.end(), [&](const Expr& d) { return symbolic::depends_on(d, y); }))
      refuse("is not linear in the velocities");
  if (std::all_of(direction.begin(), direction.end(), [](const Expr& d) { return d.is_zero(); }))
    refuse("depends on no velocity");
  return direction;
}

void add_force(System& system, const Friction& friction) {
  for (std::size_t a = 0; a < system.r(); ++a)
    if (!friction.direction[a].is_zero()) system.forces[a] += friction.force * friction.direction[a];
}

void append(System& system, Friction friction) {
  if (system.smooth_forces.empty()) system.smooth_forces = system.forces;
  add_force(system, friction);
  system.frictions.push_back(std::move(friction));
}

void require_velocities(const System& system) {
  if (system.formulation == Formulation::hamiltonian)
    throw Refused("friction acts on velocities, and a Hamiltonian model has momenta", "give the Lagrangian",
                  "[friction]");
  if (system.constraints.rule == Rule::vakonomic)
    throw Refused("friction does not go with vakonomic constraints", "choose rule = \"nonholonomic\"", "[friction]");
}

}  // namespace

void require_across(const std::string& owner, const std::vector<Expr>& first, const std::vector<Expr>& second) {
  for (std::size_t a = 0; a < first.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const Expr area = first[a] * second[b] - first[b] * second[a];
      if (!vanishes(area)) return;
    }
  throw Refused("the two velocities of " + owner + " have one direction",
                "give two across each other, such as vx and vy, or one alone");
}

void add_friction(System& system, Friction friction) {
  require_velocities(system);
  friction.on = symbolic::expand_lets(friction.on);
  friction.direction = direction_of(system, friction);
  friction.force = -(symbolic::sign(friction.on) * friction.slid);
  append(system, std::move(friction));
}

void add_friction(System& system, Friction friction, const Expr& second) {
  require_velocities(system);
  Friction other = friction;
  friction.on = symbolic::expand_lets(friction.on);
  other.on = symbolic::expand_lets(second);
  const Expr size = symbolic::sqrt(friction.on * friction.on + other.on * other.on);
  for (Friction* one : {&friction, &other}) {
    one->direction = direction_of(system, *one);
    one->force = -(one->slid * one->on / size);
  }
  require_across("the friction '" + friction.name + "'", friction.direction, other.direction);
  append(system, std::move(friction));
  append(system, std::move(other));
}

bool is_second_velocity(const System& system, std::size_t k) {
  return k > 0 && system.frictions[k].name == system.frictions[k - 1].name;
}

Expr friction_mode(const System& system, std::size_t k) {
  return system.graph().symbol("mode of friction " + std::to_string(k + 1));
}

Expr friction_hold(const System& system, std::size_t k) {
  return system.graph().symbol("force of friction " + std::to_string(k + 1));
}

System with_friction_columns(const System& system) {
  System result = system;
  if (system.frictions.empty()) return result;
  result.forces = system.smooth_forces;
  const std::size_t count = system.frictions.size();
  for (std::size_t k = 0; k < count; ++k) {
    Friction& friction = result.frictions[k];
    const bool second = is_second_velocity(system, k);
    const bool first = k + 1 < count && is_second_velocity(system, k + 1);
    friction.force = friction_hold(system, k);
    if (!first && !second) friction.force = friction.force - friction_mode(system, k) * friction.slid;
    friction.followed = true;
    add_force(result, friction);
    if (first) continue;
    const std::size_t of = second ? k - 1 : k;
    Expr force = friction.force;
    if (second) force = symbolic::sqrt(symbolic::pow(friction_hold(system, of), 2) + symbolic::pow(force, 2));
    result.observables.push_back({"mode." + friction.name, friction_mode(system, of)});
    result.observables.push_back({"friction." + friction.name, force});
  }
  for (std::size_t k = 0; k < count; ++k) result.parameters.push_back({friction_mode(system, k), 0.0});
  for (std::size_t k = 0; k < count; ++k) result.parameters.push_back({friction_hold(system, k), 0.0});
  return result;
}

std::vector<FrictionWork> friction_works(const System& system) {
  std::vector<FrictionWork> works;
  for (std::size_t k = 0; k < system.frictions.size(); ++k) {
    const Friction& friction = system.frictions[k];
    if (!is_second_velocity(system, k)) works.push_back({friction.name, {}, {}});
    works.back().forces.push_back(friction.force);
    works.back().velocities.push_back(paired(system, friction.direction, system.algebroid.y));
  }
  return works;
}

Expr FrictionWork::power() const {
  Expr sum = forces.front() * velocities.front();
  for (std::size_t k = 1; k < forces.size(); ++k) sum += forces[k] * velocities[k];
  return sum;
}

std::vector<BalanceLaw> work_laws(const std::vector<FrictionWork>& works, const BalanceLaw& energy) {
  std::vector<BalanceLaw> laws;
  for (const FrictionWork& work : works) {
    const Expr none = energy.scale.graph().number(std::int64_t{0});
    laws.push_back({work.name, none, energy.scale, work.power(), LawKind::energy});
  }
  return laws;
}

void require_no_friction(const System& system, const std::string& what) {
  if (!system.frictions.empty()) throw Refused("[friction] is not followed by " + what, "remove it", "[friction]");
}

std::vector<std::string> friction_columns(const System& system) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < system.frictions.size(); ++k) {
    if (is_second_velocity(system, k)) continue;
    const std::string& name = system.frictions[k].name;
    names.insert(names.end(), {"mode." + name, "friction." + name, "work." + name});
  }
  return names;
}

}  // namespace herglotz::mechanics
