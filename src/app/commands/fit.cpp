#include "herglotz/fit/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "commands/fit.hpp"
#include "destination.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/data_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/sensitivity_file.hpp"
#include "herglotz/report/report.hpp"
#include "herglotz/symbolic/names.hpp"
#include "model_source.hpp"
#include "run_settings.hpp"
#include "summary/equations_latex.hpp"
#include "summary/fit_summary.hpp"
#include "terminal/output.hpp"

namespace herglotz::app {
namespace {

constexpr std::string_view noise_prefix = "sigma.";

double number(const std::string& text, double otherwise) {
  if (text.empty()) return otherwise;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size())
    throw io::InputError("--bounds", 0, 0, fmt::format("'{}' is no number", text), "write NAME=LOWER:UPPER");
  return value;
}

std::vector<fit::Unknown> unknowns_of(const FitArguments& arguments) {
  std::vector<fit::Unknown> unknowns;
  for (const auto& name : arguments.parameters) unknowns.push_back({symbolic::with_plain_greek(name)});
  for (const auto& bound : arguments.bounds) {
    const std::size_t equals = bound.find('=');
    const std::size_t colon = bound.find(':', equals == std::string::npos ? 0 : equals);
    if (equals == std::string::npos || colon == std::string::npos)
      throw io::InputError("--bounds", 0, 0, fmt::format("'{}' are no bounds", bound), "write NAME=LOWER:UPPER");
    const std::string name = symbolic::with_plain_greek(bound.substr(0, equals));
    const auto unknown =
        std::find_if(unknowns.begin(), unknowns.end(), [&](const fit::Unknown& u) { return u.name == name; });
    if (unknown == unknowns.end())
      throw io::InputError("--bounds", 0, 0, fmt::format("{} is not fitted", name), "name it in --parameters");
    unknown->lower = number(bound.substr(equals + 1, colon - equals - 1), unknown->lower);
    unknown->upper = number(bound.substr(colon + 1), unknown->upper);
  }
  return unknowns;
}

/// Returns the data of a CSV file: a column with the name of the time, columns of the run, and sigma.<column> with the
/// noise of each value.
fit::Data data_of(const std::string& file, const mechanics::System& system) {
  const auto columns = io::read_data(file);
  fit::Data data;
  const auto time =
      std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.name == system.t.name(); });
  if (time == columns.end())
    throw io::InputError(file, 1, 1, fmt::format("there is no column {}", system.t.name()),
                         "give the times of the rows");
  data.t = time->values;
  for (const auto& column : columns)
    if (column.name != time->name && !column.name.starts_with(noise_prefix))
      data.series.push_back({column.name, column.values});
  for (const auto& column : columns) {
    if (!column.name.starts_with(noise_prefix)) continue;
    const std::string name = column.name.substr(noise_prefix.size());
    const auto series =
        std::find_if(data.series.begin(), data.series.end(), [&](const fit::Series& s) { return s.column == name; });
    if (series == data.series.end())
      throw io::InputError(file, 1, 1, fmt::format("there is no column {} for {}", name, column.name),
                           "add or remove one");
    series->noise = column.values;
  }
  return data;
}

}  // namespace

int fit(const FitArguments& arguments) {
  check_destination("--out", arguments.out, {".csv", ".h5"});
  check_occupant("--out", arguments.out, arguments.force);
  check_destination("--report", arguments.report, {".html"});
  check_occupant("--report", arguments.report, arguments.force);
  Model model = open_model(arguments.model);
  simulate::Problem& problem = model.problem;
  for (const auto& assignment : arguments.set) io::apply_setting(problem, assignment);
  override_settings(problem.settings, arguments);
  if (arguments.noise && !(*arguments.noise > 0 && std::isfinite(*arguments.noise)))
    throw io::InputError("--noise", 0, 0, fmt::format("{} is no standard deviation", *arguments.noise),
                         "give a positive number, or leave it out to estimate it");
  fit::Request request{data_of(arguments.data, problem.system), unknowns_of(arguments), {}};
  request.run = {{}, problem.initial, problem.settings, {}, problem.next, problem.expressions};
  request.noise = arguments.noise.value_or(0);
  fit::Fit found;
  try {
    const simulate::Simulator simulator(problem.system, {}, problem.initial, problem.discrete);
    found = fit::fit(simulator, request);
    found.run.facts.equations_latex = equations_latex(simulator.system(), simulator.equations());
  } catch (const simulate::RunFailed& e) {
    complain(fmt::format("{}: {}", model.file, e.what()));
    return run_failed;
  } catch (const OutOfRange& e) {
    refuse(arguments.data, {}, {}, e);
  } catch (const Refused& e) {
    refuse(model.file, {}, {}, e);
  }
  found.run.facts.model_text = problem.text;
  for (auto& note : notes_of(found)) found.run.facts.notes.push_back(std::move(note));
  std::vector<std::string> written;
  if (!arguments.out.empty()) {
    io::write_trajectory(found.run, found.derivatives, arguments.out);
    written.push_back(arguments.out);
  }
  if (!arguments.report.empty()) {
    report::write_report(found.run, arguments.report);
    written.push_back(arguments.report);
  }
  arguments.format == "json" ? print_fit_json(found, written) : print_fit(found, written);
  if (found.converged) return success;
  complain(fmt::format("{}: {}", model.file, found.status));
  return run_failed;
}

}  // namespace herglotz::app
