#include "herglotz/mechanics/events/jumps.hpp"

#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {
namespace {

constexpr std::string_view kSets = " sets ";
constexpr std::string_view kRestitution = " restitution";
constexpr std::string_view kSlip = " slip";

bool is_part(const Event& event) {
  return event.name.find(' ') != std::string::npos;
}

}  // namespace

void add_reset(System& system, Event event, const std::vector<Reset>& resets) {
  const std::string name = event.name;
  system.events.push_back(std::move(event));
  for (const Reset& reset : resets) system.events.push_back({name + std::string(kSets) + reset.entry, reset.value});
}

void add_impact(System& system, const std::string& name, const Impact& impact) {
  const auto& e = system.algebroid;
  const auto add = [&](std::string_view part, const Expr& value) {
    system.events.push_back({name + std::string(part), value});
  };
  system.events.push_back({name, impact.gap, Direction::falling});
  add(kRestitution, impact.restitution);
  add(" friction", impact.friction);
  const Expr gap = symbolic::expand_lets(impact.gap);
  add(" gap by time", symbolic::derivative(gap, system.t));
  const auto by_base = symbolic::gradient(gap, e.x);
  for (std::size_t a = 0; a < e.r(); ++a) {
    Expr rate = system.graph().number(std::int64_t{0});
    for (std::size_t i = 0; i < e.n(); ++i) rate = rate + e.rho(i, a) * by_base[i];
    add(" gap by velocity", rate);
  }
  for (const Expr& given : impact.slip) {
    const Expr slip = symbolic::expand_lets(given);
    add(kSlip, slip);
    for (const Expr& derivative : symbolic::gradient(slip, e.y)) add(" direction", derivative);
  }
}

std::vector<Jump> jumps_of(const System& system) {
  std::vector<Jump> jumps;
  std::size_t event = 0;
  for (std::size_t k = 0; k < system.events.size(); ++k) {
    const std::string& name = system.events[k].name;
    if (!is_part(system.events[k])) {
      event = k;
      continue;
    }
    if (k == event + 1) jumps.push_back({.event = event, .first = k});
    Jump& jump = jumps.back();
    if (const auto at = name.find(kSets); at != std::string::npos)
      jump.entries.push_back(name.substr(at + kSets.size()));
    if (name.ends_with(kRestitution)) jump.impact = true;
    if (name.ends_with(kSlip)) ++jump.slips;
  }
  return jumps;
}

bool has_jumps(const System& system) {
  for (const Event& event : system.events)
    if (is_part(event)) return true;
  return false;
}

std::vector<std::size_t> events_alone(const System& system) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < system.events.size(); ++k)
    if (!is_part(system.events[k])) places.push_back(k);
  return places;
}

std::vector<Event> events_without_jumps(const System& system) {
  std::vector<Event> events;
  for (std::size_t k = 0; k < system.events.size(); ++k)
    if (!is_part(system.events[k]) && (k + 1 == system.events.size() || !is_part(system.events[k + 1])))
      events.push_back(system.events[k]);
  return events;
}

}  // namespace herglotz::mechanics
