#include "herglotz/simulate/loss.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/indexed.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;

constexpr const char* duration = "duration";

/// Returns whether a name may have this character, if points are allowed in names.
bool continues_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '.' || byte >= 0x80;
}

/// Returns an identifier of the same length that the scope does not have yet.
std::string identifier_for(const std::string& name, const symbolic::Scope& scope) {
  for (const char with : std::string_view("_abcdefghijklmnopqrstuvwxyz")) {
    std::string identifier = name;
    std::replace(identifier.begin(), identifier.end(), '.', with);
    if (!scope.contains(identifier)) return identifier;
  }
  throw Refused(fmt::format("the column {} cannot be named in a loss", name), "rename what it is a column of");
}

/// The columns of a model with an index that is written out, as q[0] and u[2,7] in the text of a loss.
class ElementColumns final : public symbolic::Elements {
 public:
  ElementColumns(symbolic::Graph& graph, const std::vector<analyse::Column>& columns)
      : graph_(graph), columns_(columns) {}

  Expr element(std::string_view name, std::span<const symbolic::Subscript> subscripts) override {
    std::vector<std::string> sites;
    for (const symbolic::Subscript& subscript : subscripts) {
      if (!subscript.index.empty() || !subscript.end.empty() || subscript.from_the_end)
        throw Refused(fmt::format("a subscript of {} is not the number of a site", name),
                      "name single elements, as q[0], or give a function of the run in Python");
      sites.push_back(std::to_string(subscript.offset));
    }
    const std::string column = fmt::format("{}[{}]", name, fmt::join(sites, ","));
    const auto is_named = [&](const analyse::Column& one) { return one.name == column; };
    if (std::none_of(columns_.begin(), columns_.end(), is_named))
      throw Refused(fmt::format("there is no column {}", column), "name a column of the run");
    return graph_.symbol(column);
  }
  void open_sum(std::span<const symbolic::SumIndex> /*indices*/) override {
    throw Refused("a loss has no sums over sites",
                  "declare the sum as an observable, or give a function of the run in Python");
  }
  Expr close_sum(Expr density) override { return density; }

 private:
  symbolic::Graph& graph_;
  const std::vector<analyse::Column>& columns_;
};

}  // namespace

struct Loss::Impl {
  std::shared_ptr<symbolic::Graph> graph = std::make_shared<symbolic::Graph>();
  std::vector<std::string> columns{};     ///< those that the expression has, without the time
  std::vector<std::string> parameters{};  ///< those that it has
  /// The symbols of the columns, of the parameters, of the time and of the duration.
  std::vector<Expr> symbols{};
  std::vector<Expr> outputs{};  ///< the value, then its derivatives by the symbols

  /// Adds the value at a row, with its derivatives, to a loss.
  void add(const analyse::Trajectory& run, std::size_t row, LossValue& loss) const {
    const auto& t = run.columns.front().values;
    std::vector<double> values;
    for (const auto& name : columns) values.push_back(run[name][row]);
    for (const auto& name : parameters) {
      const auto& all = run.facts.parameters;
      values.push_back(
          std::find_if(all.begin(), all.end(), [&](const auto& parameter) { return parameter.first == name; })->second);
    }
    values.push_back(t[row]);
    values.push_back(t.back() - t.front());
    const auto found = symbolic::evaluate(outputs, symbols, values);
    if (!std::all_of(found.begin(), found.end(), [](double value) { return std::isfinite(value); }))
      throw RunFailed(fmt::format("the loss, or a derivative of it, is not finite at t = {:.9g}", t[row]), "", run);
    loss.value += found[0];
    std::size_t at = 1;
    for (std::size_t c = 0; c < columns.size(); ++c) loss.cotangents.values[row * columns.size() + c] += found[at++];
    for (const auto& name : parameters) loss.cotangents.by_parameters[name] += found[at++];
    // The time of a row moves only if the row is the last one.
    if (row + 1 == t.size()) loss.cotangents.by_end += found[at];
    loss.cotangents.by_end += found[at + 1];
  }

  [[nodiscard]] LossValue empty(const analyse::Trajectory& run) const {
    LossValue loss;
    loss.cotangents.columns = columns;
    loss.cotangents.values.assign(run.rows() * columns.size(), 0.0);
    return loss;
  }
};

Loss::Loss(const mechanics::System& system, const analyse::Trajectory& run, std::string_view text)
    : impl_(std::make_unique<Impl>()) {
  Impl& in = *impl_;
  symbolic::Scope scope;
  const std::string time = run.columns.front().name;
  std::vector<std::pair<std::string, std::string>> dotted;  // (name, identifier)
  const auto declare = [&](const std::string& name) { scope.emplace(name, in.graph->symbol(name)); };
  declare(time);
  declare(duration);
  for (const auto& parameter : system.parameters) declare(std::string(parameter.symbol.name()));
  for (const auto& column : run.columns)
    if (column.name.find_first_of(".[") == std::string::npos) declare(column.name);
  for (const auto& column : run.columns) {
    if (column.name.find('.') == std::string::npos || column.name.find('[') != std::string::npos) continue;
    dotted.emplace_back(column.name, identifier_for(column.name, scope));
    scope.emplace(dotted.back().second, in.graph->symbol(column.name));
  }
  std::string read(text);
  for (std::size_t at = 0; at < read.size();) {
    std::size_t end = at;
    while (end < read.size() && continues_name(read[end])) ++end;
    const std::string name = read.substr(at, end - at);
    const auto known = std::find_if(dotted.begin(), dotted.end(), [&](const auto& pair) { return pair.first == name; });
    if (known != dotted.end()) read.replace(at, name.size(), known->second);
    at = std::max(end, at + 1);
  }
  Expr loss;
  try {
    ElementColumns elements(*in.graph, run.columns);
    loss = symbolic::parse_indexed(*in.graph, read, scope, elements);
  } catch (const symbolic::ParseError& error) {
    throw Refused(fmt::format("loss:{}:{}: {}", error.line, error.column, error.problem()), error.remedy());
  }
  const auto used = symbolic::free_symbols(std::vector{loss});
  const auto has = [&](const std::string& name) {
    return std::any_of(used.begin(), used.end(), [&](const Expr& symbol) { return symbol.name() == name; });
  };
  for (const auto& column : run.columns)
    if (column.name != time && has(column.name)) in.columns.push_back(column.name);
  for (const auto& parameter : system.parameters)
    if (has(std::string(parameter.symbol.name()))) in.parameters.emplace_back(parameter.symbol.name());
  for (const auto* names : {&in.columns, &in.parameters})
    for (const auto& name : *names) in.symbols.push_back(in.graph->symbol(name));
  in.symbols.push_back(in.graph->symbol(time));
  in.symbols.push_back(in.graph->symbol(duration));
  in.outputs = symbolic::gradient(loss, in.symbols);
  in.outputs.insert(in.outputs.begin(), loss);
}

Loss::~Loss() = default;
Loss::Loss(Loss&&) noexcept = default;
Loss& Loss::operator=(Loss&&) noexcept = default;

LossValue Loss::at_end(const analyse::Trajectory& run) const {
  LossValue loss = impl_->empty(run);
  impl_->add(run, run.rows() - 1, loss);
  return loss;
}

LossValue Loss::sum(const analyse::Trajectory& run, std::span<const double> times) const {
  constexpr double rounding = 1e-9;
  const auto& t = run.columns.front().values;
  LossValue loss = impl_->empty(run);
  for (const double time : times) {
    const auto near = std::min_element(t.begin(), t.end(),
                                       [&](double a, double b) { return std::abs(a - time) < std::abs(b - time); });
    if (!(std::abs(*near - time) <= rounding * std::max(1.0, std::abs(time))))
      throw Refused(fmt::format("the run has no row at t = {:.9g}, at which the loss is wanted", time),
                    fmt::format("give times from {:.9g} to {:.9g}", t.front(), t.back()));
    impl_->add(run, static_cast<std::size_t>(near - t.begin()), loss);
  }
  return loss;
}

}  // namespace herglotz::simulate
