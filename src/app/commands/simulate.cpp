#include "herglotz/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/report/report.hpp"
#include "model_source.hpp"
#include "run_settings.hpp"
#include "summary/equations_latex.hpp"
#include "summary/summary.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"

namespace herglotz::app {
namespace {

simulate::Simulator compiled(const Model& model) {
  try {
    return simulate::Simulator(model.problem.system, {}, model.problem.initial, model.problem.discrete);
  } catch (const std::invalid_argument& e) {
    const std::string what = e.what();
    refuse(model, what.starts_with("[") ? what.substr(0, what.find(' ')) : "[constraints]", what);
  }
}

/// What a run left: its trajectory, and why it stopped early if it did.
struct Result {
  analyse::Trajectory trajectory;
  std::string failure;
};

Result run(const simulate::Simulator& simulator, const Model& model, const InterruptGuard& interrupt) {
  const simulate::Problem& problem = model.problem;
  ProgressBar bar(problem.system.name);
  const auto progress = [&](double fraction) {
    bar.show(fraction);
    return !interrupt.requested();
  };
  try {
    return {simulator.run(problem.initial, problem.settings, {}, progress, problem.next), {}};
  } catch (simulate::RunFailed& e) {
    return {std::move(e.partial), e.what()};
  } catch (const std::invalid_argument& e) {
    // What is wrong with an initial value or a table begins with its name.
    const std::string what = e.what();
    const std::string first = what.substr(0, what.find(' '));
    refuse(model, first.starts_with("[") || problem.initial.contains(first) ? first : "[simulation]", what);
  }
}

/// The trajectory with its time and the named columns only; all of it if none is named.
analyse::Trajectory with_columns(const analyse::Trajectory& trajectory, const std::vector<std::string>& names) {
  if (names.empty()) return trajectory;
  const auto left_out = [&](const analyse::Column& column) {
    return column.role != analyse::Role::time && std::find(names.begin(), names.end(), column.name) == names.end();
  };
  analyse::Trajectory chosen = trajectory;
  std::erase_if(chosen.columns, left_out);
  for (auto& event : chosen.events) std::erase_if(event.columns, left_out);
  return chosen;
}

std::vector<std::string> write(const analyse::Trajectory& trajectory, const std::vector<std::string>& columns,
                               const SimulateArguments& arguments) {
  std::vector<std::string> written;
  if (!arguments.out.empty()) {
    io::write_trajectory(with_columns(trajectory, columns), arguments.out);
    written.push_back(fmt::format("{} ({} rows)", arguments.out, trajectory.rows()));
    if (arguments.out.ends_with(".csv") && !trajectory.events.empty())
      written.push_back(io::events_file(arguments.out).string());
  }
  if (!arguments.report.empty()) {
    report::write_report(trajectory, arguments.report);
    written.push_back(arguments.report);
  }
  return written;
}

}  // namespace

int simulate(const SimulateArguments& arguments) {
  check_destination("--out", arguments.out, {".csv", ".h5"});
  check_destination("--report", arguments.report, {".html"});
  Model model = open_model(arguments.model);
  for (const auto& assignment : arguments.set) io::apply_setting(model.problem, assignment);
  override_settings(model.problem.settings, arguments);
  if (!arguments.columns.empty()) model.problem.settings.columns = arguments.columns;

  std::optional<simulate::Simulator> simulator;
  try {
    simulator = compiled(model);
  } catch (const io::InputError&) {
    throw;
  } catch (const std::runtime_error& e) {
    complain(fmt::format("{}: {}", model.file, e.what()));
    return run_failed;
  }
  const InterruptGuard interrupt;
  Result result = run(*simulator, model, interrupt);
  result.trajectory.facts.model_text = model.problem.text;
  if (!arguments.report.empty() || arguments.out.ends_with(".h5"))
    result.trajectory.facts.equations_latex = equations_latex(simulator->system(), simulator->equations());

  const auto written = write(result.trajectory, model.problem.settings.columns, arguments);
  print_summary(result.trajectory, written);
  if (!result.failure.empty()) {
    complain(fmt::format("{}: {}", model.file, result.failure));
    return run_failed;
  }
  return interrupt.requested() && !result.trajectory.facts.complete ? interrupted : success;
}

}  // namespace herglotz::app
