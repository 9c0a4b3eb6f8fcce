#include "herglotz/solve/solve.hpp"

#include <fmt/format.h>

#include <cmath>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/control/conditions.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/solution_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/report/report.hpp"
#include "model_source.hpp"
#include "summary/solution_summary.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/output.hpp"

namespace herglotz::app {
namespace {

void check_places(const SolveArguments& arguments) {
  check_destination("--report", arguments.report, {".html"});
  check_occupant("--report", arguments.report, arguments.force);
  if (arguments.out == "-") {
    if (arguments.format == "json")
      throw io::InputError("--out", 0, 0, "both --out - and --format json want standard output", "keep one of them");
    return;
  }
  check_destination("--out", arguments.out, {".csv", ".h5"});
  check_occupant("--out", arguments.out, arguments.force);
}

void require_positive(const char* option, double value) {
  if (!(value > 0 && std::isfinite(value)))
    throw io::InputError(option, 0, 0, fmt::format("{} is not positive and finite", value), "give a positive number");
}

void override_problem(control::Problem& problem, const SolveArguments& arguments) {
  for (const auto& assignment : arguments.set) io::apply_setting(problem, assignment);
  if (arguments.method) problem.settings.method = *arguments.method;
  if (arguments.intervals) {
    if (*arguments.intervals < 1 || *arguments.intervals > 1'000'000)
      throw io::InputError("--intervals", 0, 0, fmt::format("{} is not a number of intervals", *arguments.intervals),
                           "give a whole number of at least 1");
    problem.settings.intervals = static_cast<std::size_t>(*arguments.intervals);
    problem.guess.keeps_mesh = false;
  }
  if (arguments.tolerance) {
    require_positive("--tolerance", *arguments.tolerance);
    problem.settings.tolerance = *arguments.tolerance;
  }
  if (arguments.duration) {
    require_positive("--duration", *arguments.duration);
    problem.boundary.duration = problem.system.graph().number(*arguments.duration);
  }
}

solve::Solution solved(const std::string& file, const control::Problem& problem, const InterruptGuard& interrupt) {
  try {
    return solve::solve(problem, [&] { return !interrupt.requested(); });
  } catch (const Refused& e) {
    refuse(file, problem.text, e.table_or("[boundary]"), e);
  }
}

/// Solves the problems of a sequence, each from the solution before, up to one that has no solution. Returns the last
/// solution.
solve::Solution solved_in_turn(const std::string& file, control::Problem& problem, const io::Continuation& steps,
                               ContinuedProblems& sequence, const InterruptGuard& interrupt) {
  sequence.name = steps.name;
  solve::Solution last;
  for (const double value : steps.values) {
    io::set_value(problem, steps.name, value);
    if (!sequence.problems.empty()) {
      problem.guess.keeps_mesh = true;
      io::set_guess(problem, last.trajectory.columns, last.iterate, "--continue");
    }
    last = solved(file, problem, interrupt);
    sequence.problems.push_back({value, last.cost, last.duration, last.status, last.iterations});
    if (last.status == solve::Status::solved) continue;
    last.reason = fmt::format("{} = {:.8g}: {}", steps.name, value, last.reason);
    break;
  }
  return last;
}

int solve_and_write(const SolveArguments& arguments, DataOutput* data) {
  const ModelText source = read_model_text(arguments.model);
  control::Problem problem = io::parse_problem(source.text, source.file);
  override_problem(problem, arguments);
  const std::string guess = arguments.guess.empty() ? problem.guess.file : arguments.guess;
  if (!guess.empty()) io::read_guess(problem, guess);
  const InterruptGuard interrupt;
  ContinuedProblems sequence;
  solve::Solution solution =
      arguments.continued.empty()
          ? solved(source.file, problem, interrupt)
          : solved_in_turn(source.file, problem, io::read_continuation(problem, arguments.continued), sequence,
                           interrupt);
  if (!problem.controls.empty() && (arguments.out.ends_with(".h5") || !arguments.report.empty()))
    solution.trajectory.facts.equations_latex =
        mechanics::render(control::pontryagin_conditions(problem), symbolic::Format::latex);
  std::vector<std::string> written;
  if (!arguments.out.empty() && data == nullptr) {
    io::write_solution(solution.trajectory, solution, arguments.out);
    written.push_back(fmt::format("{} ({} rows)", arguments.out, solution.trajectory.rows()));
  }
  if (data != nullptr) {
    io::print_csv(solution.trajectory, data->stream());
    data->finish();
  }
  if (!arguments.report.empty()) {
    report::write_page(report::render(solution.trajectory, solution), arguments.report);
    written.push_back(arguments.report);
  }
  arguments.format == "json" ? print_solution_json(solution, sequence, written)
                             : print_solution(solution, sequence, written);
  if (solution.status == solve::Status::solved) return success;
  if (solution.status == solve::Status::stopped) return interrupted;
  complain(fmt::format("{}: {}", source.file, solution.reason));
  return run_failed;
}

}  // namespace

int solve(const SolveArguments& arguments) {
  check_places(arguments);
  try {
    if (arguments.out != "-") return solve_and_write(arguments, nullptr);
    DataOutput data;
    return solve_and_write(arguments, &data);
  } catch (const Failed& failed) {
    complain(fmt::format("{}: {}", arguments.model, failed.what()));
    return run_failed;
  }
}

}  // namespace herglotz::app
