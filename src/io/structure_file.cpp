#include "herglotz/io/structure_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "model/vocabulary.hpp"
#include "quote.hpp"
#include "toml/document.hpp"
#include "toml/source.hpp"

namespace herglotz::io {
namespace {

constexpr const char* structure_table = "[structure]";
/// A start counts as on the constraints if it is off them by less, relative to its coordinates.
constexpr double rounded = 1e-10;

class StructureReader {
 public:
  StructureReader(std::string_view text, const std::string& file)
      : source_(text, file),
        document_(parse_document(text, file)),
        vocabulary_(source_, std::make_shared<symbolic::Graph>()) {}

  StructureFile read() {
    require_known(document_, {"model", "structure", "parameters", "initial"}, "table");
    const Value& table = source_.required(document_, "structure", "the file", "add [structure]");
    source_.expect(table, Kind::table, "'structure'");
    require_known(table, {"coordinates", "form", "tensor", "field", "constraints", "reactions"}, "key");
    StructureFile file;
    file.graph = vocabulary_.shared_graph();
    file.structure.title = title();
    const Value& names = source_.required(table, "coordinates", structure_table, "list the coordinates of the chart");
    geometry::Chart u;
    for (const Value* name : source_.strings(names, "'coordinates'"))
      u.push_back(vocabulary_.claim(name->text, "coordinate", uses::base, name->place));
    if (u.empty()) source_.fail(names.place, "'coordinates' is empty", "list the coordinates of the chart");
    for (const char* name : {"model", "parameters", "initial"})
      if (const Member* given = document_.find(name)) source_.expect(given->value, Kind::table, in_quotes(name));
    if (const Member* parameters = document_.find("parameters"))
      for (const Member& member : parameters->value.members)
        file.parameters.push_back({vocabulary_.claim(member.key, "parameter", uses::parameter, member.place),
                                   vocabulary_.constant(member.value, "the parameter " + in_quotes(member.key))});
    read_structure(table, u, file.structure);
    read_constraints(table, u, file.structure);
    if (const Member* initial = document_.find("initial")) {
      for (const Member& member : initial->value.members) {
        if (std::none_of(u.begin(), u.end(), [&](const symbolic::Expr& one) { return one.name() == member.key; }))
          source_.unknown(member.place, "initial value", member.key, names_of(u));
        file.initial[member.key] = vocabulary_.constant(member.value, "the initial value " + in_quotes(member.key));
      }
    }
    return file;
  }

 private:
  void require_known(const Value& table, const std::vector<std::string>& known, std::string_view what) const {
    for (const Member& member : table.members)
      if (std::find(known.begin(), known.end(), member.key) == known.end())
        source_.unknown(member.place, what, member.key, known);
  }
  [[nodiscard]] std::string title() const {
    const Member* model = document_.find("model");
    if (model == nullptr) return source_.file();
    for (const char* key : {"title", "name"})
      if (const Member* given = model->value.find(key)) {
        source_.expect(given->value, Kind::string, in_quotes(key));
        return given->value.text;
      }
    return source_.file();
  }
  static std::vector<std::string> names_of(const geometry::Chart& u) {
    std::vector<std::string> names;
    for (const symbolic::Expr& symbol : u) names.emplace_back(symbol.name());
    return names;
  }
  [[nodiscard]] std::vector<symbolic::Expr> components(const Value& value, std::string_view of,
                                                       std::size_t size) const {
    source_.expect(value, Kind::array, of);
    if (value.items.size() != size)
      source_.fail(value.place, std::string(of) + " has " + std::to_string(value.items.size()) + " components",
                   "give one for each of the " + std::to_string(size) + " coordinates");
    return expressions(value, "a component");
  }
  [[nodiscard]] std::vector<symbolic::Expr> expressions(const Value& value, const char* of) const {
    const ExpressionRole role{of, uses::base | uses::parameter, "use coordinates and parameters"};
    std::vector<symbolic::Expr> all;
    for (const Value& item : value.items) all.push_back(vocabulary_.expression(item, role));
    return all;
  }
  void read_structure(const Value& table, const geometry::Chart& u, mechanics::NamedStructure& structure) const {
    const Member* form = table.find("form");
    const Member* tensor = table.find("tensor");
    const Member* field = table.find("field");
    if ((form != nullptr) == (tensor != nullptr || field != nullptr))
      source_.fail(table.place, "[structure] needs a contact form or a Jacobi structure",
                   "give form = [...], or tensor = [[...], ...] with field = [...]");
    if (form != nullptr) {
      try {
        structure.contact.emplace(geometry::OneForm{u, components(form->value, "'form'", u.size())});
      } catch (const Refused& refusal) {
        source_.fail(form->value.place, refusal.problem(), refusal.remedy());
      }
      return;
    }
    const Value& rows = source_.required(table, "tensor", structure_table, "give tensor = [[...], ...]");
    source_.expect(rows, Kind::array, "'tensor'");
    if (rows.items.size() != u.size())
      source_.fail(rows.place, "'tensor' has " + std::to_string(rows.items.size()) + " rows",
                   "give one for each of the " + std::to_string(u.size()) + " coordinates");
    symbolic::Matrix Lambda(u.size(), u.size(), vocabulary_.graph().number(std::int64_t{0}));
    Lambda.entries.clear();
    for (const Value& row : rows.items)
      for (const symbolic::Expr& entry : components(row, "a row of 'tensor'", u.size()))
        Lambda.entries.push_back(entry);
    const Value& E =
        source_.required(table, "field", structure_table, "give field = [...], zeros for a Poisson tensor");
    structure.jacobi = geometry::JacobiStructure{{u, Lambda}, {u, components(E, "'field'", u.size())}};
    for (const symbolic::Expr& defect : structure.jacobi->skewness_defects())
      if (!symbolic::simplify(symbolic::expand(defect)).is_zero())
        source_.fail(rows.place, "'tensor' is not skew", "a Jacobi structure has Lambda^AB = -Lambda^BA");
  }
  void read_constraints(const Value& table, const geometry::Chart& u, mechanics::NamedStructure& structure) const {
    const Member* constraints = table.find("constraints");
    const Member* reactions = table.find("reactions");
    if (constraints == nullptr && reactions == nullptr) return;
    if (constraints == nullptr || reactions == nullptr)
      source_.fail((constraints == nullptr ? reactions : constraints)->value.place,
                   "constraints of a structure of one's own need the forms of their reactions",
                   "give constraints = [...] and reactions = [[...], ...], one form for each");
    source_.expect(constraints->value, Kind::array, "'constraints'");
    source_.expect(reactions->value, Kind::array, "'reactions'");
    std::vector<geometry::OneForm> forms;
    for (const Value& row : reactions->value.items)
      forms.push_back({u, components(row, "a form of 'reactions'", u.size())});
    try {
      structure.constrained =
          geometry::constrained_structure(structure.free(), expressions(constraints->value, "a constraint"), forms);
    } catch (const Refused& refusal) {
      source_.fail(reactions->value.place, refusal.problem(), refusal.remedy());
    }
  }

  Source source_;
  Value document_;
  Vocabulary vocabulary_;
};

}  // namespace

bool states_structure(std::string_view text, const std::string& file) {
  return parse_document(text, file).find("structure") != nullptr;
}

StructureFile parse_structure(std::string_view text, const std::string& file) {
  return StructureReader(text, file).read();
}

simulate::Problem flow_of_structure(const StructureFile& from, const std::string& f,
                                    std::optional<simulate::ConstrainedField> along) {
  const auto& structure = from.structure;
  const auto& jacobi = structure.free();
  if (along && !structure.constrained)
    throw Refused("the structure has no constraints", "give constraints = [...] and reactions = [[...], ...]");
  symbolic::Scope scope;
  for (const symbolic::Expr& symbol : jacobi.u()) scope.emplace(std::string(symbol.name()), symbol);
  for (const auto& parameter : from.parameters) scope.emplace(std::string(parameter.symbol.name()), parameter.symbol);
  symbolic::Expr function;
  try {
    function = symbolic::parse(*from.graph, f, scope);
  } catch (const symbolic::ParseError& error) {
    throw Refused("FUNCTION '" + f + "': " + error.what());
  }
  const auto field = along ? simulate::field_along(*structure.constrained, jacobi, function, *along)
                           : jacobi.hamiltonian_field(function);
  simulate::Problem flow = simulate::flow_of_field(field, from.graph, from.parameters, "W", "t");
  flow.system.name = "flow";
  flow.system.title = from.structure.title;
  if (!scope.contains("f")) flow.system.observables.push_back({"f", function});
  if (along) simulate::observe_constraints(flow, structure.constrained->Phi);
  for (const symbolic::Expr& symbol : jacobi.u()) {
    const auto given = from.initial.find(symbol.name());
    flow.initial.emplace(symbol.name(), given == from.initial.end() ? 0 : given->second);
  }
  return flow;
}

void require_on_constraints(const StructureFile& from, const simulate::Problem& flow) {
  std::vector<symbolic::Expr> symbols = from.structure.free().u();
  const std::size_t coordinates = symbols.size();
  std::vector<double> values;
  for (const auto& symbol : symbols) values.push_back(flow.initial.find(symbol.name())->second);
  for (const auto& parameter : flow.system.parameters) {
    symbols.push_back(parameter.symbol);
    values.push_back(parameter.value);
  }
  const auto& Phi = from.structure.constrained->Phi;
  for (std::size_t k = 0; k < Phi.size(); ++k) {
    double size = 0;
    std::string start;
    for (std::size_t A = 0; A < coordinates; ++A) {
      if (!symbolic::depends_on(Phi[k], symbols[A])) continue;
      const double slope = symbolic::evaluate(symbolic::derivative(Phi[k], symbols[A]), symbols, values);
      size += std::abs(slope) * std::max(1.0, std::abs(values[A]));
      start += fmt::format("{}{} = {:.6g}", start.empty() ? "" : ", ", symbols[A].name(), values[A]);
    }
    const double value = symbolic::evaluate(Phi[k], symbols, values);
    if (!(value == 0 || std::abs(value) <= rounded * size))
      throw Refused(fmt::format("constraint {}, {}, is {:.3g} at {}", k + 1, symbolic::print(Phi[k]), value, start),
                    "give a start at which it is 0", "[initial]");
  }
}

}  // namespace herglotz::io
