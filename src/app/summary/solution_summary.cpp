#include "summary/solution_summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace herglotz::app {
namespace {

void line(const std::string& what, const std::string& text) {
  if (!text.empty()) fmt::print("{:<12}{}\n", what, text);
}

void print_sequence(const ContinuedProblems& sequence) {
  if (sequence.name.empty()) return;
  fmt::print("{:>14} {:>20} {:>16} {:>10}  {}\n", sequence.name, "cost", "duration", "iterations", "status");
  for (const auto& one : sequence.problems)
    fmt::print("{:>14.8g} {:>20.12g} {:>16.10g} {:>10}  {}\n", one.value, one.cost, one.duration, one.iterations,
               control::word_for(one.status));
}

/// Returns what H was compared with, and what that showed.
std::string comparison_in_words(const solve::ControlComparison& one) {
  if (!one.of_all && one.times == 0) return "of H over near controls only: " + one.why;
  return fmt::format("of H over all controls at {} times: others would save {:.1e} of the cost{}", one.times, one.saved,
                     one.of_all ? "" : "; else over near controls only: " + one.why);
}

}  // namespace

void print_solution(const solve::Solution& solution, const ContinuedProblems& sequence,
                    const std::vector<std::string>& written) {
  print_sequence(sequence);
  const auto& facts = solution.trajectory.facts;
  line("model", facts.title.empty() ? facts.model_name : facts.model_name + ": " + facts.title);
  line("status", control::word_for(solution.status) + " (" + solution.reason + ")");
  line("extremal", control::extremal_of(solution));
  line("cost", fmt::format("{:.12g}", solution.cost) +
                   (std::isnan(solution.cost_error) ? "" : fmt::format(" +- {:.1e}", solution.cost_error)));
  line("duration", fmt::format("{:.12g}", solution.duration));
  line("structure", solution.structure);
  line("method", fmt::format("{}, {} intervals, {} iterations; {}", solution.method, solution.intervals,
                             solution.iterations, solution.solvers));
  line("mesh error", std::isnan(solution.mesh_error) ? "not estimated"
                                                     : fmt::format("{:.1e}, relative, estimated", solution.mesh_error));
  for (const auto& [name, value] : solution.residuals)
    line("", std::isnan(value) ? fmt::format("{} has no value", name) : fmt::format("{} {:.1e}", name, value));
  if (solution.comparison) line("maximum", comparison_in_words(*solution.comparison));
  for (const auto& note : solution.notes) line("note", note);
  for (const auto& file : written) line("written", file);
}

void print_solution_json(const solve::Solution& solution, const ContinuedProblems& sequence,
                         const std::vector<std::string>& written) {
  nlohmann::ordered_json object;
  object["creator"] = "herglotz";
  object["model_name"] = solution.trajectory.facts.model_name;
  object["status"] = control::word_for(solution.status);
  object["reason"] = solution.reason;
  object["extremal"] = control::extremal_of(solution);
  object["cost"] = solution.cost;
  object["cost_error"] = solution.cost_error;
  object["duration"] = solution.duration;
  object["structure"] = solution.structure;
  object["switching_times"] = solution.switching_times;
  auto& residuals = object["residuals"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : solution.residuals) residuals[name] = value;
  if (const auto& one = solution.comparison)
    object["maximum_of_H"] = {{"over", one->of_all ? "all controls" : "near controls"},
                              {"times", one->times},
                              {"saved", one->saved},
                              {"why_not_all", one->why}};
  object["mesh_error"] = solution.mesh_error;
  object["method"] = solution.method;
  object["intervals"] = solution.intervals;
  object["iterations"] = solution.iterations;
  object["solvers"] = solution.solvers;
  object["notes"] = solution.notes;
  if (!sequence.name.empty()) {
    auto& list = object["continuation"] = nlohmann::ordered_json::array();
    for (const auto& one : sequence.problems)
      list.push_back({{sequence.name, one.value},
                      {"cost", one.cost},
                      {"duration", one.duration},
                      {"status", control::word_for(one.status)},
                      {"iterations", one.iterations}});
  }
  object["written"] = written;
  fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace herglotz::app
