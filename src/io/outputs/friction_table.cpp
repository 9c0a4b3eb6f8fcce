#include "outputs/friction_table.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "model/inputs_table.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using symbolic::Expr;

constexpr ExpressionRole kVelocity{"the velocity of a friction",
                                   uses::parameter | uses::base | uses::fibre | uses::time,
                                   "use base and fibre coordinates, time, parameters and definitions of these"};

/// Returns a normal force, or 0 where it would pull: no contact does.
Expr pressing(const mechanics::System& system, Expr normal) {
  const auto& e = system.algebroid;
  std::vector<Expr> state{system.z, system.t};
  for (const auto* list : {&e.x, &e.y}) state.insert(state.end(), list->begin(), list->end());
  const bool varies = std::any_of(state.begin(), state.end(), [&](Expr x) { return symbolic::depends_on(normal, x); });
  const Expr zero = system.graph().number(0);
  return varies ? symbolic::select(normal, zero, normal, zero) : normal;
}

/// Returns the one or two velocities of a friction.
std::vector<Expr> read_velocities(const Vocabulary& vocabulary, const Value& value) {
  const Source& source = vocabulary.source();
  std::vector<Value> items{value};
  if (value.kind == Kind::array) {
    items = value.items;
    if (items.empty() || items.size() > 2)
      source.fail(value.place, "'on' has " + std::to_string(items.size()) + " velocities",
                  "give one, or two across each other: on = [\"vx\", \"vy\"]");
  }
  std::vector<Expr> velocities;
  for (const Value& item : items) {
    velocities.push_back(vocabulary.expression(item, kVelocity));
    require_no_jump(source, velocities.back(), 0, item.place, "the velocity of a friction",
                    "what sticks would jump with it");
  }
  return velocities;
}

void check_name(const Source& source, const Member& entry, const mechanics::System& system) {
  for (const char* what : {"friction.", "mode.", "work."})
    for (const auto& observable : system.observables)
      if (observable.name == what + entry.key)
        source.fail(entry.place,
                    "the observable " + in_quotes(observable.name) + " has the name of a column of this friction",
                    "give one of them another name");
  for (const char* term : {"action", "force", "constraint", "time", "bracket"})
    if (entry.key == term)
      source.fail(entry.place, "there is a column " + in_quotes("power." + entry.key) + " already",
                  "give the friction another name");
}

}  // namespace

void read_friction(const Vocabulary& vocabulary, const Member& entry, const ExpressionRole& role,
                   mechanics::System& system) {
  const Source& source = vocabulary.source();
  const std::string of = "the friction " + in_quotes(entry.key);
  source.expect(entry.value, Kind::table, of);
  check_name(source, entry, system);
  for (const Member& member : entry.value.members) {
    const std::vector<std::string> known{"on", "normal", "static", "kinetic"};
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      source.unknown(member.place, "key", member.key, known);
  }
  const auto place = [&](const char* key) { return entry.value.find(key)->value.place; };
  const auto given = [&](const char* key) -> const Value& {
    const Member* member = entry.value.find(key);
    if (member == nullptr)
      source.fail(entry.value.place, of + " has no " + in_quotes(key),
                  R"(write { on = "v", normal = "m*g", static = 0.4, kinetic = 0.3 })");
    return member->value;
  };
  const auto read = [&](const char* key, const ExpressionRole& as) { return vocabulary.expression(given(key), as); };
  mechanics::Friction friction;
  friction.name = entry.key;
  const auto velocities = read_velocities(vocabulary, given("on"));
  friction.on = velocities.front();
  const Expr largest = read("static", role);
  const bool two = entry.value.find("kinetic") != nullptr;
  const Expr kinetic = two ? read("kinetic", role) : largest;
  for (const auto& [key, value] : {std::pair{"static", largest}, std::pair{two ? "kinetic" : "static", kinetic}})
    if (value.is_number() && value.value() < 0)
      source.fail(place(key), of + ": " + in_quotes(key) + " is negative", "give at least 0");
  if (largest.is_number() && kinetic.is_number() && kinetic.value() > largest.value())
    source.fail(place("kinetic"), of + ": 'kinetic' exceeds 'static'",
                "a body at rest is held by no less than what brakes it");
  friction.normal = system.graph().number(1);
  if (entry.value.find("normal") != nullptr) friction.normal = pressing(system, read("normal", role));
  friction.held = largest * friction.normal;
  friction.slid = kinetic * friction.normal;
  try {
    if (velocities.size() == 1)
      mechanics::add_friction(system, std::move(friction));
    else
      mechanics::add_friction(system, std::move(friction), velocities.back());
  } catch (const Refused& error) {
    source.fail(entry.value.place, error.problem(), error.remedy());
  }
}

}  // namespace herglotz::io
