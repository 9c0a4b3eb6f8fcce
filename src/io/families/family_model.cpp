#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "families/family_reader.hpp"
#include "families/value_file.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/symbolic/names.hpp"
#include "model/sweep_table.hpp"
#include "model/swept_setting.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using families::Ends;

/// The most sites of an index.
constexpr double most_sites = 1e8;

const std::vector<std::string> kTables{"model",       "indices",    "algebroid",   "parameters", "dynamics",
                                       "constraints", "symmetries", "observables", "events",     "initial",
                                       "simulation",  "sweep",      "view"};
/// Tables of models without an index.
const std::vector<std::string> kOtherTables{"definitions", "dissipated", "invariants", "discrete", "latex", "gauge",
                                            "control",     "cost",       "boundary",   "guess",    "mesh",  "inputs",
                                            "impacts",     "units",      "files",      "friction"};

/// Returns whether an entry of [indices] lists edges.
bool states_edges(const Value& entry) {
  return entry.find("from") != nullptr || entry.find("to") != nullptr || entry.find("edges") != nullptr;
}

}  // namespace

FamilyReader::FamilyReader(std::string_view text, const std::string& file, const std::vector<std::string>& assignments)
    : source_(text, file),
      document_(parse_document(text, file)),
      vocabulary_(source_, std::make_shared<symbolic::Graph>()),
      set_(assignments) {}

families::Model FamilyReader::read_model() {
  check_tables();
  read_parameters();
  Model model{{},
              {},
              {},
              std::string(source_.text()),
              vocabulary_.shared_graph(),
              read_indices(),
              families::Sites(vocabulary_.shared_graph(), {}),
              {},
              {}};
  model.sites = families::Sites(model.graph, model.index_names());
  model.parameters = parameters_;
  model.counts = counts_;
  read_names(model);
  read_edges(model);
  read_families(model);
  read_parameter_families(model);
  read_dynamics(model);
  read_constraints(model);
  read_symmetries(model);
  read_observables(model);
  read_events(model);
  if (const Value* table = optional("initial")) read_initial(*table, model);
  read_set_initial(model);
  if (const Value* table = optional("simulation")) read_simulation(*table, model);
  if (const Value* table = optional("initial")) read_projection(*table, model);
  if (const Value* table = optional("view")) read_view(*table, model);
  for (const std::string& assignment : set_.of_families()) model.text += "\n# --set " + assignment;
  for (const std::string& line : files_read(source_))
    if (model.text.find(line) == std::string::npos) model.text += line;
  static_cast<void>(planned(model));
  return model;
}

ensemble::Plan FamilyReader::read_plan(const std::vector<std::string>& swept) && {
  const Value* const table = swept.empty() ? &required("sweep", "say what varies: [sweep.parameters]") : nullptr;
  const Model model = read_model();
  ensemble::Plan plan = planned(model);
  if (table != nullptr) require_swept(vocabulary_, *table, plan);
  for (const std::string& assignment : swept) apply_swept(plan, assignment);
  return plan;
}

ensemble::Plan FamilyReader::planned(const Model& model) const {
  ensemble::Plan plan{families::named_in_sweeps(model), {}, {}};
  if (const Value* table = optional("sweep"))
    read_sweep_table(vocabulary_, *table, plan,
                     [&](const std::string& name) { return is_coordinate(model, name.substr(0, name.find('['))); });
  return plan;
}

const Value* FamilyReader::optional(std::string_view name) const {
  const Member* member = document_.find(name);
  return member == nullptr ? nullptr : &member->value;
}

const Value& FamilyReader::required(const std::string& name, const std::string& remedy) const {
  if (const Value* table = optional(name)) return *table;
  source_.fail({1, 1}, "the model has no [" + name + "] table", remedy);
}

void FamilyReader::check_tables() const {
  for (const Member& member : document_.members) {
    if (std::find(kOtherTables.begin(), kOtherTables.end(), member.key) != kOtherTables.end())
      source_.fail(member.place, "[" + member.key + "] cannot stand in a model with an index",
                   "tables of such models are " + listing(kTables));
    if (std::find(kTables.begin(), kTables.end(), member.key) == kTables.end()) source_.unknown_table(member, kTables);
    source_.expect(member.value, Kind::table, "[" + member.key + "]");
  }
}

void FamilyReader::check_keys(const Value& table, const std::vector<std::string>& known) const {
  for (const Member& member : table.members)
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      source_.unknown(member.place, "key", member.key, known);
}

void FamilyReader::fail_at(Place place, const Error& error) const {
  source_.fail(place, error.problem(), error.remedy().empty() ? "see the reference" : error.remedy());
}

void FamilyReader::read_parameters() {
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

std::vector<families::Index> FamilyReader::read_indices() {
  const Value& table = *optional("indices");
  const auto edges = std::count_if(table.members.begin(), table.members.end(),
                                   [](const Member& member) { return states_edges(member.value); });
  const std::size_t sites_along = table.members.size() - static_cast<std::size_t>(edges);
  if (edges > 1 || (edges == 1 && sites_along > 1))
    source_.fail(table.place, "[indices] has " + std::string(edges > 1 ? "two lists of edges" : "a grid and edges"),
                 "declare one index of sites and one of edges");
  if (sites_along < 1 || sites_along > 2)
    source_.fail(table.place, "[indices] has " + std::to_string(sites_along) + " indices",
                 "declare one, such as i = { count = 1000, ends = \"periodic\" }, or the two of a grid");
  std::vector<families::Index> indices;
  double sites = 1;
  for (const Member& member : table.members) {
    if (states_edges(member.value)) continue;
    indices.push_back(read_index(member));
    sites *= static_cast<double>(indices.back().count);
  }
  if (sites > most_sites) source_.fail(table.place, "the grid has more than 100000000 sites", "give smaller counts");
  return indices;
}

families::Index FamilyReader::read_index(const Member& member) {
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

void FamilyReader::read_edges(Model& model) {
  for (const Member& member : optional("indices")->members) {
    const Value& table = member.value;
    if (!states_edges(table)) continue;
    families::Edges edges{member.key, {}, {}};
    if (const Member* file = table.find("edges")) {
      check_keys(table, {"edges"});
      source_.expect(file->value, Kind::string, "'edges'");
      const auto column = [&](const std::string& name) {
        std::vector<std::size_t> ends;
        for (const double value : column_of_file(source_, file->value.text, name, file->value.place))
          ends.push_back(site_number(value, file->value.place, model));
        return ends;
      };
      edges.from = column("from");
      edges.to = column("to");
    } else {
      check_keys(table, {"from", "to"});
      const std::string of = "the index " + in_quotes(member.key);
      edges.from = read_ends(source_.required(table, "from", of, "list the sites where edges begin"), model);
      edges.to = read_ends(source_.required(table, "to", of, "list the sites where edges end"), model);
    }
    if (edges.from.size() != edges.to.size() || edges.from.empty())
      source_.fail(table.place,
                   "there are " + std::to_string(edges.from.size()) + " sites 'from' and " +
                       std::to_string(edges.to.size()) + " sites 'to'",
                   "give both ends of every edge");
    for (std::size_t e = 0; e < edges.from.size(); ++e)
      if (edges.from[e] == edges.to[e])
        source_.fail(table.place, "the edge " + std::to_string(e) + " leads from a site to itself", "leave it out");
    model.sites.set_edges(edges.name);
    model.edges = std::move(edges);
  }
}

std::vector<std::size_t> FamilyReader::read_ends(const Value& value, const Model& model) const {
  source_.expect(value, Kind::array, "the ends of edges");
  std::vector<std::size_t> ends;
  for (const Value& item : value.items)
    ends.push_back(site_number(source_.number(item, "an end of an edge"), item.place, model));
  return ends;
}

std::size_t FamilyReader::site_number(double value, Place place, const Model& model) const {
  if (!(value >= 0) || value >= static_cast<double>(model.count()) || value != std::floor(value))
    source_.fail(place, fmt::format("{} is not a site", value), "sites are 0 to " + std::to_string(model.count() - 1));
  return static_cast<std::size_t>(value);
}

std::size_t FamilyReader::count_of(const Value& value) {
  double count = value.number;
  if (value.kind == Kind::string) {
    const auto parameter = std::find_if(parameters_.begin(), parameters_.end(),
                                        [&](const auto& one) { return one.symbol.name() == value.text; });
    if (parameter == parameters_.end())
      source_.fail(value.place, in_quotes(value.text) + " is not a parameter",
                   "'count' is a whole number, or the name of a parameter");
    count = parameter->value;
    counts_.push_back(value.text);
  } else if (!value.is_number()) {
    source_.fail(value.place, "expected a number, got " + std::string(kind_name(value.kind)),
                 "'count' is a whole number, or the name of a parameter");
  }
  if (!(count >= 2) || count > most_sites || count != std::floor(count))
    source_.fail(value.place, "'count' is not a number of sites", "give a whole number from 2 to 100000000");
  return static_cast<std::size_t>(count);
}

void FamilyReader::read_names(Model& model) const {
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

void FamilyReader::read_families(Model& model) {
  for (const Member& index : optional("indices")->members)
    vocabulary_.claim(index.key, "index", uses::parameter, index.place);
  const std::string subscript = model.subscript();
  for (const std::string_view column : {"energy", "integrating_factor", "energy_invariant", "energy_residual"})
    vocabulary_.claim(std::string(column), "output column", uses::output, {});
  model.energy = model.graph->symbol("energy");
  const Value& table = required("algebroid", "say what the coordinates are: kind = \"tangent\", base, fibre");
  check_keys(table, {"kind", "base", "fibre"});
  const Value& kind = source_.required(table, "kind", "[algebroid]", "write kind = \"tangent\"");
  source_.expect(kind, Kind::string, "'kind'");
  if (kind.text != "tangent")
    source_.fail(kind.place, "a model with an index has kind = \"tangent\", not " + in_quotes(kind.text),
                 "write kind = \"tangent\"");
  const auto list = [&](const char* key, const std::string& what, families::Kind of) {
    std::vector<std::size_t> numbers;
    const Value& names = source_.required(table, key, "[algebroid]", "name one, such as \"q[" + subscript + "]\"");
    for (const Value* item : source_.strings(names, in_quotes(key))) {
      const Key name = key_of(item->text);
      if (name.subscript != subscript)
        source_.fail(item->place,
                     in_quotes(item->text) + (model.indices.size() > 1 ? " has not both indices" : " has no index"),
                     "write " + name.name + "[" + subscript + "]; every coordinate of the model has " +
                         (model.indices.size() > 1 ? "both indices" : "the index"));
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
  for (std::size_t k = 0; k < model.indices.size(); ++k)
    model.numbers.push_back(model.sites.add(model.indices[k].name, families::Kind::number, k));
}

bool states_families(std::string_view text, const std::string& file) {
  return parse_document(text, file).find("indices") != nullptr;
}

families::Model parse_family_model(std::string_view text, const std::string& file,
                                   const std::vector<std::string>& assignments) {
  return FamilyReader(text, file, assignments).read_model();
}

ensemble::Plan parse_family_plan(std::string_view text, const std::string& file,
                                 const std::vector<std::string>& assignments, const std::vector<std::string>& swept) {
  return FamilyReader(text, file, assignments).read_plan(swept);
}

}  // namespace herglotz::io
