#include <algorithm>

#include "families/family_reader.hpp"
#include "herglotz/symbolic/names.hpp"
#include "outputs/events_table.hpp"
#include "quote.hpp"

namespace herglotz::io {

using symbolic::Expr;

void FamilyReader::read_dynamics(Model& model) {
  const Value& table = required("dynamics", "give a lagrangian there");
  if (const Member* other = table.find("hamiltonian"))
    source_.fail(other->place, "a model with an index has a Lagrangian", "give 'lagrangian'");
  check_keys(table, {"lagrangian", "action", "time", "forces"});
  const auto name = [&](std::string_view key, const std::string& otherwise) {
    const Member* member = table.find(key);
    if (member == nullptr) return otherwise;
    source_.expect(member->value, Kind::string, in_quotes(key));
    return symbolic::with_plain_greek(member->value.text);
  };
  model.z = vocabulary_.claim(name("action", "z"), "action variable", uses::action, table.place);
  model.t = vocabulary_.claim(name("time", "t"), "time variable", uses::time, table.place);
  const Value& value = source_.required(table, "lagrangian", "[dynamics]", "give a lagrangian there");
  source_.expect(value, Kind::string, "'lagrangian'");
  SiteElements elements(model, SiteElements::Where::dynamics);
  const Expr lagrangian = expression(value, elements, whole_scope_of(model), model);
  try {
    elements.take(lagrangian);
  } catch (const Refused& error) {
    fail_at(value.place, error);
  }
  require_whole(value, model.rest, model);
  if (model.sums.empty()) source_.fail(value.place, "the Lagrangian has no sum", "write " + model.sum_example());
  if (const Member* forces = table.find("forces")) read_forces(forces->value, model);
}

void FamilyReader::read_forces(const Value& table, Model& model) const {
  source_.expect(table, Kind::table, "'forces'");
  symbolic::Scope scope = scope_of(model);
  scope.emplace(model.t.name(), model.t);
  std::vector<std::string> known;
  for (const std::size_t family : model.fibre)
    known.push_back(model.sites.families()[family].name + "[" + model.subscript() + "]");
  for (const Member& member : table.members) {
    const Key key = key_of(member.key);
    const auto named = model.sites.find(key.name);
    const auto fibre = std::find(model.fibre.begin(), model.fibre.end(), named.value_or(model.numbers.front()));
    if (!key.indexed() || fibre == model.fibre.end()) source_.unknown(member.place, "velocity", member.key, known);
    const auto f = static_cast<std::size_t>(fibre - model.fibre.begin());
    const bool everywhere = key.subscript == model.subscript();
    SiteElements elements(model, everywhere ? SiteElements::Where::site : SiteElements::Where::dynamics);
    source_.expect(member.value, Kind::string, in_quotes(member.key));
    Expr value = expression(member.value, elements, scope, model);
    if (everywhere) {
      model.forces.resize(model.base.size(), model.graph->number(0));
      model.forces[f] = value;
      continue;
    }
    try {
      const auto at = subscripts_of(key, model.index_names(), in_quotes(member.key));
      if (index_of_line(model, at))
        source_.fail(member.place, "a force on a line of the grid", "give it at every site, or at single ones");
      const std::size_t site = site_of(model, at);
      require_whole(member.value, value, model);
      if (elements.has_sums())
        source_.fail(member.value.place, "the force on one site has a sum",
                     "use sites by number, such as " + member.key);
      model.site_forces.push_back({f, site, elements.around(value, site)});
    } catch (const Refused& error) {
      fail_at(member.place, error);
    }
  }
}

void FamilyReader::read_symmetries(Model& model) const {
  const Value* table = optional("symmetries");
  if (table == nullptr) return;
  for (const Member& member : table->members) {
    const std::string shape = "one component for each base family, such as [\"1\"]";
    if (!symbolic::is_identifier(member.key))
      source_.fail(member.place, in_quotes(member.key) + " cannot name a symmetry",
                   "names start with a letter and go on with letters, digits and _");
    if (member.value.kind != Kind::array || member.value.items.size() != model.base.size())
      source_.fail(member.value.place, "expected " + std::to_string(model.base.size()) + " components", shape);
    families::Symmetry symmetry{member.key, {}};
    for (const Value& item : member.value.items) {
      symmetry.section.push_back(site_expression(item, "a section", model));
      for (const auto& [element, symbol] : model.sites.elements(symmetry.section.back()))
        if (element.offset != families::Offset{} ||
            model.sites.families()[element.family].kind == families::Kind::fibre)
          source_.fail(item.place, "a section uses " + std::string(symbol.name()),
                       "use base coordinates of the site and parameters");
    }
    model.symmetries.push_back(std::move(symmetry));
  }
}

families::Observable FamilyReader::watched(const std::string& name, const Value& value, Model& model) const {
  source_.expect(value, Kind::string, in_quotes(name));
  symbolic::Scope scope = whole_scope_of(model);
  scope.emplace(model.energy.name(), model.energy);
  SiteElements elements(model, SiteElements::Where::dynamics, name + ":");
  const Expr f = expression(value, elements, scope, model);
  require_whole(value, f, model);
  try {
    return {name, f, elements.sums(), elements.graph_sums()};
  } catch (const Refused& error) {
    fail_at(value.place, error);
  }
}

void FamilyReader::read_observables(Model& model) {
  const Value* table = optional("observables");
  if (table == nullptr) return;
  for (const Member& member : table->members) {
    if (member.key == "integrating_factor" || member.key.starts_with("energy"))
      source_.fail(member.place, "there is a column " + in_quotes(member.key) + " already, or could be", "rename it");
    vocabulary_.claim(member.key, "observable", uses::parameter, member.place);
    model.observables.push_back(watched(member.key, member.value, model));
  }
}

void FamilyReader::read_events(Model& model) {
  const Value* table = optional("events");
  if (table == nullptr) return;
  for (const Member& member : table->members) {
    vocabulary_.claim(member.key, "event", uses::parameter, member.place);
    families::Event event;
    const Value* at = &member.value;
    if (member.value.kind == Kind::table) {
      if (const Member* jump = member.value.find("set"))
        source_.fail(jump->place, "the event " + in_quotes(member.key) + " changes the state",
                     "in a model with an index events are located, and may end the run: stop = true");
      check_keys(member.value, {"at", "direction", "stop"});
      at = &source_.required(member.value, "at", "the event " + in_quotes(member.key),
                             "give the expression whose zeros it is: at = \"energy - 1\"");
      if (const Member* direction = member.value.find("direction"))
        event.direction = read_direction(source_, direction->value);
      if (const Member* stop = member.value.find("stop")) {
        source_.expect(stop->value, Kind::boolean, "'stop'");
        event.stop = stop->value.flag;
      }
    }
    event.function = watched(member.key, *at, model);
    model.events.push_back(std::move(event));
  }
}

}  // namespace herglotz::io
