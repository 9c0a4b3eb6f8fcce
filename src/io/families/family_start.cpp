#include <algorithm>

#include "families/family_reader.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/symbolic/names.hpp"
#include "model/settings_table.hpp"
#include "quote.hpp"

namespace herglotz::io {

using symbolic::Expr;

void FamilyReader::put(Model& model, const Key& key, Expr value, const std::string& of) const {
  const std::size_t family = *model.sites.find(key.name);
  families::Values& values = model.initial.try_emplace(family, families::Values{model.graph->number(0)}).first->second;
  if (key.subscript == model.subscript()) {
    values = {value};
    return;
  }
  const auto at = subscripts_of(key, model.index_names(), of);
  if (const auto index = index_of_line(model, at)) {
    values.lines.push_back({*index, place_along(model, *index, at[*index]), value});
    return;
  }
  if (!model.sites.elements(value).empty())
    throw Refused("the value of one site uses the index", "use numbers and parameters");
  values.single[site_of(model, at)] = value;
}

bool FamilyReader::is_coordinate(const Model& model, const std::string& name) {
  const auto family = model.sites.find(name);
  if (!family) return false;
  const auto kind = model.sites.families()[*family].kind;
  return kind == families::Kind::base || kind == families::Kind::fibre;
}

std::vector<std::string> FamilyReader::initial_names(const Model& model) {
  std::vector<std::string> known;
  for (const auto* families : {&model.base, &model.fibre})
    for (const std::size_t family : *families)
      known.push_back(model.sites.families()[family].name + "[" + model.subscript() + "]");
  known.emplace_back(model.z.name());
  known.emplace_back(model.t.name());
  return known;
}

void FamilyReader::read_initial(const Value& table, Model& model) const {
  // Families come first, so that lines override them and single sites both, wherever they stand.
  for (const bool single : {false, true})
    for (const Member& member : table.members) {
      if (!model.constraints.empty() && (member.key == "project" || member.key == "fixed")) continue;
      const Key key = key_of(member.key);
      const std::string of = "the initial value of " + in_quotes(member.key);
      if (!key.indexed() && (key.name == model.z.name() || key.name == model.t.name())) {
        (key.name == model.z.name() ? model.z0 : model.t0) = vocabulary_.constant(member.value, of);
        continue;
      }
      if (!key.indexed() || !is_coordinate(model, key.name))
        source_.unknown(member.place, "initial value", member.key, initial_names(model));
      if ((key.subscript != model.subscript()) != single) continue;
      if (!single) {
        model.initial.insert_or_assign(*model.sites.find(key.name), values_of(member.value, of, model));
        continue;
      }
      try {
        put(model, key, site_expression(member.value, of, model), in_quotes(member.key));
      } catch (const Refused& error) {
        fail_at(member.place, error);
      }
    }
}

Expr FamilyReader::set_expression(const std::string& text, Model& model) const {
  SiteElements elements(model, SiteElements::Where::site);
  try {
    return symbolic::parse_indexed(*model.graph, text, scope_of(model), elements);
  } catch (const symbolic::ParseError& error) {
    throw InputError("--set", 0, 0, error.problem(), error.remedy());
  }
}

void FamilyReader::read_set_initial(Model& model) {
  for (const auto& [name, text] : set_.unused()) {
    const Key key = key_of(name);
    if (!key.indexed() && (key.name == model.z.name() || key.name == model.t.name())) {
      (key.name == model.z.name() ? model.z0 : model.t0) = constant_of_set(text);
      continue;
    }
    if (!key.indexed() || !is_coordinate(model, key.name)) {
      std::vector<std::string> known = initial_names(model);
      for (const auto& parameter : parameters_) known.emplace_back(parameter.symbol.name());
      const auto near = symbolic::nearest_names(name, known);
      throw UnknownName("--set", 0, 0, "unknown name " + in_quotes(name),
                        near.empty() ? "known are " + listing(known) : "did you mean " + near.front() + "?");
    }
    try {
      put(model, key, set_expression(text, model), in_quotes(name));
    } catch (const Refused& error) {
      throw InputError("--set", 0, 0, error.problem(), error.remedy());
    }
  }
}

void FamilyReader::read_simulation(const Value& table, Model& model) const {
  if (const Member* scale = table.find("time_scale"))
    source_.fail(scale->place, "'time_scale' cannot stand in a model with an index", "leave it out");
  model.settings = read_settings(source_, table);
}

void FamilyReader::read_projection(const Value& table, Model& model) const {
  if (model.constraints.empty()) return;
  if (const Member* project = table.find("project")) {
    source_.expect(project->value, Kind::boolean, "'project'");
    model.settings.project = project->value.flag;
  }
  const Member* fixed = table.find("fixed");
  if (fixed == nullptr) return;
  for (const Value* item : source_.strings(fixed->value, "'fixed'")) {
    const Key key = key_of(item->text);
    if (!key.indexed() || !is_coordinate(model, key.name))
      source_.unknown(item->place, "coordinate", item->text, initial_names(model));
    try {
      if (key.subscript != model.subscript()) {
        const std::size_t site = site_of(model, subscripts_of(key, model.index_names(), in_quotes(item->text)));
        model.settings.fixed.push_back(key.name + "[" + families::site_label(model.indices, site) + "]");
        continue;
      }
    } catch (const Refused& error) {
      fail_at(item->place, error);
    }
    for (std::size_t site = 0; site < model.count(); ++site)
      model.settings.fixed.push_back(key.name + "[" + families::site_label(model.indices, site) + "]");
  }
}

bool set_start(families::Model& model, const std::string& name, double value) {
  const Key key = key_of(name);
  if (!key.indexed() || key.subscript == model.subscript() || !FamilyReader::is_coordinate(model, key.name))
    return false;
  try {
    const auto at = subscripts_of(key, model.index_names(), in_quotes(name));
    if (index_of_line(model, at)) return false;
    const Expr zero = model.graph->number(0);
    auto& values = model.initial.try_emplace(*model.sites.find(key.name), families::Values{zero}).first->second;
    values.single[site_of(model, at)] = model.graph->number(value);
  } catch (const Refused&) {  // no subscript, or that of a site beyond the ends
    return false;
  }
  return true;
}

void set_profile(families::Model& model, const std::string& name, std::vector<double> values) {
  const Key key = key_of(name);
  const auto family = model.sites.find(key.name);
  const bool parameter = family && model.parameter_families.contains(*family);
  const bool start = family && FamilyReader::is_coordinate(model, key.name);
  const auto is_written = [&] {
    const bool edge = model.sites.families()[*family].kind == families::Kind::edge;
    const Expr symbol = edge ? model.sites.of(*family, families::Owner::edge) : model.sites.at(*family);
    return symbol.name() == key.name + "[" + key.subscript + "]";
  };
  if ((!parameter && !start) || (key.indexed() && !is_written()))
    throw InputError("", 0, 0, in_quotes(name) + " is not a family of the model",
                     "name one, such as q[" + model.subscript() + "]");
  const families::Family& of = model.sites.families()[*family];
  const std::size_t count = of.kind == families::Kind::edge ? model.edges->from.size()
                            : of.along                      ? model.indices[*of.along].count
                                                            : model.count();
  if (values.size() != count)
    throw InputError(
        "", 0, 0,
        in_quotes(name) + " has " + std::to_string(values.size()) + " values for " + std::to_string(count) + " sites",
        "give one for each site");
  (parameter ? model.parameter_families : model.initial).insert_or_assign(*family, families::Values{std::move(values)});
}

}  // namespace herglotz::io
