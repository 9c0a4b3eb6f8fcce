#include "herglotz/io/setting.hpp"

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/conflicting_values.hpp"
#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "model/constraints_table.hpp"
#include "model/initial_table.hpp"
#include "model/option_value.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

constexpr const char* kOption = "--set";
constexpr std::string_view kNext = "next.";

[[noreturn]] void fail(const std::string& what, const std::string& remedy) {
  throw InputError(kOption, 0, 0, what, remedy);
}

/// Evaluates the initial values that are expressions with the present parameters and initial values.
void evaluate(simulate::Problem& problem) {
  try {
    problem.expressions.apply(problem.system, {}, problem.initial, problem.next);
  } catch (const Refused& reason) {
    fail(reason.problem(), reason.remedy());
  }
}

std::vector<std::string> base_names(const simulate::Problem& problem) {
  std::vector<std::string> names;
  for (const auto& x : problem.system.algebroid.x) names.emplace_back(x.name());
  return names;
}

/// Sets next.<base>, a coordinate of the second position of a discrete motion. Coordinates that are neither set nor in
/// the file are 0.
void set_next(simulate::Problem& problem, const std::string& name, std::string_view text) {
  const std::string coordinate = name.substr(kNext.size());
  if (!problem.discrete)
    fail(in_quotes(name) + " is a second position, and the model has no discrete Lagrangian",
         "set velocities or momenta, or add [discrete] to the model");
  const std::vector<std::string> known = base_names(problem);
  if (std::find(known.begin(), known.end(), coordinate) == known.end()) {
    const auto nearest = symbolic::nearest_names(coordinate, known);
    fail("unknown base coordinate " + in_quotes(coordinate) + " in " + in_quotes(name),
         nearest.empty() ? "known are " + listing(known) : "did you mean next." + nearest.front() + "?");
  }
  const double value = constant_of_option(kOption, problem.system, name, text);
  for (const auto* symbols : {&problem.system.algebroid.y, &problem.system.p})
    for (const auto& symbol : *symbols) problem.initial.erase(std::string(symbol.name()));
  if (problem.next.empty())
    for (const auto& x : known) problem.next[x] = 0;
  problem.next[coordinate] = value;
  problem.expressions.erase(name);
  evaluate(problem);
}

}  // namespace

bool is_setting(const simulate::Problem& problem, std::string_view name) {
  std::string plain = symbolic::with_plain_greek(name);
  std::vector<std::string> known;
  if (plain.starts_with(kNext)) {
    if (problem.discrete) known = base_names(problem);
    plain.erase(0, kNext.size());
  } else {
    known = initial_names(problem.system);
    for (const auto& parameter : problem.system.parameters) known.emplace_back(parameter.symbol.name());
  }
  return std::find(known.begin(), known.end(), plain) != known.end();
}

void apply_setting(simulate::Problem& problem, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string name = symbolic::with_plain_greek(trimmed(assignment.substr(0, equals)));
  if (equals == std::string_view::npos || name.empty()) {
    fail(in_quotes(assignment) + " is not an assignment", "write NAME=VALUE, e.g. --set gamma=0.1");
  }
  const std::string_view text = trimmed(assignment.substr(equals + 1));
  mechanics::System& system = problem.system;
  if (name.starts_with(kNext)) return set_next(problem, name, text);
  if (name == "project" && (text == "true" || text == "false")) {
    problem.settings.project = text == "true";
    return;
  }
  std::vector<std::string> known = initial_names(system);
  const bool is_initial = std::find(known.begin(), known.end(), name) != known.end();
  for (auto& parameter : system.parameters) {
    if (parameter.symbol.name() == name) {
      parameter.value = constant_of_option(kOption, system, name, text);
      return evaluate(problem);
    }
    known.emplace_back(parameter.symbol.name());
  }
  if (is_initial) {
    const double value = constant_of_option(kOption, system, name, text);
    simulate::drop_conflicting_values(system, name, problem.initial, problem.next);
    problem.initial[name] = value;
    problem.expressions.erase(name);
    return evaluate(problem);
  }
  if (name == "project") fail("'project' is a switch, not " + in_quotes(text), "write project=true or project=false");
  const Refusal refusal = refusal_of_multiplier(system.constraints, name);
  if (!refusal.what.empty()) fail(refusal.what, refusal.remedy);
  const auto nearest = symbolic::nearest_names(name, known);
  fail("unknown name " + in_quotes(name),
       nearest.empty() ? "known are " + listing(known) : "did you mean " + listing(nearest, " or ") + "?");
}

}  // namespace herglotz::io
