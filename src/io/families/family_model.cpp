#include <algorithm>
#include <cmath>

#include "families/assignments.hpp"
#include "families/site_elements.hpp"
#include "families/site_key.hpp"
#include "families/value_file.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/symbolic/names.hpp"
#include "model/settings_table.hpp"
#include "model/vocabulary.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using families::Ends;
using families::Model;
using symbolic::Expr;

/// The most sites of an index.
constexpr double most_sites = 1e8;

const std::vector<std::string> kTables{"model",      "indices",     "algebroid", "parameters", "dynamics",
                                       "symmetries", "observables", "initial",   "simulation"};
/// Tables of models without an index.
const std::vector<std::string> kOtherTables{"definitions", "constraints", "dissipated", "invariants", "discrete",
                                            "events",      "sweep",       "latex",      "gauge",      "control",
                                            "cost",        "boundary",    "guess",      "mesh"};

/// Reader that builds a model from a document, table by table.
class FamilyReader {
 public:
  FamilyReader(std::string_view text, const std::string& file, const std::vector<std::string>& assignments)
      : source_(text, file),
        document_(parse_document(text, file)),
        vocabulary_(source_, std::make_shared<symbolic::Graph>()),
        set_(assignments) {}

  Model read() && {
    check_tables();
    read_parameters();
    Model model{{},
                {},
                {},
                std::string(source_.text()),
                vocabulary_.shared_graph(),
                read_index(),
                families::Sites(vocabulary_.shared_graph(), {}),
                {},
                {}};
    model.sites = families::Sites(model.graph, model.index.name);
    model.parameters = parameters_;
    read_names(model);
    read_families(model);
    read_parameter_families(model);
    read_dynamics(model);
    read_symmetries(model);
    read_observables(model);
    if (const Value* table = optional("initial")) read_initial(*table, model);
    read_set_initial(model);
    if (const Value* table = optional("simulation")) read_simulation(*table, model);
    return model;
  }

 private:
  [[nodiscard]] const Value* optional(std::string_view name) const {
    const Member* member = document_.find(name);
    return member == nullptr ? nullptr : &member->value;
  }
  [[nodiscard]] const Value& required(const std::string& name, const std::string& remedy) const {
    if (const Value* table = optional(name)) return *table;
    source_.fail({1, 1}, "the model has no [" + name + "] table", remedy);
  }

  void check_tables() const {
    for (const Member& member : document_.members) {
      if (std::find(kOtherTables.begin(), kOtherTables.end(), member.key) != kOtherTables.end())
        source_.fail(member.place, "[" + member.key + "] cannot stand in a model with an index",
                     "tables of such models are " + listing(kTables));
      if (std::find(kTables.begin(), kTables.end(), member.key) == kTables.end())
        source_.unknown(member.place, "table", member.key, kTables);
      source_.expect(member.value, Kind::table, "[" + member.key + "]");
    }
  }

  void check_keys(const Value& table, const std::vector<std::string>& known) const {
    for (const Member& member : table.members)
      if (std::find(known.begin(), known.end(), member.key) == known.end())
        source_.unknown(member.place, "key", member.key, known);
  }

  void read_parameters() {
    const Value* table = optional("parameters");
    if (table == nullptr) return;
    for (const Member& member : table->members) {
      if (key_of(member.key).indexed()) continue;
      const Expr symbol = vocabulary_.claim(member.key, "parameter", uses::parameter, member.place);
      double value = vocabulary_.constant(member.value, "the parameter " + in_quotes(member.key));
      if (const std::string* text = set_.value(member.key)) value = constant_of_set(*text);
      parameters_.push_back({symbol, value});
    }
  }

  families::Index read_index() const {
    const Value& table = *optional("indices");
    if (table.members.size() != 1)
      source_.fail(table.place, "[indices] has " + std::to_string(table.members.size()) + " indices",
                   "declare one, such as i = { count = 1000, ends = \"periodic\" }");
    const Member& member = table.members.front();
    source_.expect(member.value, Kind::table, in_quotes(member.key));
    check_keys(member.value, {"count", "ends"});
    families::Index index{member.key, 0, Ends::periodic};
    const Value& count = source_.required(member.value, "count", "the index " + in_quotes(member.key),
                                          "give the number of sites, such as count = 1000");
    index.count = count_of(count);
    const Value& ends = source_.required(member.value, "ends", "the index " + in_quotes(member.key),
                                         "say what lies beyond its ends: \"periodic\", \"fixed\" or \"free\"");
    source_.expect(ends, Kind::string, "'ends'");
    const std::vector<std::string> known{"periodic", "fixed", "free"};
    const auto found = std::find(known.begin(), known.end(), ends.text);
    if (found == known.end()) source_.unknown(ends.place, "kind of ends", ends.text, known);
    index.ends = static_cast<Ends>(found - known.begin());
    return index;
  }

  std::size_t count_of(const Value& value) const {
    double count = value.number;
    if (value.kind == Kind::string) {
      const auto parameter = std::find_if(parameters_.begin(), parameters_.end(),
                                          [&](const auto& one) { return one.symbol.name() == value.text; });
      if (parameter == parameters_.end())
        source_.fail(value.place, in_quotes(value.text) + " is no parameter",
                     "'count' is a whole number, or the name of a parameter");
      count = parameter->value;
    } else if (!value.is_number()) {
      source_.fail(value.place, "expected a number, got " + std::string(kind_name(value.kind)),
                   "'count' is a whole number, or the name of a parameter");
    }
    if (!(count >= 2) || count > most_sites || count != std::floor(count))
      source_.fail(value.place, "'count' is no number of sites", "give a whole number from 2 to 100000000");
    return static_cast<std::size_t>(count);
  }

  void read_names(Model& model) const {
    model.name = std::filesystem::path(source_.file()).stem().string();
    const Value* table = optional("model");
    if (table == nullptr) return;
    check_keys(*table, {"name", "title", "reference"});
    const auto text = [&](std::string_view key, std::string& to) {
      const Member* member = table->find(key);
      if (member == nullptr) return;
      source_.expect(member->value, Kind::string, in_quotes(key));
      to = member->value.text;
    };
    text("name", model.name);
    text("title", model.title);
    text("reference", model.reference);
  }

  void read_families(Model& model) {
    const Place place = optional("indices")->members.front().place;
    vocabulary_.claim(model.index.name, "index", uses::parameter, place);
    for (const std::string_view column : {"energy", "integrating_factor", "energy_invariant", "energy_residual"})
      vocabulary_.claim(std::string(column), "output column", uses::output, {});
    const Value& table = required("algebroid", "say what the coordinates are: kind = \"tangent\", base, fibre");
    check_keys(table, {"kind", "base", "fibre"});
    const Value& kind = source_.required(table, "kind", "[algebroid]", "write kind = \"tangent\"");
    source_.expect(kind, Kind::string, "'kind'");
    if (kind.text != "tangent")
      source_.fail(kind.place, "a model with an index has kind = \"tangent\", not " + in_quotes(kind.text),
                   "write kind = \"tangent\"");
    const auto list = [&](const char* key, const std::string& what, families::Kind of) {
      std::vector<std::size_t> numbers;
      const Value& names =
          source_.required(table, key, "[algebroid]", "name one, such as \"q[" + model.index.name + "]\"");
      for (const Value* item : source_.strings(names, in_quotes(key))) {
        const Key name = key_of(item->text);
        if (name.subscript != model.index.name)
          source_.fail(
              item->place, in_quotes(item->text) + " has no index",
              "write " + name.name + "[" + model.index.name + "]; every coordinate of the model has the index");
        vocabulary_.claim(name.name, what, of == families::Kind::base ? uses::base : uses::fibre, item->place);
        numbers.push_back(model.sites.add(name.name, of));
      }
      if (numbers.empty()) source_.fail(names.place, in_quotes(key) + " is empty", "name one family at least");
      return numbers;
    };
    model.base = list("base", "base family", families::Kind::base);
    model.fibre = list("fibre", "fibre family", families::Kind::fibre);
    if (model.base.size() != model.fibre.size())
      source_.fail(table.place,
                   "there are " + std::to_string(model.base.size()) + " base families and " +
                       std::to_string(model.fibre.size()) + " of velocities",
                   "name a velocity for each");
    model.number = model.sites.add(model.index.name, families::Kind::number);
  }

  /// Returns the names that expressions of a site may use.
  symbolic::Scope scope_of(Model& model) const {
    symbolic::Scope scope;
    for (const auto& parameter : parameters_) scope.emplace(parameter.symbol.name(), parameter.symbol);
    scope.emplace("count", model.graph->number(static_cast<double>(model.index.count)));
    scope.emplace(model.index.name, model.sites.at(model.number));
    return scope;
  }

  Expr expression(const Value& value, SiteElements& elements, const symbolic::Scope& scope, Model& model) const {
    try {
      return symbolic::parse_indexed(*model.graph, value.text, scope, elements);
    } catch (const symbolic::ParseError& error) {
      source_.fail(place_inside(source_.text(), value, error.line, error.column), error.problem(), error.remedy());
    } catch (const Refused& error) {
      source_.fail(value.place, error.what(), "write a finite expression");
    }
  }

  Expr site_expression(const Value& value, std::string_view of, Model& model) const {
    if (value.is_number()) return model.graph->number(source_.number(value, of));
    if (value.kind != Kind::string)
      source_.fail(value.place, "expected an expression, got " + std::string(kind_name(value.kind)),
                   std::string(of) + " is a number, an expression in quotes, a list, or { file, column }");
    SiteElements elements(model, SiteElements::Where::site);
    return expression(value, elements, scope_of(model), model);
  }

  std::vector<double> checked(std::vector<double> values, Place place, const Model& model) const {
    if (values.size() != model.index.count)
      source_.fail(
          place,
          "there are " + std::to_string(values.size()) + " values for " + std::to_string(model.index.count) + " sites",
          "give one for each site");
    return values;
  }

  /// Reads the values of a family at all sites.
  families::Values values_of(const Value& value, std::string_view of, Model& model) const {
    if (value.kind == Kind::array) {
      std::vector<double> values;
      for (const Value& item : value.items) values.push_back(vocabulary_.constant(item, of));
      return {checked(std::move(values), value.place, model)};
    }
    if (value.kind != Kind::table) return {site_expression(value, of, model)};
    return {checked(column_of_file(source_, value, std::string(of)), value.place, model)};
  }

  void read_parameter_families(Model& model) {
    const Value* table = optional("parameters");
    if (table == nullptr) return;
    for (const Member& member : table->members) {
      const Key key = key_of(member.key);
      if (!key.indexed()) continue;
      if (key.subscript != model.index.name)
        source_.fail(member.place, in_quotes(member.key) + " is no family",
                     "write \"" + key.name + "[" + model.index.name + "]\"");
      const std::string of = "the parameter " + in_quotes(member.key);
      families::Values values = values_of(member.value, of, model);
      vocabulary_.claim(key.name, "family of parameters", uses::parameter, member.place);
      const std::size_t family = model.sites.add(key.name, families::Kind::parameter);
      if (const std::string* text = set_.value(member.key)) values = {set_expression(*text, model)};
      model.parameter_families.emplace(family, std::move(values));
    }
  }

  void read_dynamics(Model& model) {
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
    symbolic::Scope scope = scope_of(model);
    scope.emplace(model.z.name(), model.z);
    scope.emplace(model.t.name(), model.t);
    SiteElements elements(model, SiteElements::Where::dynamics);
    const Expr lagrangian = expression(value, elements, scope, model);
    try {
      elements.take(lagrangian);
    } catch (const Refused& error) {
      fail_at(value.place, error);
    }
    if (symbolic::depends_on(model.rest, model.sites.at(model.number)))
      source_.fail(value.place, in_quotes(model.index.name) + " stands outside a sum",
                   "write sum(" + model.index.name + ", ...)");
    if (model.sums.empty())
      source_.fail(value.place, "the Lagrangian has no sum", "write sum(" + model.index.name + ", ...)");
    if (const Member* forces = table.find("forces")) read_forces(forces->value, model);
  }

  /// Reads forces on velocities at every site, "v[i]", and at single sites, "v[0]" or "v[count-1]".
  void read_forces(const Value& table, Model& model) const {
    source_.expect(table, Kind::table, "'forces'");
    symbolic::Scope scope = scope_of(model);
    scope.emplace(model.t.name(), model.t);
    std::vector<std::string> known;
    for (const std::size_t family : model.fibre)
      known.push_back(model.sites.families()[family].name + "[" + model.index.name + "]");
    for (const Member& member : table.members) {
      const Key key = key_of(member.key);
      const auto named = model.sites.find(key.name);
      const auto fibre = std::find(model.fibre.begin(), model.fibre.end(), named.value_or(model.number));
      if (!key.indexed() || fibre == model.fibre.end()) source_.unknown(member.place, "velocity", member.key, known);
      const auto f = static_cast<std::size_t>(fibre - model.fibre.begin());
      const bool everywhere = key.subscript == model.index.name;
      SiteElements elements(model, everywhere ? SiteElements::Where::site : SiteElements::Where::dynamics);
      source_.expect(member.value, Kind::string, in_quotes(member.key));
      Expr value = expression(member.value, elements, scope, model);
      if (everywhere) {
        model.forces.resize(model.base.size(), model.graph->number(0));
        model.forces[f] = value;
        continue;
      }
      try {
        const std::size_t site = site_of(model.index, site_subscript(key, model.index.name, in_quotes(member.key)));
        if (elements.has_sums() || symbolic::depends_on(value, model.sites.at(model.number)))
          source_.fail(member.value.place, "the force on one site has a sum or the index",
                       "use sites by number, such as " + key.name + "[0]");
        model.site_forces.push_back({f, site, elements.around(value, site)});
      } catch (const Refused& error) {
        fail_at(member.place, error);
      }
    }
  }

  [[noreturn]] void fail_at(Place place, const Error& error) const {
    source_.fail(place, error.problem(), error.remedy().empty() ? "see the reference" : error.remedy());
  }

  void read_symmetries(Model& model) {
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
          if (element.offset != 0 || model.sites.families()[element.family].kind == families::Kind::fibre)
            source_.fail(item.place, "a section uses " + std::string(symbol.name()),
                         "use base coordinates of the site and parameters");
      }
      model.symmetries.push_back(std::move(symmetry));
    }
  }

  /// Reads functions of sums over the sites and of single ones.
  void read_observables(Model& model) {
    const Value* table = optional("observables");
    if (table == nullptr) return;
    symbolic::Scope scope = scope_of(model);
    scope.emplace(model.z.name(), model.z);
    scope.emplace(model.t.name(), model.t);
    for (const Member& member : table->members) {
      if (member.key == "integrating_factor" || member.key.starts_with("energy"))
        source_.fail(member.place, "there is a column " + in_quotes(member.key) + " already, or could be", "rename it");
      vocabulary_.claim(member.key, "observable", uses::parameter, member.place);
      source_.expect(member.value, Kind::string, in_quotes(member.key));
      SiteElements elements(model, SiteElements::Where::dynamics, member.key + ":");
      const Expr value = expression(member.value, elements, scope, model);
      if (symbolic::depends_on(value, model.sites.at(model.number)))
        source_.fail(member.value.place, in_quotes(model.index.name) + " stands outside a sum",
                     "write sum(" + model.index.name + ", ...)");
      try {
        model.observables.push_back({member.key, value, elements.sums()});
      } catch (const Refused& error) {
        fail_at(member.value.place, error);
      }
    }
  }

  /// Puts a start at a family or at one of its sites.
  void put(Model& model, const Key& key, Expr value, const std::string& remedy_of) {
    const std::size_t family = *model.sites.find(key.name);
    families::Values& values =
        model.initial.try_emplace(family, families::Values{model.graph->number(0)}).first->second;
    if (key.subscript == model.index.name) {
      values = {value};
      return;
    }
    if (!model.sites.elements(value).empty())
      throw Refused("the value of one site uses the index", "use numbers and parameters");
    values.single[site_of(model.index, site_subscript(key, model.index.name, remedy_of))] = value;
  }

  [[nodiscard]] bool is_coordinate(const Model& model, const std::string& name) const {
    const auto family = model.sites.find(name);
    if (!family) return false;
    const auto kind = model.sites.families()[*family].kind;
    return kind == families::Kind::base || kind == families::Kind::fibre;
  }

  std::vector<std::string> initial_names(const Model& model) const {
    std::vector<std::string> known;
    for (const auto* families : {&model.base, &model.fibre})
      for (const std::size_t family : *families)
        known.push_back(model.sites.families()[family].name + "[" + model.index.name + "]");
    known.emplace_back(model.z.name());
    known.emplace_back(model.t.name());
    return known;
  }

  void read_initial(const Value& table, Model& model) {
    // Families come first, so that single sites override them wherever they stand.
    for (const bool single : {false, true})
      for (const Member& member : table.members) {
        const Key key = key_of(member.key);
        const std::string of = "the initial value of " + in_quotes(member.key);
        if (!key.indexed() && (key.name == model.z.name() || key.name == model.t.name())) {
          (key.name == model.z.name() ? model.z0 : model.t0) = vocabulary_.constant(member.value, of);
          continue;
        }
        if (!key.indexed() || !is_coordinate(model, key.name))
          source_.unknown(member.place, "initial value", member.key, initial_names(model));
        if ((key.subscript != model.index.name) != single) continue;
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

  Expr set_expression(const std::string& text, Model& model) const {
    SiteElements elements(model, SiteElements::Where::site);
    try {
      return symbolic::parse_indexed(*model.graph, text, scope_of(model), elements);
    } catch (const symbolic::ParseError& error) {
      throw InputError("--set", 0, 0, error.problem(), error.remedy());
    }
  }

  void read_set_initial(Model& model) {
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
        throw InputError("--set", 0, 0, "unknown name " + in_quotes(name),
                         near.empty() ? "known are " + listing(known) : "did you mean " + near.front() + "?");
      }
      try {
        put(model, key, set_expression(text, model), in_quotes(name));
      } catch (const Refused& error) {
        throw InputError("--set", 0, 0, error.problem(), error.remedy());
      }
    }
  }

  void read_simulation(const Value& table, Model& model) const {
    if (const Member* scale = table.find("time_scale"))
      source_.fail(scale->place, "'time_scale' cannot stand in a model with an index", "leave it out");
    model.settings = read_settings(source_, table);
  }

  Source source_;
  Value document_;
  Vocabulary vocabulary_;
  std::vector<mechanics::Parameter> parameters_;
  Assignments set_;
};

}  // namespace

bool states_families(std::string_view text, const std::string& file) {
  return parse_document(text, file).find("indices") != nullptr;
}

families::Model parse_family_model(std::string_view text, const std::string& file,
                                   const std::vector<std::string>& assignments) {
  return FamilyReader(text, file, assignments).read();
}

}  // namespace herglotz::io
