#include "herglotz/mechanics/events/jumps.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {
namespace {

/// Calls `visit` with each function of the jump of an event, in the order of `jump_functions`.
template <class EventType, class Visit>
void for_each_jump_function(EventType& event, const Visit& visit) {
  for (auto& reset : event.resets) visit(reset.value);
  if (!event.impact) return;
  auto& impact = *event.impact;
  for (auto* f : {&impact.restitution, &impact.friction, &impact.gap_by_time}) visit(*f);
  for (auto& f : impact.gap_by_velocity) visit(f);
  for (std::size_t s = 0; s < impact.slip.size(); ++s) {
    visit(impact.slip[s]);
    for (auto& f : impact.slip_by_velocity[s]) visit(f);
  }
}

/// Returns the multiplier that is the contact force of an impact, or `std::nullopt` if it is not in contact.
std::optional<Expr> force_of(const System& system, const Event& event) {
  const auto& multipliers = system.constraints.multipliers;
  const auto it = std::ranges::find_if(
      multipliers, [name = "contact." + event.name](const Expr& symbol) { return symbol.name() == name; });
  return it == multipliers.end() ? std::nullopt : std::optional(*it);
}

}  // namespace

void add_impact(System& system, const std::string& name, const Expr& gap, Impact impact) {
  const auto& e = system.algebroid;
  const Expr opened = symbolic::expand_lets(gap);
  impact.gap_by_time = symbolic::derivative(opened, system.t);
  const auto by_base = symbolic::gradient(opened, e.x);
  impact.gap_by_velocity.clear();
  for (std::size_t a = 0; a < e.r(); ++a) {
    Expr rate = system.graph().number(std::int64_t{0});
    for (std::size_t i = 0; i < e.n(); ++i) rate = rate + e.rho(i, a) * by_base[i];
    impact.gap_by_velocity.push_back(rate);
  }
  impact.slip_by_velocity.clear();
  for (Expr& slip : impact.slip) {
    slip = symbolic::expand_lets(slip);
    impact.slip_by_velocity.push_back(symbolic::gradient(slip, e.y));
  }
  if (impact.slip.size() == 2)
    require_across("the impact '" + name + "'", impact.slip_by_velocity.front(), impact.slip_by_velocity.back());
  system.events.push_back({.name = name, .value = gap, .direction = Direction::falling, .impact = std::move(impact)});
}

bool changes_state(const Event& event) {
  return !event.resets.empty() || event.impact;
}

bool has_jumps(const System& system) {
  return std::any_of(system.events.begin(), system.events.end(), changes_state);
}

std::vector<Expr> jump_functions(const Event& event) {
  std::vector<Expr> functions;
  for_each_jump_function(event, [&](const Expr& f) { functions.push_back(f); });
  return functions;
}

void change_functions(Event& event, const std::function<Expr(const Expr&)>& change) {
  event.value = change(event.value);
  for_each_jump_function(event, [&](Expr& f) { f = change(f); });
}

std::vector<Jump> jumps_of(const System& system) {
  std::vector<Jump> jumps;
  std::size_t first = system.events.size();
  for (std::size_t k = 0; k < system.events.size(); ++k) {
    if (!changes_state(system.events[k])) continue;
    jumps.push_back({k, first});
    first += jump_functions(system.events[k]).size();
  }
  return jumps;
}

bool is_driven(const Event& event) {
  return event.impact && !event.impact->gap_by_time.is_zero();
}

std::vector<DrivenContact> driven_contacts(const System& system) {
  std::vector<DrivenContact> contacts;
  for (const Event& event : system.events) {
    if (!is_driven(event)) continue;
    const auto force = force_of(system, event);
    if (force) contacts.push_back({event.name, -(*force * event.impact->gap_by_time)});
  }
  return contacts;
}

std::vector<BalanceLaw> drive_laws(const System& system, const BalanceLaw& energy) {
  std::vector<BalanceLaw> laws;
  const Expr none = system.graph().number(std::int64_t{0});
  for (auto& [name, power] : driven_contacts(system))
    laws.push_back({std::move(name), none, energy.scale, power, LawKind::energy});
  return laws;
}

}  // namespace herglotz::mechanics
