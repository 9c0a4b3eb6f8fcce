#include "commands/simulate_control.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/solution_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/report/report.hpp"
#include "herglotz/solve/replay.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

struct Solved {
  analyse::Trajectory trajectory;
  control::SolutionFacts facts;
};

/// Differences of a replay from the solution whose controls it had.
struct Differences {
  double cost = 0;
  std::vector<std::pair<std::string, double>> end;
};

void require_known_options(const SimulateArguments& arguments) {
  const auto refuse_option = [](const char* option, bool given) {
    if (given)
      throw io::InputError(option, 0, 0, "a motion under given controls has its own method, duration and rows",
                           "leave it out; --tolerance sets how exact the end is");
  };
  refuse_option("--method", arguments.method.has_value());
  refuse_option("--step", arguments.step.has_value());
  refuse_option("--t-end", arguments.t_end.has_value());
  refuse_option("--output-every", arguments.output_every.has_value());
  refuse_option("--output-step", arguments.output_step.has_value());
  refuse_option("--columns", !arguments.columns.empty());
  refuse_option("--sensitivities", !arguments.sensitivities.empty());
}

void print_text(const solve::Replay& replay, const std::optional<Differences>& differences,
                const std::vector<std::string>& written) {
  const auto& facts = replay.trajectory.facts;
  const auto line = [](const std::string& what, const std::string& text) {
    fmt::print("{:<12}{}\n", what, one_line(text));
  };
  line("model", facts.title.empty() ? facts.model_name : facts.model_name + ": " + facts.title);
  line("status", replay.complete ? "complete" : replay.reason);
  line("method", fmt::format("{}, {} steps, under given controls", facts.method, facts.steps));
  line("cost", fmt::format("{:.12g}", replay.cost));
  line("duration", fmt::format("{:.12g}", replay.duration));
  line("end error", fmt::format("{:.1e}, relative, estimated by halving the steps", replay.error));
  for (const auto& [name, value] : replay.end) line("end", fmt::format("{} = {:.12g}", name, value));
  if (differences) {
    line("difference", fmt::format("of the cost from the solution {:.1e}", differences->cost));
    for (const auto& [name, value] : differences->end) line("", fmt::format("of {} at the end {:.1e}", name, value));
  }
  for (const auto& file : written) line("written", file);
}

void print_json(const solve::Replay& replay, const std::optional<Differences>& differences,
                const std::vector<std::string>& written) {
  const auto& facts = replay.trajectory.facts;
  nlohmann::ordered_json object{{"creator", "herglotz"},
                                {"model_name", facts.model_name},
                                {"status", facts.status},
                                {"complete", replay.complete},
                                {"method", facts.method},
                                {"steps", facts.steps},
                                {"tolerance", facts.tolerance},
                                {"cost", replay.cost},
                                {"duration", replay.duration},
                                {"end_error", replay.error},
                                {"end", replay.end}};
  if (differences) {
    object["cost_difference"] = differences->cost;
    auto& end = object["end_differences"] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : differences->end) end[name] = value;
  }
  object["written"] = written;
  fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

solve::Replay replayed(const std::string& file, const control::Problem& problem, const InterruptGuard& interrupt) {
  try {
    return solve::replay(problem, [&] { return !interrupt.requested(); });
  } catch (const Refused& e) {
    refuse(file, problem.text, e.table_or("[control]"), e);
  }
}

int follow_and_write(const std::string& file, control::Problem& problem, const SimulateArguments& arguments,
                     const Solved* solution, DataOutput* data) {
  require_known_options(arguments);
  for (const auto& assignment : arguments.set) io::apply_setting(problem, assignment);
  if (arguments.tolerance) {
    if (!(*arguments.tolerance > 0 && std::isfinite(*arguments.tolerance)))
      throw io::InputError("--tolerance", 0, 0, fmt::format("{} is not positive and finite", *arguments.tolerance),
                           "give a positive number");
    problem.settings.tolerance = *arguments.tolerance;
  }
  const InterruptGuard interrupt;
  const solve::Replay replay = replayed(file, problem, interrupt);
  std::optional<Differences> differences;
  if (solution != nullptr && replay.complete) {
    differences = {replay.cost - solution->facts.cost, {}};
    for (const auto& [name, reached] : replay.end)
      if (const auto* column = solution->trajectory.find(name))
        differences->end.emplace_back(name, reached - column->values.back());
  }
  std::vector<std::string> written;
  if (data != nullptr) {
    io::print_csv(replay.trajectory, data->stream());
    data->finish();
  } else if (!arguments.out.empty()) {
    io::write_trajectory(replay.trajectory, arguments.out);
    written.push_back(fmt::format("{} ({} rows)", arguments.out, replay.trajectory.rows()));
  }
  if (!arguments.report.empty()) {
    report::write_report(replay.trajectory, arguments.report);
    written.push_back(arguments.report);
  }
  arguments.format == "json" ? print_json(replay, differences, written) : print_text(replay, differences, written);
  if (replay.complete) return success;
  if (interrupt.requested()) return interrupted;
  complain(fmt::format("{}: {}", file, replay.reason));
  return run_failed;
}

}  // namespace

int simulate_control(const ModelText& source, const SimulateArguments& arguments, DataOutput* data) {
  control::Problem problem = io::parse_problem(source.text, source.file);
  if (!problem.guess.file.empty()) io::read_guess(problem, problem.guess.file);
  return follow_and_write(source.file, problem, arguments, nullptr, data);
}

int replay_solution(const SimulateArguments& arguments, DataOutput* data) {
  const std::string& file = arguments.model;
  auto read = io::read_solution(file);
  if (!read.solution)
    throw io::InputError(file, 0, 0, "this file holds a run, whose motion is known",
                         "give the .h5 file of `herglotz solve --out FILE.h5`, or a model");
  const Solved solution{std::move(read.trajectory), std::move(*read.solution)};
  const auto& run = solution.trajectory.facts;
  control::Problem problem = io::parse_problem(run.model_text, file);
  for (const auto& [name, value] : run.parameters) io::set_value(problem, name, value);
  auto starts = control::end_names(problem);
  starts.emplace_back(problem.system.t.name());
  for (const auto& name : starts)
    if (const auto* column = solution.trajectory.find(name)) io::set_value(problem, name, column->values.front());
  io::set_value(problem, "duration", solution.facts.duration);
  problem.settings.tolerance = run.tolerance;
  io::set_guess(problem, solution.trajectory.columns, solution.facts.iterate, file);
  return follow_and_write(file, problem, arguments, &solution, data);
}

}  // namespace herglotz::app
