#include <algorithm>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "model/option_value.hpp"
#include "quote.hpp"

namespace herglotz::io {

void apply_setting(control::Problem& problem, std::string_view assignment) {
  constexpr const char* option = "--set";
  const std::size_t equals = assignment.find('=');
  const std::string name(trimmed(assignment.substr(0, equals)));
  if (equals == std::string_view::npos || name.empty())
    throw InputError(option, 0, 0, in_quotes(assignment) + " is no assignment",
                     "write NAME=VALUE, e.g. --set gamma=0.1");
  const std::string_view text = trimmed(assignment.substr(equals + 1));
  std::vector<std::string> known = control::end_names(problem);
  known.emplace_back(problem.system.t.name());
  const bool is_initial = std::find(known.begin(), known.end(), name) != known.end();
  for (auto& parameter : problem.system.parameters) {
    known.emplace_back(parameter.symbol.name());
    if (parameter.symbol.name() != name) continue;
    parameter.value = constant_of_option(option, problem.system, name, text);
    return;
  }
  if (is_initial) {
    std::erase(problem.boundary.free_initial, name);
    problem.boundary.initial[name] =
        problem.system.graph().number(constant_of_option(option, problem.system, name, text));
    return;
  }
  const auto nearest = symbolic::nearest_names(name, known);
  throw InputError(option, 0, 0, "unknown name " + in_quotes(name),
                   nearest.empty() ? "known are " + listing(known) : "did you mean " + listing(nearest, " or ") + "?");
}

}  // namespace herglotz::io
