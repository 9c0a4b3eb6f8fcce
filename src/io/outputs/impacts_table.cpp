#include "outputs/impacts_table.hpp"

#include <algorithm>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "outputs/events_table.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

constexpr ExpressionRole kGap{"a gap", uses::base | uses::time | uses::parameter,
                              "use base coordinates, time, parameters and definitions of these"};
constexpr ExpressionRole kCoefficient{"a coefficient of an impact",
                                      uses::base | uses::fibre | uses::time | uses::parameter,
                                      "use base and fibre coordinates, time, parameters and definitions of these"};
constexpr ExpressionRole kSlip{"a slip velocity", uses::base | uses::fibre | uses::time | uses::parameter,
                               "use base and fibre coordinates, time, parameters and definitions of these"};

std::vector<symbolic::Expr> read_slip(const Vocabulary& vocabulary, const Value& value) {
  constexpr std::size_t most = 2;
  if (value.kind != Kind::array) return {vocabulary.expression(value, kSlip)};
  if (value.items.empty() || value.items.size() > most)
    vocabulary.source().fail(value.place, "'slip' has " + std::to_string(value.items.size()) + " velocities",
                             "give one in the plane, or two in space");
  std::vector<symbolic::Expr> slip;
  for (const Value& item : value.items) slip.push_back(vocabulary.expression(item, kSlip));
  return slip;
}

}  // namespace

void read_impact(const Vocabulary& vocabulary, const Member& entry, mechanics::System& system) {
  const Source& source = vocabulary.source();
  const std::string name = in_quotes(entry.key);
  source.expect(entry.value, Kind::table, "the impact " + name);
  if (system.formulation == mechanics::Formulation::hamiltonian)
    source.fail(entry.place, "a Hamiltonian model has no [impacts], which need velocities", "give a Lagrangian");
  if (system.constraints.rule == mechanics::Rule::vakonomic)
    source.fail(entry.place, "vakonomic constraints have no [impacts]", "choose rule = \"nonholonomic\"");
  const auto same = [&](const mechanics::Event& event) { return event.name == entry.key; };
  if (std::any_of(system.events.begin(), system.events.end(), same))
    source.fail(entry.place, "there is an event " + name + " already", "give the impact another name");
  const auto rubs = [&](const mechanics::Friction& friction) { return friction.name == entry.key; };
  if (std::any_of(system.frictions.begin(), system.frictions.end(), rubs))
    source.fail(entry.place, "there is a friction " + name + " already, with columns of the same names",
                "give the impact another name");
  require_free_columns(source, entry.place, entry.key, system);
  symbolic::Expr gap;
  mechanics::Impact impact;
  impact.friction = vocabulary.graph().number(std::int64_t{0});
  for (const Member& member : entry.value.members) {
    if (member.key == "gap") {
      gap = vocabulary.expression(member.value, kGap);
    } else if (member.key == "restitution") {
      impact.restitution = vocabulary.expression(member.value, kCoefficient);
    } else if (member.key == "friction") {
      impact.friction = vocabulary.expression(member.value, kCoefficient);
    } else if (member.key == "slip") {
      impact.slip = read_slip(vocabulary, member.value);
    } else {
      source.unknown(member.place, "key", member.key, {"gap", "restitution", "friction", "slip"});
    }
  }
  if (!gap.valid())
    source.fail(entry.value.place, "the impact " + name + " has no 'gap'",
                "give the distance that must not become negative: gap = \"q\"");
  const auto& x = system.algebroid.x;
  if (std::none_of(x.begin(), x.end(), [&](const auto& base) { return symbolic::depends_on(gap, base); }))
    source.fail(entry.value.find("gap")->value.place, "the gap depends on no base coordinate",
                "no impulse can change it");
  if (!impact.restitution.valid())
    source.fail(entry.value.place, "the impact " + name + " has no 'restitution'",
                "give Newton's coefficient, from 0 to 1: restitution = 0.8");
  if (const auto& e = impact.restitution; e.is_number() && !(e.value() >= 0 && e.value() <= 1))
    source.fail(entry.value.find("restitution")->value.place, "the restitution of " + name + " is not between 0 and 1",
                "give Newton's coefficient, the share of the speed that is left");
  if (impact.friction.is_number() && impact.friction.value() < 0)
    source.fail(entry.value.find("friction")->value.place, "the friction of " + name + " is negative",
                "give Coulomb's coefficient, at least 0");
  if (!impact.friction.is_zero() && impact.slip.empty())
    source.fail(entry.value.find("friction")->place,
                "the impact " + name + " has friction, and no 'slip' that it acts on",
                "give the velocity of the point of contact along the surface: slip = \"vx - R*w\"");
  try {
    mechanics::add_impact(system, entry.key, gap, std::move(impact));
  } catch (const Refused& error) {
    source.fail(entry.value.find("slip")->place, error.problem(), error.remedy());
  }
}

}  // namespace herglotz::io
