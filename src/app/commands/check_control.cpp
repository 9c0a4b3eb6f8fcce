#include "commands/check_control.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "herglotz/error.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "summary/findings.hpp"
#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {
namespace {

std::vector<simulate::Finding> findings_of(const solve::Description& description) {
  const auto names = [](const std::vector<std::string>& list) {
    return list.empty() ? std::string("none") : fmt::format("{}", fmt::join(list, ", "));
  };
  return {
      {"problem", description.kind, "", "", true},
      {"unknowns",
       fmt::format("{} states, {} controls, {} other variables along the path", description.states,
                   description.controls, description.others),
       "", "", true},
      {"ends",
       fmt::format("{} values given at the start, {} at the end, {} conditions; {}", description.given_initial,
                   description.given_final, description.conditions,
                   description.free_duration ? "the duration is free" : "the duration is given"),
       "", "", true},
      {"bounds", names(description.bounded), "", "", true},
      {"linear", names(description.linear), "",
       description.linear.empty() ? "" : ": at a bound, or singular where its switching function vanishes", true},
      {"normality", "undecided before it is solved", "", "", true},
  };
}

}  // namespace

int check_control(const ModelText& source, const CheckArguments& arguments) {
  control::Problem problem = io::parse_problem(source.text, source.file);
  for (const auto& assignment : arguments.set) io::apply_setting(problem, assignment);
  solve::Description description;
  try {
    description = solve::describe(problem);
  } catch (const Refused& e) {
    refuse(source.file, source.text, e.where(), e);
  }
  const auto findings = findings_of(description);
  if (arguments.format != "json") {
    fmt::print("{}\n", styled(stdout, Style::bold, one_line(problem.system.name)));
    for (const auto& finding : findings) print_finding(finding);
    return success;
  }
  nlohmann::ordered_json object{{"model_name", problem.system.name}, {"ok", true}};
  auto& list = object["findings"] = nlohmann::ordered_json::array();
  for (const auto& finding : findings)
    list.push_back(
        {{"subject", finding.subject}, {"text", finding.text()}, {"judged", finding.judged}, {"good", finding.good}});
  fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return success;
}

}  // namespace herglotz::app
