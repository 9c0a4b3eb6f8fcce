#include "herglotz/solve/solve.hpp"

#include <fmt/format.h>

#include <cmath>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "model_source.hpp"
#include "summary/solution_summary.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/output.hpp"

namespace herglotz::app {
namespace {

void check_places(const SolveArguments& arguments) {
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
      throw io::InputError("--intervals", 0, 0, fmt::format("{} is no number of intervals", *arguments.intervals),
                           "give a whole number of at least 1");
    problem.settings.intervals = static_cast<std::size_t>(*arguments.intervals);
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
  } catch (const std::invalid_argument& e) {
    const std::string what = e.what();
    refuse(file, problem.text, what.starts_with("[") ? what.substr(0, what.find(' ')) : "[boundary]", what);
  }
}

int solve_and_write(const SolveArguments& arguments, DataOutput* data) {
  const ModelText source = read_model_text(arguments.model);
  control::Problem problem = io::parse_problem(source.text, source.file);
  override_problem(problem, arguments);
  const InterruptGuard interrupt;
  const solve::Solution solution = solved(source.file, problem, interrupt);
  std::vector<std::string> written;
  if (!arguments.out.empty() && data == nullptr) {
    io::write_trajectory(solution.trajectory, arguments.out);
    written.push_back(fmt::format("{} ({} rows)", arguments.out, solution.trajectory.rows()));
  }
  if (data != nullptr) {
    io::print_csv(solution.trajectory, data->stream());
    data->finish();
  }
  arguments.format == "json" ? print_solution_json(solution, written) : print_solution(solution, written);
  if (solution.status == solve::Status::solved) return success;
  if (solution.status == solve::Status::stopped) return interrupted;
  complain(fmt::format("{}: {}", source.file, solution.reason));
  return run_failed;
}

}  // namespace

int solve(const SolveArguments& arguments) {
  check_places(arguments);
  if (arguments.out != "-") return solve_and_write(arguments, nullptr);
  DataOutput data;
  return solve_and_write(arguments, &data);
}

}  // namespace herglotz::app
