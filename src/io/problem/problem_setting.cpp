#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/solution_file.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "model/option_value.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

/// Returns the names of parameters and initial values, and of the time.
std::vector<std::string> settable(const control::Problem& problem) {
  std::vector<std::string> known = control::end_names(problem);
  known.emplace_back(problem.system.t.name());
  for (const auto& parameter : problem.system.parameters) known.emplace_back(parameter.symbol.name());
  return known;
}

void require_known(const char* option, const std::string& name, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const auto nearest = symbolic::nearest_names(name, known);
  throw InputError(option, 0, 0, "unknown name " + in_quotes(name),
                   nearest.empty() ? "known are " + listing(known) : "did you mean " + listing(nearest, " or ") + "?");
}

/// Splits NAME=TEXT. Throws InputError if there is no name or no equals sign.
std::pair<std::string, std::string_view> split(const char* option, std::string_view assignment, const std::string& what,
                                               const std::string& remedy) {
  const std::size_t equals = assignment.find('=');
  std::string name(trimmed(assignment.substr(0, equals)));
  if (equals == std::string_view::npos || name.empty())
    throw InputError(option, 0, 0, in_quotes(assignment) + what, remedy);
  return {std::move(name), trimmed(assignment.substr(equals + 1))};
}

}  // namespace

void set_value(control::Problem& problem, const std::string& name, double value) {
  for (auto& parameter : problem.system.parameters) {
    if (parameter.symbol.name() != name) continue;
    parameter.value = value;
    return;
  }
  if (name == "duration") {
    problem.boundary.duration = problem.system.graph().number(value);
    return;
  }
  std::erase(problem.boundary.free_initial, name);
  problem.boundary.initial[name] = problem.system.graph().number(value);
}

bool is_setting(const control::Problem& problem, std::string_view name) {
  const std::vector<std::string> known = settable(problem);
  return std::find(known.begin(), known.end(), name) != known.end();
}

void apply_setting(control::Problem& problem, std::string_view assignment) {
  constexpr const char* option = "--set";
  const auto [name, text] =
      split(option, assignment, " is not an assignment", "write NAME=VALUE, e.g. --set gamma=0.1");
  require_known(option, name, settable(problem));
  set_value(problem, name, constant_of_option(option, problem.system, name, text));
}

Continuation read_continuation(const control::Problem& problem, std::string_view assignment) {
  constexpr const char* option = "--continue";
  const auto [name, text] =
      split(option, assignment, " is not a range", "write NAME=FROM:TO:COUNT, as in gamma=0:1:11");
  auto known = settable(problem);
  known.emplace_back("duration");
  require_known(option, name, known);
  const OptionRange range = range_of_option(option, problem.system, name, text);
  Continuation result{name, {}};
  for (std::size_t k = 0; k < range.count; ++k) {
    const double share = range.count == 1 ? 0 : static_cast<double>(k) / static_cast<double>(range.count - 1);
    result.values.push_back((1 - share) * range.from + share * range.to);
  }
  return result;
}

std::vector<ControlBounds> bounds_of(const analyse::RunFacts& facts) {
  const control::Problem problem = parse_problem(facts.model_text);
  std::vector<symbolic::Expr> symbols;
  std::vector<double> values;
  for (const auto& parameter : problem.system.parameters) {
    const auto given = std::find_if(facts.parameters.begin(), facts.parameters.end(),
                                    [&](const auto& one) { return one.first == parameter.symbol.name(); });
    symbols.push_back(parameter.symbol);
    values.push_back(given == facts.parameters.end() ? parameter.value : given->second);
  }
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<ControlBounds> result;
  for (std::size_t u = 0; u < problem.controls.size(); ++u) {
    const auto& [lower, upper] = problem.bounds[u];
    result.push_back({std::string(problem.controls[u].name()),
                      lower ? symbolic::evaluate(*lower, symbols, values) : -none,
                      upper ? symbolic::evaluate(*upper, symbols, values) : none});
  }
  return result;
}

}  // namespace herglotz::io
