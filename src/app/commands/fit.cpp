#include "herglotz/fit/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "commands/fit.hpp"
#include "commands/fit_journal.hpp"
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
#include "terminal/fit_progress.hpp"
#include "terminal/output.hpp"

namespace herglotz::app {
namespace {

constexpr std::string_view noise_prefix = "sigma.";

double number(const std::string& text, double otherwise) {
  if (text.empty()) return otherwise;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size())
    throw io::InputError("--bounds", 0, 0, fmt::format("'{}' is not a number", text), "write NAME=LOWER:UPPER");
  return value;
}

std::vector<fit::Unknown> unknowns_of(const FitArguments& arguments) {
  std::vector<fit::Unknown> unknowns;
  for (const auto& name : arguments.parameters) unknowns.push_back({symbolic::with_plain_greek(name)});
  for (const auto& name : arguments.own) {
    unknowns.push_back({symbolic::with_plain_greek(name)});
    unknowns.back().own = true;
  }
  if (unknowns.empty())
    throw io::InputError("--parameters", 0, 0, "no unknown is named", "name parameters or initial values to be found");
  for (const auto& bound : arguments.bounds) {
    const std::size_t equals = bound.find('=');
    const std::size_t colon = bound.find(':', equals == std::string::npos ? 0 : equals);
    if (equals == std::string::npos || colon == std::string::npos)
      throw io::InputError("--bounds", 0, 0, fmt::format("'{}' are not bounds", bound), "write NAME=LOWER:UPPER");
    const std::string name = symbolic::with_plain_greek(bound.substr(0, equals));
    const auto unknown =
        std::find_if(unknowns.begin(), unknowns.end(), [&](const fit::Unknown& u) { return u.name == name; });
    if (unknown == unknowns.end())
      throw io::InputError("--bounds", 0, 0, fmt::format("{} is not fitted", name), "name it in --parameters or --own");
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
  try {
    fit::require_data(data);
  } catch (const Refused& e) {
    refuse(file, {}, {}, e);
  }
  return data;
}

/// Returns the file of one of several runs: "name-2.h5" for the second.
std::string file_of(const std::string& file, std::size_t run, std::size_t runs) {
  if (file.empty() || runs == 1) return file;
  const std::filesystem::path path = file;
  return path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), run + 1, path.extension().string());
}

/// Returns the number of the run that `--set RUN:NAME=VALUE` is for, with the assignment; nothing for one of all runs.
std::optional<std::pair<std::size_t, std::string>> setting_of_run(const std::string& assignment, std::size_t runs) {
  const std::size_t colon = assignment.find_first_not_of("0123456789");
  if (colon == 0 || colon == std::string::npos || assignment[colon] != ':') return {};
  std::size_t run = 0;
  const auto [end, problem] = std::from_chars(assignment.data(), assignment.data() + colon, run);
  if (problem != std::errc() || end != assignment.data() + colon || run == 0 || run > runs)
    throw io::InputError("--set", 0, 0, fmt::format("'{}' is for a run that is not there", assignment),
                         fmt::format("--data names {} run{}, numbered from 1", runs, runs == 1 ? "" : "s"));
  return std::pair{run - 1, assignment.substr(colon + 1)};
}

/// Returns the runs of the files with their measurements, each with its own settings.
std::vector<fit::MeasuredRun> runs_of(const FitArguments& arguments, const simulate::Problem& problem) {
  std::vector<simulate::Problem> own(arguments.data.size(), problem);
  for (const auto& assignment : arguments.set)
    if (const auto setting = setting_of_run(assignment, own.size()))
      io::apply_setting(own[setting->first], setting->second);
  std::vector<fit::MeasuredRun> runs;
  for (std::size_t r = 0; r < own.size(); ++r) {
    simulate::InitialState parameters;
    for (const auto& parameter : own[r].system.parameters)
      parameters[std::string(parameter.symbol.name())] = parameter.value;
    runs.push_back({data_of(arguments.data[r], problem.system),
                    {{}, own[r].initial, own[r].settings, parameters, own[r].next, own[r].expressions}});
  }
  return runs;
}

/// Returns all that determines a fit.
io::Identity identity_of(const FitArguments& arguments, const fit::Request& request, const std::string& model) {
  io::Identity identity{{"the version", HERGLOTZ_VERSION}, {"the model", model}};
  const auto add = [&](const char* name, std::string text) { identity.emplace_back(name, std::move(text)); };
  add("--parameters", fmt::format("{}", fmt::join(arguments.parameters, ",")));
  add("--own", fmt::format("{}", fmt::join(arguments.own, ",")));
  add("--bounds", fmt::format("{}", fmt::join(arguments.bounds, ",")));
  add("--profile", fmt::format("{}", fmt::join(arguments.profiles, ",")));
  add("--set", fmt::format("{}", fmt::join(arguments.set, ",")));
  add("--noise", arguments.noise ? fmt::format("{}", *arguments.noise) : "");
  add("--parts", fmt::format("{}", arguments.parts));
  add("--shots", fmt::format("{}", arguments.shots));
  add("--method", arguments.method.value_or(""));
  add("--step", arguments.step ? fmt::format("{}", *arguments.step) : "");
  add("--tolerance", arguments.tolerance ? fmt::format("{}", *arguments.tolerance) : "");
  std::string measured;
  for (const auto& [data, run] : request.runs) {
    measured += fmt::format("\n{:a}", fmt::join(data.t, " "));
    for (const auto& series : data.series)
      measured +=
          fmt::format("\n{} {:a} {:a}", series.column, fmt::join(series.values, " "), fmt::join(series.noise, " "));
  }
  add("the data", measured);
  return identity;
}

/// Returns the journal beside the output of a fit, or a null pointer if none is asked for.
std::unique_ptr<FitJournal> journal_of(const FitArguments& arguments, const fit::Request& request,
                                       const std::string& model) {
  if (!arguments.resume) return nullptr;
  if (arguments.out.empty())
    throw io::InputError("--resume", 0, 0, "there is no --out beside which a journal could be", "give --out");
  auto journal = std::make_unique<FitJournal>(arguments.out + ".journal", identity_of(arguments, request, model));
  if (journal->before() > 0) complain(fmt::format("{}.journal: {} trials are known", arguments.out, journal->before()));
  return journal;
}

/// Writes the fitted runs. Returns the names of the files.
std::vector<std::string> write(const fit::Fit& found, const FitArguments& arguments) {
  std::vector<std::string> written;
  for (std::size_t r = 0; r < found.runs.size(); ++r) {
    if (!arguments.out.empty()) {
      written.push_back(file_of(arguments.out, r, found.runs.size()));
      io::write_trajectory(found.runs[r], found.derivatives[r], written.back());
    }
    if (!arguments.report.empty()) {
      written.push_back(file_of(arguments.report, r, found.runs.size()));
      report::write_report(found.runs[r], written.back());
    }
  }
  return written;
}

}  // namespace

int fit(const FitArguments& arguments) {
  check_destination("--out", arguments.out, {".csv", ".h5"});
  check_destination("--report", arguments.report, {".html"});
  for (std::size_t r = 0; r < arguments.data.size(); ++r) {
    check_occupant("--out", file_of(arguments.out, r, arguments.data.size()), arguments.force);
    check_occupant("--report", file_of(arguments.report, r, arguments.data.size()), arguments.force);
  }
  std::vector<std::string> of_all;
  for (const auto& assignment : arguments.set)
    if (!setting_of_run(assignment, arguments.data.size())) of_all.push_back(assignment);
  Model model = open_model_or_sites(arguments.model, of_all);
  simulate::Problem& problem = model.problem;
  override_settings(problem.settings, arguments);
  if (arguments.noise && !(*arguments.noise > 0 && std::isfinite(*arguments.noise)))
    throw io::InputError("--noise", 0, 0, fmt::format("{} is not a standard deviation", *arguments.noise),
                         "give a positive number, or leave it out to estimate it");
  fit::Request request{runs_of(arguments, problem), unknowns_of(arguments)};
  for (const auto& name : arguments.profiles) request.profiles.push_back(symbolic::with_plain_greek(name));
  request.noise = arguments.noise.value_or(0);
  request.parts = arguments.parts;
  request.shots = arguments.shots;
  const auto journal = journal_of(arguments, request, problem.text);
  request.known = journal.get();
  fit::Fit found;
  try {
    const simulate::Simulator simulator(problem.system, {}, problem.initial, problem.discrete);
    FitProgress progress(arguments.data.front());
    request.tried = [&](double chi_squared) { progress.tried(chi_squared); };
    for (auto& measured : request.runs) measured.run.attend = [&] { progress.show(); };
    found = fit::fit(simulator, request);
    for (auto& run : found.runs) run.facts.equations_latex = equations_latex(simulator.system(), simulator.equations());
  } catch (const simulate::RunFailed& e) {
    complain(fmt::format("{}: {}", model.file, e.what()));
    return run_failed;
  } catch (const OutOfRange& e) {
    refuse(fmt::format("{}", fmt::join(arguments.data, ", ")), {}, {}, e);
  } catch (const Refused& e) {
    refuse(e.where() == "profiles" ? "--profile" : model.file, {}, {}, e);
  }
  for (auto& run : found.runs) {
    run.facts.model_text = problem.text;
    for (auto& note : notes_of(found)) run.facts.notes.push_back(std::move(note));
  }
  const auto written = write(found, arguments);
  if (journal) journal->remove();
  arguments.format == "json" ? print_fit_json(found, written) : print_fit(found, written);
  if (found.converged) return success;
  complain(fmt::format("{}: {}", model.file, found.status));
  return run_failed;
}

}  // namespace herglotz::app
