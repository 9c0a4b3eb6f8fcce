#include "herglotz/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "commands/commands.hpp"
#include "commands/families.hpp"
#include "commands/simulate_control.hpp"
#include "destination.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/sensitivity_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/report/report.hpp"
#include "herglotz/simulate/live.hpp"
#include "herglotz/simulate/sensitivity.hpp"
#include "herglotz/simulate/singular.hpp"
#include "herglotz/symbolic/names.hpp"
#include "model_source.hpp"
#include "run_settings.hpp"
#include "summary/equations_latex.hpp"
#include "summary/run_json.hpp"
#include "summary/summary.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"

namespace herglotz::app {
namespace {

simulate::Simulator compiled(const Model& model) {
  try {
    simulate::require_singular_method(model.problem);
  } catch (const Refused& e) {
    refuse(model, e.table_or("[simulation]"), e);
  }
  try {
    return simulate::Simulator(model.problem.system, {}, model.problem.initial, model.problem.discrete);
  } catch (const Refused& e) {
    refuse(model, e.table_or("[constraints]"), e);
  }
}

/// Result of a run: its trajectory with the derivatives that were asked for, and the reason why it stopped early if it
/// did.
struct Result {
  analyse::Trajectory trajectory;
  io::DerivativeColumns derivatives{};
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
    return {simulator.run(problem.initial, problem.settings, {}, progress, problem.next), {}, {}};
  } catch (simulate::RunFailed& e) {
    return {std::move(e.partial), {}, e.what()};
  } catch (const Refused& e) {
    refuse(model, problem.initial.contains(e.where()) ? e.where() : e.table_or("[simulation]"), e);
  }
}

/// Adds the derivatives that were asked for to a run that succeeded.
void differentiate(const simulate::Simulator& simulator, const Model& model, const std::vector<std::string>& names,
                   Result& result) {
  const simulate::Problem& problem = model.problem;
  simulate::SensitivityRequest request{{}, problem.initial, problem.settings, {}, problem.next, problem.expressions};
  for (const auto& name : names) request.wrt.push_back(symbolic::with_plain_greek(name));
  try {
    result.derivatives = simulate::differentiate(simulator, request, result.trajectory);
  } catch (const simulate::RunFailed& e) {
    result.failure = e.what();
  } catch (const Refused& e) {
    refuse("--sensitivities", {}, {}, e);
  }
}

/// Returns the motion compiled for the report.
simulate::LiveMotion live_motion(const simulate::Simulator& simulator, const Model& model,
                                 const analyse::Trajectory& trajectory) {
  try {
    return simulate::live_motion(simulator, model.problem, trajectory);
  } catch (const compile::CompileError& e) {
    refuse("--live", {}, {}, {e.what(), "leave out --live"});
  }
}

/// Throws io::InputError if a report that follows the motion itself is asked for, and `what` has none.
void forbid_live(const SimulateArguments& arguments, const std::string& what) {
  if (arguments.live)
    throw io::InputError("--live", 0, 0, fmt::format("the report of {} does not follow the motion itself", what),
                         "leave out --live");
}

/// Returns whether a column holds derivatives of a column of this name.
bool differentiates(const std::string& column, const std::string& name) {
  return column.starts_with("d." + name + ".d.");
}

/// Removes all columns but the time, the named columns and their derivatives; none if no column is named.
void keep_columns(std::vector<analyse::Column>& columns, const std::vector<std::string>& names) {
  if (names.empty() || columns.empty()) return;
  const std::string time = columns.front().name;
  std::erase_if(columns, [&](const analyse::Column& column) {
    const auto is_of = [&](const std::string& name) {
      return column.name == name || differentiates(column.name, name);
    };
    return !is_of(time) && std::none_of(names.begin(), names.end(), is_of);
  });
}

/// Returns the trajectory with its time and the named columns only, or with all columns if none is named.
analyse::Trajectory with_columns(const analyse::Trajectory& trajectory, const std::vector<std::string>& names) {
  analyse::Trajectory chosen = trajectory;
  keep_columns(chosen.columns, names);
  for (auto& event : chosen.events) keep_columns(event.columns, names);
  return chosen;
}

/// Outputs of a run, with the list of files that have been written.
class Outputs {
 public:
  Outputs(const SimulateArguments& arguments, std::vector<std::string> columns, const InterruptGuard& interrupt)
      : arguments_(arguments), columns_(std::move(columns)), interrupt_(interrupt), stopped_(interrupt.requested()) {}

  /// Writes the trajectory. It comes first, so that no later failure can lose it.
  void write_run(const Result& result) {
    if (arguments_.out.empty() || arguments_.out == "-") return;
    const analyse::Trajectory& trajectory = result.trajectory;
    io::write_trajectory(with_columns(trajectory, columns_), result.derivatives, arguments_.out);
    written_.push_back(fmt::format("{} ({} rows)", arguments_.out, trajectory.rows()));
    if (arguments_.out.ends_with(".csv") && !trajectory.events.empty())
      written_.push_back(io::events_file(arguments_.out).string());
  }

  /// Writes the equations in LaTeX, and the report that shows them. An interrupt ends the program; the run is then in
  /// its file.
  void write_equations(Result& result, const simulate::Simulator& simulator, const Model& model) {
    analyse::Trajectory& trajectory = result.trajectory;
    const bool stored = arguments_.out.ends_with(".h5");
    if (!stored && arguments_.report.empty()) return;
    {
      const EndOnInterrupt end(farewell());
      trajectory.facts.equations_latex = equations_latex(simulator.system(), simulator.equations());
    }
    if (stored) io::write_trajectory(with_columns(trajectory, columns_), result.derivatives, arguments_.out);
    if (arguments_.report.empty() || stop()) return;
    std::string page;
    {
      const EndOnInterrupt end(farewell());
      page = arguments_.live ? report::render(trajectory, live_motion(simulator, model, trajectory))
                             : report::render(trajectory);
    }
    report::write_page(page, arguments_.report);
    written_.push_back(arguments_.report);
  }

  [[nodiscard]] const std::vector<std::string>& written() const { return written_; }
  /// Returns true if an interrupt came after the run.
  [[nodiscard]] bool stop() const { return !stopped_ && interrupt_.requested(); }

 private:
  [[nodiscard]] std::string farewell() const {
    return written_.empty() ? "stopped before the report was written"
                            : fmt::format("stopped; {} is written", written_.front());
  }

  const SimulateArguments& arguments_;
  std::vector<std::string> columns_;  ///< columns that are stored; empty: all
  const InterruptGuard& interrupt_;
  bool stopped_;  ///< true if the run itself was stopped
  std::vector<std::string> written_;
};

void check_places(const SimulateArguments& arguments) {
  if (arguments.live && arguments.report.empty())
    throw io::InputError("--live", 0, 0, "no report is asked for that could follow the motion",
                         "add --report FILE.html");
  if (arguments.out == "-" && arguments.format == "json")
    throw io::InputError("--out", 0, 0, "both --out - and --format json want standard output", "keep one of them");
  if (arguments.out != "-") {
    check_destination("--out", arguments.out, {".csv", ".h5"});
    check_occupant("--out", arguments.out, arguments.force);
  }
  check_destination("--report", arguments.report, {".html"});
  check_occupant("--report", arguments.report, arguments.force);
}

int run_and_write(const SimulateArguments& arguments, DataOutput* data) {
  if (arguments.model.ends_with(".h5")) {
    forbid_live(arguments, "a solution");
    return replay_solution(arguments, data);
  }
  const ModelText source = read_model_text(arguments.model);
  if (io::states_control(source.text, source.file)) {
    forbid_live(arguments, "a problem of control");
    return simulate_control(source, arguments, data);
  }
  if (io::states_families(source.text, source.file)) {
    forbid_live(arguments, "a model with an index");
    if (arguments.sensitivities.empty()) return simulate_families(source, arguments, data);
  }
  Model model = model_or_sites(source, arguments.set);
  override_settings(model.problem.settings, arguments);
  if (!arguments.columns.empty()) model.problem.settings.columns.clear();
  for (const auto& name : arguments.columns) model.problem.settings.columns.push_back(symbolic::with_plain_greek(name));
  if (arguments.out.ends_with(".csv") && !model.problem.system.events.empty())
    check_occupant("--out", io::events_file(arguments.out).string(), arguments.force);

  std::optional<simulate::Simulator> simulator;
  try {
    simulator = compiled(model);
  } catch (const io::InputError&) {
    throw;
  } catch (const std::runtime_error& e) {
    complain(fmt::format("{}: {}", model.file, e.what()));
    return run_failed;
  }
  if (arguments.live) {
    try {
      simulate::require_live(*simulator, model.problem);
    } catch (const Refused& e) {
      refuse("--live", {}, {}, e);
    }
  }
  const InterruptGuard interrupt;
  Result result = run(*simulator, model, interrupt);
  result.trajectory.facts.model_text = model.problem.text;
  if (!arguments.sensitivities.empty() && result.trajectory.facts.complete && result.failure.empty())
    differentiate(*simulator, model, arguments.sensitivities, result);
  keep_columns(result.derivatives, model.problem.settings.columns);
  Outputs outputs(arguments, model.problem.settings.columns, interrupt);
  outputs.write_run(result);
  if (data != nullptr) {
    io::print_csv(with_columns(result.trajectory, model.problem.settings.columns), result.derivatives, data->stream());
    data->finish();
  }
  if (!outputs.stop()) outputs.write_equations(result, *simulator, model);
  arguments.format == "json" ? print_run_json(result.trajectory, outputs.written())
                             : print_summary(result.trajectory, outputs.written());
  if (!result.failure.empty()) {
    complain(fmt::format("{}: {}", model.file, result.failure));
    return run_failed;
  }
  const bool stopped = interrupt.requested() && !result.trajectory.facts.complete;
  return stopped || outputs.stop() ? interrupted : success;
}

}  // namespace

int simulate(const SimulateArguments& arguments) {
  check_places(arguments);
  if (arguments.out != "-") return run_and_write(arguments, nullptr);
  DataOutput data;
  return run_and_write(arguments, &data);
}

}  // namespace herglotz::app
