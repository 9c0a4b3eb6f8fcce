#include "summary/solution_summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace herglotz::app {
namespace {

std::string word(solve::Status status) {
  switch (status) {
    case solve::Status::solved:
      return "solved";
    case solve::Status::infeasible:
      return "infeasible";
    case solve::Status::stopped:
      return "stopped";
    default:
      return "not converged";
  }
}

/// Returns the kind of the extremal; a problem without a solution has none.
std::string extremal(const solve::Solution& solution) {
  if (solution.status != solve::Status::solved) return "none";
  return solution.abnormal ? "abnormal" : "normal";
}

void line(const std::string& what, const std::string& text) {
  if (!text.empty()) fmt::print("{:<12}{}\n", what, text);
}

}  // namespace

void print_solution(const solve::Solution& solution, const std::vector<std::string>& written) {
  const auto& facts = solution.trajectory.facts;
  line("model", facts.title.empty() ? facts.model_name : facts.model_name + ": " + facts.title);
  line("status", word(solution.status) + " (" + solution.reason + ")");
  line("extremal", extremal(solution));
  line("cost", fmt::format("{:.12g} +- {:.1e}", solution.cost, solution.cost_error));
  line("duration", fmt::format("{:.12g}", solution.duration));
  line("structure", solution.structure);
  line("method", fmt::format("{}, {} intervals, {} iterations; {}", solution.method, solution.intervals,
                             solution.iterations, solution.solvers));
  line("mesh error", fmt::format("{:.1e}, relative, estimated", solution.mesh_error));
  for (const auto& [name, value] : solution.residuals) line("", fmt::format("{} {:.1e}", name, value));
  for (const auto& note : solution.notes) line("note", note);
  for (const auto& file : written) line("written", file);
}

void print_solution_json(const solve::Solution& solution, const std::vector<std::string>& written) {
  nlohmann::ordered_json object;
  object["creator"] = "herglotz";
  object["model_name"] = solution.trajectory.facts.model_name;
  object["status"] = word(solution.status);
  object["reason"] = solution.reason;
  object["extremal"] = extremal(solution);
  object["cost"] = solution.cost;
  object["cost_error"] = solution.cost_error;
  object["duration"] = solution.duration;
  object["structure"] = solution.structure;
  object["switching_times"] = solution.switching_times;
  auto& residuals = object["residuals"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : solution.residuals) residuals[name] = value;
  object["mesh_error"] = solution.mesh_error;
  object["method"] = solution.method;
  object["intervals"] = solution.intervals;
  object["iterations"] = solution.iterations;
  object["solvers"] = solution.solvers;
  object["notes"] = solution.notes;
  object["written"] = written;
  fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace herglotz::app
