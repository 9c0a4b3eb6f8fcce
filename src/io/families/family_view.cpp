#include "herglotz/io/family_view.hpp"

#include <algorithm>

#include "families/family_reader.hpp"
#include "outputs/view_table.hpp"
#include "quote.hpp"

namespace herglotz::io {

using symbolic::Expr;

namespace {

using Each = ViewBody::Each;

bool is_of_edges(const families::Element& element) {
  return element.owner == families::Owner::from || element.owner == families::Owner::to ||
         element.owner == families::Owner::edge;
}

/// Returns what there is one body for: an edge if it uses one, a site if it uses the index, else the whole. Throws
/// Refused if it uses both.
Each owner_of(const ViewBody& body, const families::Model& model) {
  Each each = Each::whole;
  for (const auto& [key, list] : body.properties)
    for (const Expr& f : list)
      for (const auto& [element, symbol] : model.sites.elements(f)) {
        const Each own = is_of_edges(element) ? Each::edge : Each::site;
        if (each != Each::whole && each != own)
          throw Refused("the body " + in_quotes(body.name) + " is one of a site and one of an edge",
                        "use " + model.edges->name + ".from and " + model.edges->name + ".to for the sites of an edge");
        each = own;
      }
  return each;
}

}  // namespace

void FamilyReader::read_view(const Value& table, Model& model) {
  SiteElements elements(model, SiteElements::Where::view);
  const symbolic::Scope scope = whole_scope_of(model);
  const auto component = [&](const Value& value) {
    if (value.is_number()) return model.graph->number(source_.number(value, "a component"));
    source_.expect(value, Kind::string, "a component of a body");
    return expression(value, elements, scope, model);
  };
  view_ = read_family_view_table(vocabulary_, table, component);
  view_singles_ = elements.single_sites();
  for (ViewBody& body : view_->bodies) {
    const Place place = table.find("bodies")->value.find(body.name)->place;
    try {
      body.each = owner_of(body, model);
    } catch (const Refused& error) {
      fail_at(place, error);
    }
    const bool of_sites = body.each == Each::site;
    if (body.shape == "surface" && (!of_sites || model.indices.size() != 2))
      source_.fail(place, "the surface " + in_quotes(body.name) + " does not lie over the sites of a grid",
                   "use both indices of a grid, or choose another shape");
    if (body.shape == "curve" && (!of_sites || model.indices.size() != 1))
      source_.fail(place, "the curve " + in_quotes(body.name) + " does not run along the sites of an index",
                   "use the one index of a chain, or choose another shape");
    if (body.shape == "ground" && body.each != Each::whole)
      source_.fail(place, "there is a ground for each site", "give one place, without the index");
    if (body.shape == "path" && !body.of.empty()) {
      const auto leader = std::find_if(view_->bodies.begin(), view_->bodies.end(),
                                       [&](const ViewBody& one) { return one.name == body.of; });
      body.properties["at"] = leader->properties["at"];
      body.each = leader->each;
      if (body.properties["at"].empty())
        source_.fail(place, "the body " + in_quotes(body.of) + " stays where it is", "give the path 'at'");
    }
  }
}

FamilyView FamilyReader::take_view(families::Model model) && {
  return {std::move(model), {}, std::move(view_), std::move(view_singles_)};
}

FamilyView parse_family_view(std::string_view text, const std::string& file,
                             const std::vector<std::string>& assignments) {
  FamilyReader reader(text, file, assignments);
  families::Model model = reader.read_model();
  return std::move(reader).take_view(std::move(model));
}

}  // namespace herglotz::io
