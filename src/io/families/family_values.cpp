#include "families/family_reader.hpp"
#include "families/value_file.hpp"
#include "quote.hpp"

namespace herglotz::io {

using symbolic::Expr;

symbolic::Scope FamilyReader::scope_of(Model& model) const {
  symbolic::Scope scope;
  for (const auto& parameter : parameters_) scope.emplace(parameter.symbol.name(), parameter.symbol);
  if (model.indices.size() == 1) scope.emplace("count", model.graph->number(static_cast<double>(model.count())));
  for (std::size_t k = 0; k < model.indices.size(); ++k)
    scope.emplace(model.indices[k].name, model.sites.at(model.numbers[k]));
  return scope;
}

symbolic::Scope FamilyReader::whole_scope_of(Model& model) const {
  symbolic::Scope scope = scope_of(model);
  scope.emplace(model.z.name(), model.z);
  scope.emplace(model.t.name(), model.t);
  return scope;
}

void FamilyReader::require_whole(const Value& value, Expr f, Model& model) const {
  for (std::size_t k = 0; k < model.indices.size(); ++k)
    if (symbolic::depends_on(f, model.sites.at(model.numbers[k])))
      source_.fail(value.place, in_quotes(model.indices[k].name) + " stands outside a sum",
                   "write " + model.sum_example());
}

Expr FamilyReader::expression(const Value& value, SiteElements& elements, const symbolic::Scope& scope,
                              Model& model) const {
  try {
    return symbolic::parse_indexed(*model.graph, value.text, scope, elements);
  } catch (const symbolic::ParseError& error) {
    source_.fail(place_inside(source_.text(), value, error.line, error.column), error.problem(), error.remedy());
  } catch (const Refused& error) {
    source_.fail(value.place, error.what(), "write a finite expression");
  }
}

Expr FamilyReader::site_expression(const Value& value, std::string_view of, Model& model) const {
  if (value.is_number()) return model.graph->number(source_.number(value, of));
  if (value.kind != Kind::string)
    source_.fail(value.place, "expected an expression, got " + std::string(kind_name(value.kind)),
                 std::string(of) + " is a number, an expression in quotes, a list, or { file, column }");
  SiteElements elements(model, SiteElements::Where::site);
  return expression(value, elements, scope_of(model), model);
}

std::vector<double> FamilyReader::checked(std::vector<double> values, Place place, std::size_t count) const {
  if (values.size() != count)
    source_.fail(place,
                 "there are " + std::to_string(values.size()) + " values, and " + std::to_string(count) + " are needed",
                 "give one for each site, row after row of a grid, or for each edge");
  return values;
}

families::Values FamilyReader::values_of(const Value& value, std::string_view of, Model& model,
                                         std::optional<std::size_t> along) const {
  const std::size_t count = along ? model.indices[*along].count : model.count();
  if (value.kind == Kind::array) {
    std::vector<double> values;
    for (const Value& item : value.items) values.push_back(vocabulary_.constant(item, of));
    return {checked(std::move(values), value.place, count)};
  }
  if (value.kind == Kind::table) return {checked(column_of_file(source_, value, std::string(of)), value.place, count)};
  const Expr values = site_expression(value, of, model);
  for (const auto& [element, symbol] : model.sites.elements(values))
    if (along && model.sites.families()[element.family].along != along)
      source_.fail(value.place, std::string(of) + " uses " + std::string(symbol.name()),
                   "it depends on " + model.indices[*along].name + " alone");
  return {values};
}

families::Values FamilyReader::edge_values_of(const Value& value, std::string_view of, const Model& model) const {
  const std::size_t count = model.edges->from.size();
  if (value.kind == Kind::table) return {checked(column_of_file(source_, value, std::string(of)), value.place, count)};
  if (value.kind != Kind::array) return {std::vector<double>(count, vocabulary_.constant(value, of))};
  std::vector<double> values;
  for (const Value& item : value.items) values.push_back(vocabulary_.constant(item, of));
  return {checked(std::move(values), value.place, count)};
}

void FamilyReader::read_parameter_families(Model& model) {
  const Value* table = optional("parameters");
  if (table == nullptr) return;
  for (const Member& member : table->members) {
    const Key key = key_of(member.key);
    if (!key.indexed()) continue;
    const bool of_edges = model.edges && key.subscript == model.edges->name;
    const std::vector<std::string> indices = model.index_names();
    std::optional<std::size_t> along;
    for (std::size_t k = 0; k < indices.size(); ++k)
      if (indices.size() > 1 && key.subscript == indices[k]) along = k;
    if (!of_edges && !along && key.subscript != model.subscript())
      source_.fail(member.place, in_quotes(member.key) + " is not a family",
                   "write \"" + key.name + "[" + model.subscript() + "]\"");
    const std::string of = "the parameter " + in_quotes(member.key);
    families::Values values =
        of_edges ? edge_values_of(member.value, of, model) : values_of(member.value, of, model, along);
    vocabulary_.claim(key.name, "family of parameters", uses::parameter, member.place);
    const std::size_t family =
        model.sites.add(key.name, of_edges ? families::Kind::edge : families::Kind::parameter, along);
    if (const std::string* text = set_.value(member.key)) {
      values = of_edges ? families::Values{model.graph->number(constant_of_set(*text))}
                        : families::Values{set_expression(*text, model)};
    }
    model.parameter_families.emplace(family, std::move(values));
  }
}

}  // namespace herglotz::io
