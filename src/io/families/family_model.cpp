#include <algorithm>
#include <cmath>
#include <filesystem>

#include "families/family_reader.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/symbolic/names.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using families::Ends;

/// The most sites of an index.
constexpr double most_sites = 1e8;

const std::vector<std::string> kTables{"model",      "indices",     "algebroid", "parameters", "dynamics",
                                       "symmetries", "observables", "initial",   "simulation"};
/// Tables of models without an index.
const std::vector<std::string> kOtherTables{"definitions", "constraints", "dissipated", "invariants", "discrete",
                                            "events",      "sweep",       "latex",      "gauge",      "control",
                                            "cost",        "boundary",    "guess",      "mesh"};

}  // namespace

FamilyReader::FamilyReader(std::string_view text, const std::string& file, const std::vector<std::string>& assignments)
    : source_(text, file),
      document_(parse_document(text, file)),
      vocabulary_(source_, std::make_shared<symbolic::Graph>()),
      set_(assignments) {}

families::Model FamilyReader::read() && {
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
    if (std::find(kTables.begin(), kTables.end(), member.key) == kTables.end())
      source_.unknown(member.place, "table", member.key, kTables);
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

std::vector<families::Index> FamilyReader::read_indices() const {
  const Value& table = *optional("indices");
  if (table.members.empty() || table.members.size() > 2)
    source_.fail(table.place, "[indices] has " + std::to_string(table.members.size()) + " indices",
                 "declare one, such as i = { count = 1000, ends = \"periodic\" }, or the two of a grid");
  std::vector<families::Index> indices;
  double sites = 1;
  for (const Member& member : table.members) {
    indices.push_back(read_index(member));
    sites *= static_cast<double>(indices.back().count);
  }
  if (sites > most_sites) source_.fail(table.place, "the grid has more than 100000000 sites", "give smaller counts");
  return indices;
}

families::Index FamilyReader::read_index(const Member& member) const {
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

std::size_t FamilyReader::count_of(const Value& value) const {
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
  for (const families::Index& index : model.indices)
    model.numbers.push_back(model.sites.add(index.name, families::Kind::number));
}

bool states_families(std::string_view text, const std::string& file) {
  return parse_document(text, file).find("indices") != nullptr;
}

families::Model parse_family_model(std::string_view text, const std::string& file,
                                   const std::vector<std::string>& assignments) {
  return FamilyReader(text, file, assignments).read();
}

}  // namespace herglotz::io
