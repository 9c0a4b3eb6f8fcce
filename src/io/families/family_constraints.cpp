#include <algorithm>
#include <string>

#include "families/family_reader.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "quote.hpp"

namespace herglotz::io {

using symbolic::Expr;

void FamilyReader::read_constraints(Model& model) {
  const Value* table = optional("constraints");
  if (table == nullptr) return;
  check_keys(*table, {"rule", "equations"});
  const Value& rule = source_.required(*table, "rule", "[constraints]", "choose nonholonomic or vakonomic");
  source_.expect(rule, Kind::string, "'rule'");
  if (rule.text != "nonholonomic" && rule.text != "vakonomic")
    source_.unknown(rule.place, "rule", rule.text, {"nonholonomic", "vakonomic"});
  const bool vakonomic = rule.text == "vakonomic";
  model.rule = vakonomic ? mechanics::Rule::vakonomic : mechanics::Rule::nonholonomic;
  const Value& equations =
      source_.required(*table, "equations", "[constraints]", R"(give them as equations = ["..."], each is = 0)");
  const auto texts = source_.strings(equations, "'equations'");
  if (texts.empty())
    source_.fail(equations.place, "'equations' is empty", "give at least one, or remove [constraints]");
  for (const Value* text : texts) {
    const std::size_t number = model.constraints.size() + 1;
    vocabulary_.claim((vakonomic ? "nu" : "lambda") + std::to_string(number), "multiplier", uses::multiplier,
                      text->place);
    model.constraints.push_back(constraint_of(*text, number, model));
  }
}

families::Constraint FamilyReader::constraint_of(const Value& equation, std::size_t number, Model& model) const {
  const std::string name = "equation " + std::to_string(number);
  symbolic::Scope scope = scope_of(model);
  scope.emplace(model.t.name(), model.t);
  SiteElements elements(model, SiteElements::Where::equation, "constraint" + std::to_string(number) + ":");
  const Expr c = expression(equation, elements, scope, model);
  if (symbolic::simplify(c).is_zero())
    source_.fail(equation.place, name + " is 0 = 0: it holds for every state", "correct or remove it");
  const auto moves = [&](std::size_t family) {
    const families::Kind kind = model.sites.families()[family].kind;
    return kind == families::Kind::base || kind == families::Kind::fibre;
  };
  const auto has_moving = [&](Expr f) {
    const auto in_f = model.sites.elements(f);
    return std::any_of(in_f.begin(), in_f.end(), [&](const auto& one) { return moves(one.first.family); });
  };
  const auto singles = elements.single_sites();
  bool of_sites = false;
  bool of_edges = false;
  for (const auto& [element, symbol] : model.sites.elements(c))
    (element.owner == families::Owner::site ? of_sites : of_edges) = true;
  bool restricts = has_moving(c);
  if (of_sites || of_edges) {
    const std::string each = of_edges ? "edge" : "site";
    if (of_sites && of_edges)
      source_.fail(equation.place, name + " has the present site and the present edge",
                   "write one for each site or for each edge");
    if (elements.has_sums() || !singles.empty())
      source_.fail(equation.place,
                   name + " has the present " + each + " and " + (singles.empty() ? "a sum" : "a site by its number"),
                   "write one for each " + each + ", or one of the whole without the index");
  }
  try {
    families::Constraint constraint;
    if (of_edges) {
      constraint = families::GraphSum{c, false};
    } else if (of_sites) {
      constraint = elements.sum_of(c);
    } else {
      families::Observable whole{name, c, elements.sums(), elements.graph_sums()};
      for (const auto& [symbol, sum] : whole.sums) restricts = restricts || has_moving(sum.density);
      for (const auto& [symbol, sum] : whole.graph_sums) restricts = restricts || has_moving(sum.density);
      constraint = std::move(whole);
    }
    if (!restricts)
      source_.fail(equation.place, name + " restricts nothing: no coordinate is in it",
                   "use base or fibre families of the model");
    return constraint;
  } catch (const Refused& error) {
    fail_at(equation.place, error);
  }
}

}  // namespace herglotz::io
