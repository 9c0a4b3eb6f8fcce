#include "commands/check_control.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "herglotz/control/singular_extremals.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/mechanics/singular/reach.hpp"
#include "herglotz/solve/solve.hpp"
#include "summary/findings.hpp"
#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {
namespace {

std::string counted(std::size_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string order_of(const solve::LinearControl& control) {
  return control.order ? fmt::format("{} (singular arcs of order {})", control.name, *control.order)
                       : fmt::format("{} ({})", control.name, control.why_not);
}

std::vector<simulate::Finding> findings_of(const solve::Description& description) {
  const auto names = [](const std::vector<std::string>& list) {
    return list.empty() ? std::string("none") : fmt::format("{}", fmt::join(list, ", "));
  };
  std::vector<std::string> linear;
  for (const auto& control : description.linear) linear.push_back(order_of(control));
  std::vector<simulate::Finding> findings{
      {"problem", description.kind_in_words, "", "", true},
      {"unknowns",
       fmt::format("{}, {}, {} along the path", counted(description.states.size(), "state"),
                   counted(description.controls.size(), "control"),
                   counted(description.variables.size(), "other variable")),
       "", "", true},
      {"ends",
       fmt::format("{} given at the start, {} at the end, {}; {}", counted(description.given_initial.size(), "value"),
                   description.given_final.size(), counted(description.conditions, "condition"),
                   description.duration ? "the duration is given" : "the duration is free"),
       "", "", true},
      {"bounds", names(description.bounded), "", "", true},
      {"linear", names(linear), "",
       linear.empty() ? "" : ": at a bound, or singular where its switching function vanishes", true},
      {"normality", "undecided before it is solved", "", "", true},
  };
  if (description.constant_cost)
    findings.push_back({"cost", "the same for every path that meets the conditions: none is the best", "", "", true});
  return findings;
}

/// The extremals inside all bounds: those of a regular problem, or singular arcs with their constraints.
struct Arcs {
  std::optional<mechanics::SingularAnalysis> singular;
  std::vector<simulate::Finding> findings;
};

Arcs arcs_of(const control::Problem& problem) {
  Arcs arcs;
  const auto tell = [&](std::string subject, std::string text) {
    arcs.findings.push_back({std::move(subject), std::move(text), "", "", true});
  };
  try {
    arcs.singular = control::singular_extremals(problem);
  } catch (const mechanics::Undecided& undecided) {
    tell("extremals",
         fmt::format("whether the maximum condition determines the controls was not decided: {}", undecided.what()));
    return arcs;
  }
  if (!arcs.singular) {
    tell("extremals", "regular: inside all bounds the maximum condition determines the controls");
    return arcs;
  }
  tell("extremals", "singular: inside all bounds the maximum condition does not determine all controls");
  std::size_t level = 0;
  for (const auto& constraint : arcs.singular->constraints) {
    tell(constraint.level == level ? "" : fmt::format("level {}", constraint.level), mechanics::text_of(constraint));
    level = constraint.level;
  }
  if (const auto& contradiction = arcs.singular->contradiction) {
    tell("singular arcs", "none: " + mechanics::text_of(*contradiction));
    return arcs;
  }
  tell("singular arcs", fmt::format("on a set of dimension {} of {} in (x, p, z; u)", arcs.singular->dim_final,
                                    arcs.singular->dim_total()));
  const auto& free = arcs.singular->undetermined;
  std::vector<std::string> names;
  for (const auto& control : free) names.emplace_back(control.name());
  tell("", free.empty() ? "every control is determined on it"
                        : fmt::format("arbitrary functions of time: {}", fmt::join(names, ", ")));
  return arcs;
}

const char* word_for(control::Kind kind) {
  if (kind == control::Kind::two_point) return "two-point";
  return kind == control::Kind::kinematic ? "kinematic" : "mechanical";
}

using nlohmann::ordered_json;

ordered_json finite_or_null(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json json_of(const mechanics::System& system, const solve::Description& description, const Arcs& arcs) {
  ordered_json object{{"model", system.name},
                      {"model_name", system.name},
                      {"title", system.title},
                      {"reference", system.reference},
                      {"ok", true},
                      {"failure", ""},
                      {"problem", word_for(description.kind)},
                      {"states", description.states},
                      {"controls", description.controls},
                      {"costates", description.costates},
                      {"variables", description.variables},
                      {"initial", {{"given", description.given_initial}, {"free", description.free_initial}}},
                      {"final", {{"given", description.given_final}, {"free", description.free_final}}},
                      {"unknowns", description.unknowns()},
                      {"conditions", description.conditions},
                      {"inequalities", description.inequalities}};
  object["duration"] = description.duration ? ordered_json(*description.duration) : ordered_json("free");
  auto& bounds = object["bounds"] = ordered_json::object();
  for (std::size_t u = 0; u < description.bounded.size(); ++u) {
    const auto& [lower, upper] = description.bounds[u];
    bounds[description.bounded[u]] = {finite_or_null(lower), finite_or_null(upper)};
  }
  auto& linear = object["linear_controls"] = ordered_json::array();
  for (const auto& control : description.linear)
    linear.push_back({{"control", control.name},
                      {"order", control.order ? ordered_json(*control.order) : ordered_json(nullptr)},
                      {"detail", control.why_not}});
  object["normality"] = "undecided";
  object["singular"] = singular_json(arcs.singular);
  object["constant_cost"] = description.constant_cost;
  return object;
}

}  // namespace

int check_control(const ModelText& source, const CheckArguments& arguments) {
  control::Problem problem = io::parse_problem(source.text, source.file);
  for (const auto& assignment : arguments.set) io::apply_setting(problem, assignment);
  solve::Description description;
  Arcs arcs;
  try {
    description = solve::describe(problem);
    arcs = arcs_of(problem);
  } catch (const Refused& e) {
    refuse(source.file, source.text, e.where(), e);
  }
  auto findings = findings_of(description);
  findings.insert(findings.end(), arcs.findings.begin(), arcs.findings.end());
  if (arguments.format != "json") {
    fmt::print("{}\n", styled(stdout, Style::bold, one_line(problem.system.name)));
    for (const auto& finding : findings) print_finding(finding);
    return success;
  }
  ordered_json object = json_of(problem.system, description, arcs);
  object["findings"] = findings_json(findings);
  fmt::print("{}\n", object.dump(2, ' ', false, ordered_json::error_handler_t::replace));
  return success;
}

}  // namespace herglotz::app
