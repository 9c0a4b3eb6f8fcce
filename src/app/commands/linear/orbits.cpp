#include "herglotz/simulate/orbits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/linear/orbits.hpp"
#include "destination.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/report/report.hpp"
#include "herglotz/symbolic/names.hpp"
#include "model_source.hpp"
#include "run_settings.hpp"
#include "summary/equations_latex.hpp"
#include "terminal/output.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

using nlohmann::ordered_json;

void orbit_line(const std::string& what, const std::string& text) {
  fmt::print("{:<12}{}\n", what, one_line(text));
}

void print(const ordered_json& object) {
  fmt::print("{}\n", object.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

/// Returns the model of a command with the settings of its runs.
template <class Arguments>
Model opened(const Arguments& arguments) {
  Model model = open_model_or_sites(arguments.model, arguments.set);
  override_settings(model.problem.settings, arguments);
  return model;
}

/// Returns what `compute` makes of the compiled model, or `std::nullopt` after a message if a run failed.
template <class Compute>
auto computed(const Model& model, const Compute& compute)
    -> std::optional<decltype(compute(std::declval<const simulate::Simulator&>()))> {
  const simulate::Problem& problem = model.problem;
  try {
    return compute(simulate::Simulator(problem.system, {}, problem.initial, problem.discrete));
  } catch (const simulate::RunFailed& e) {
    complain(fmt::format("{}: {}", model.file, e.what()));
  } catch (const Refused& e) {
    refuse(model.file, {}, {}, e);
  }
  return std::nullopt;
}

std::string title_of(const mechanics::System& system) {
  return system.title.empty() ? system.name : system.name + ": " + system.title;
}

/// Returns the exponents as columns of a file.
analyse::Trajectory table_of(const simulate::LyapunovExponents& found, const std::string& time) {
  analyse::Trajectory table;
  table.columns.push_back({time, analyse::Role::time, found.t});
  for (std::size_t i = 0; i < found.exponents.front().size(); ++i) {
    auto& column =
        table.columns.emplace_back(analyse::Column{fmt::format("exponent{}", i + 1), analyse::Role::observable, {}});
    for (const auto& row : found.exponents) column.values.push_back(row[i]);
  }
  return table;
}

}  // namespace

int lyapunov(const LyapunovArguments& arguments) {
  check_destination("--out", arguments.out, {".csv"});
  check_occupant("--out", arguments.out, arguments.force);
  const Model model = opened(arguments);
  const simulate::Problem& problem = model.problem;
  const auto found = computed(model, [&](const simulate::Simulator& simulator) {
    const auto start = problem.initial.find(std::string(problem.system.t.name()));
    const double t0 = start == problem.initial.end() ? 0 : start->second;
    return simulate::lyapunov_exponents(
        simulator, {problem.initial, problem.settings},
        {problem.settings.t_end - t0 - arguments.settle, arguments.interval, arguments.settle});
  });
  if (!found) return run_failed;
  const auto& last = found->exponents.back();
  double sum = 0;
  for (const double exponent : last) sum += exponent;
  // The change of the averages over the second half of the time says how far they have settled.
  const auto& half = found->exponents[found->exponents.size() / 2];
  std::vector<double> changes;
  for (std::size_t i = 0; i < last.size(); ++i) changes.push_back(last[i] - half[i]);
  if (!arguments.out.empty())
    io::write_trajectory(table_of(*found, std::string(problem.system.t.name())), arguments.out);
  if (arguments.format == "json") {
    print({{"creator", "herglotz"},
           {"model_name", problem.system.name},
           {"exponents", last},
           {"changes", changes},
           {"sum", sum},
           {"t_end", found->t.back()},
           {"intervals", found->t.size()}});
    return success;
  }
  orbit_line("model", title_of(problem.system));
  orbit_line("averaged", fmt::format("over {} intervals of {:.6g}, to {} = {:.9g}", found->t.size(), found->interval,
                                     problem.system.t.name(), found->t.back()));
  for (std::size_t i = 0; i < last.size(); ++i)
    orbit_line("exponent", fmt::format("{:.8g} (changed by {:.2g} in the second half)", last[i] + 0.0, changes[i]));
  orbit_line("sum", fmt::format("{:.8g}, the mean divergence of the motion", sum + 0.0));
  if (!arguments.out.empty()) orbit_line("written", arguments.out);
  return success;
}

int orbit(const OrbitArguments& arguments) {
  check_destination("--out", arguments.out, {".csv", ".h5"});
  check_occupant("--out", arguments.out, arguments.force);
  check_destination("--report", arguments.report, {".html"});
  check_occupant("--report", arguments.report, arguments.force);
  const Model model = opened(arguments);
  const simulate::Problem& problem = model.problem;
  simulate::OrbitRequest request{arguments.period, std::nullopt, {}};
  if (!arguments.fixed.empty()) request.fixed = symbolic::with_plain_greek(arguments.fixed);
  for (const auto& name : arguments.drifting) request.drifting.push_back(symbolic::with_plain_greek(name));
  const auto found = computed(model, [&](const simulate::Simulator& simulator) {
    auto orbit = simulate::periodic_orbit(simulator, {problem.initial, problem.settings}, request);
    // The orbit as a run of its own, with the rows of a run.
    simulate::InitialState start;
    for (std::size_t i = 0; i < orbit.names.size(); ++i) start[orbit.names[i]] = orbit.start[i];
    const double t0 = orbit.run.columns.front().values.front();
    start[std::string(problem.system.t.name())] = t0;
    simulate::Settings settings = problem.settings;
    settings.t_end = t0 + orbit.period;
    orbit.run = simulator.run(start, settings);
    orbit.run.facts.equations_latex = equations_latex(simulator.system(), simulator.equations());
    orbit.run.facts.model_text = problem.text;
    return orbit;
  });
  if (!found) return run_failed;
  std::vector<std::string> written;
  if (!arguments.out.empty()) {
    io::write_trajectory(found->run, arguments.out);
    written.push_back(arguments.out);
  }
  if (!arguments.report.empty()) {
    report::write_report(found->run, arguments.report);
    written.push_back(arguments.report);
  }
  if (arguments.format == "json") {
    ordered_json object{{"creator", "herglotz"}, {"model_name", problem.system.name}, {"period", found->period}};
    for (std::size_t i = 0; i < found->names.size(); ++i) object["start"][found->names[i]] = found->start[i];
    for (const auto& multiplier : found->multipliers)
      object["multipliers"].push_back({multiplier.real(), multiplier.imag()});
    object["stable"] = found->stable;
    object["written"] = written;
    print(object);
    return success;
  }
  orbit_line("model", title_of(problem.system));
  orbit_line("period", fmt::format("{:.12g}", found->period));
  std::vector<std::string> start;
  for (std::size_t i = 0; i < found->names.size(); ++i)
    start.push_back(fmt::format("{} = {:.12g}", found->names[i], found->start[i] + 0.0));
  orbit_line("start", fmt::format("{}", fmt::join(start, ", ")));
  orbit_line("stability", found->stable ? "stable" : "not stable: a multiplier is not inside the unit circle");
  for (const auto& multiplier : found->multipliers)
    if (multiplier.imag() >= 0)
      orbit_line("multiplier", multiplier.imag() == 0
                                   ? fmt::format("{:.9g}", multiplier.real() + 0.0)
                                   : fmt::format("{:.9g} +- {:.9g}i, modulus {:.9g}", multiplier.real() + 0.0,
                                                 multiplier.imag(), std::abs(multiplier)));
  for (const auto& file : written) orbit_line("written", file);
  return success;
}

}  // namespace herglotz::app
