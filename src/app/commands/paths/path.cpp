#include "commands/paths/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "commands/paths/given.hpp"
#include "destination.hpp"
#include "exit_status.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/simulate/given_path.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

using simulate::PathFacts;

constexpr int most_rows = 1'000'000;
constexpr const char* path_form = "COORDINATE=EXPRESSION";

/// Path with the times at which it is looked at.
struct Given {
  simulate::PathJet jet;
  std::vector<double> times;
  double z0 = 0;
};

/// Returns `count` times from t0 to t_end at equal distances.
std::vector<double> equal_times(double t0, double t_end, int count) {
  std::vector<double> times;
  for (int k = 0; k < count; ++k) times.push_back(k + 1 == count ? t_end : t0 + (t_end - t0) * k / (count - 1));
  return times;
}

std::vector<double> parameters_of(const simulate::Problem& problem) {
  std::vector<double> values;
  for (const auto& parameter : problem.system.parameters) values.push_back(parameter.value);
  return values;
}

Given of_expressions(const PathArguments& arguments, const simulate::Problem& problem) {
  if (!arguments.t_end)
    throw io::InputError("--t-end", 0, 0, "the end of a path that is given by expressions is not known",
                         "give --t-end T");
  const double t0 = arguments.t0.value_or(0);
  if (!std::isfinite(*arguments.t_end - t0) || !(*arguments.t_end > t0))
    throw io::InputError("--t-end", 0, 0, fmt::format("a path from {:g} to {:g} has no duration", t0, *arguments.t_end),
                         "give an end after its beginning");
  const auto path = simulate::read_path(problem.system, assignments("--along", arguments.along, path_form));
  return {simulate::jet_of(problem.system, path, parameters_of(problem)),
          equal_times(t0, *arguments.t_end, arguments.rows), arguments.z0.value_or(0)};
}

Given of_rows(const PathArguments& arguments, const simulate::Problem& problem) {
  const auto columns = columns_of_file(arguments.rows_of);
  Given given;
  try {
    auto rows = simulate::path_rows(problem.system, columns);
    given.times = rows.times;
    given.jet = simulate::jet_of(std::move(rows));
  } catch (const Refused& refusal) {
    throw io::InputError(arguments.rows_of, 0, 0, refusal.problem(),
                         refusal.remedy().empty() ? "give the rows of a run" : refusal.remedy());
  }
  const auto z = std::find_if(columns.begin(), columns.end(),
                              [&](const auto& one) { return one.name == problem.system.z.name(); });
  const auto t = std::find_if(columns.begin(), columns.end(),
                              [&](const auto& one) { return one.name == problem.system.t.name(); });
  // A path goes forwards, also through the rows of a run that went backwards.
  if (z != columns.end() && !z->values.empty())
    given.z0 = t->values.front() > t->values.back() ? z->values.back() : z->values.front();
  if (arguments.z0) given.z0 = *arguments.z0;
  if (!std::isfinite(given.z0))
    throw io::InputError(arguments.rows_of, 0, 0,
                         fmt::format("'{}' is not finite where the path begins", problem.system.z.name()),
                         "give --z0 Z");
  return given;
}

/// Returns whether straight lines between the path at these times are the path: at all but a fiftieth of the times in
/// the middle they differ from it by no more than a twentieth of what each coordinate goes through.
bool shows(const simulate::PathJet& jet, std::size_t coordinates, const std::vector<double>& times) {
  constexpr double apart = 0.05;
  constexpr double rounding = 1e-12;
  constexpr std::size_t some = 50;
  const auto at = [&](double t) {
    std::vector<double> both(2 * coordinates);
    jet(t, both);
    both.resize(coordinates);
    return both;
  };
  std::vector<std::vector<double>> rows;
  for (const double t : times) rows.push_back(at(t));
  std::vector<double> span(coordinates);
  for (std::size_t i = 0; i < coordinates; ++i) {
    const auto [least, most] =
        std::minmax_element(rows.begin(), rows.end(), [i](const auto& a, const auto& b) { return a[i] < b[i]; });
    span[i] = (*most)[i] - (*least)[i];
  }
  std::size_t missed = 0;
  for (std::size_t k = 0; k + 1 < rows.size(); ++k) {
    const auto middle = at((times[k] + times[k + 1]) / 2);
    bool off = false;
    for (std::size_t i = 0; i < coordinates; ++i) {
      const double away = std::abs(middle[i] - (rows[k][i] + rows[k + 1][i]) / 2);
      off = off || (away > apart * span[i] && away > rounding * std::abs(middle[i]));
    }
    missed += off ? 1 : 0;
  }
  return missed * some <= rows.size();
}

/// Returns a sentence with a number of rows that shows a path of expressions, or nothing if its rows do or no number up
/// to a hundred thousand does.
std::string advice(const PathArguments& arguments, const simulate::Problem& problem, const Given& given) {
  constexpr int most_advised = 100'000;
  const std::size_t coordinates = problem.system.n() + problem.system.r();
  if (!arguments.rows_of.empty() || shows(given.jet, coordinates, given.times)) return "";
  for (int rows = 2 * arguments.rows - 1; rows <= most_advised; rows = 2 * rows - 1)
    if (shows(given.jet, coordinates, equal_times(given.times.front(), given.times.back(), rows)))
      return fmt::format("{} rows are too few for this path, whose force may be larger between them; give --rows {}",
                         arguments.rows, rows);
  return "";
}

void line(const std::string& what, const std::string& text) {
  fmt::print("  {:<11}{}\n", what, one_line(text));
}

void print_text(const simulate::Problem& problem, const Given& given, const PathFacts& facts,
                const std::string& advice) {
  const auto& system = problem.system;
  fmt::print("{}  {}\n", one_line(system.name), one_line(system.title));
  line("admissible",
       facts.admissible
           ? fmt::format("yes: dx/dt - rho y is {:.2g} of the velocities at most", facts.admissibility_defect)
           : fmt::format("no: dx/dt - rho y reaches {:.3g} of the velocities", facts.admissibility_defect));
  if (!facts.admissible) return;
  line("action", fmt::format("{} = {:.15g} at {} = {:g}, from {:g} at {:g}", system.z.name(), facts.z_end,
                             system.t.name(), given.times.back(), given.z0, given.times.front()));
  if (facts.variation) line("variation", fmt::format("delta {} = {:.15g}", system.z.name(), *facts.variation));
  line("force", fmt::format("{:.6g} at most, beyond those of the model{}", facts.largest_force,
                            system.constraints.equations.empty() ? "; 0 for a motion" : ""));
  if (!advice.empty()) line("rows", advice);
}

void print_json(const simulate::Problem& problem, const Given& given, const PathFacts& facts,
                const std::string& advice) {
  nlohmann::ordered_json object;
  object["creator"] = "herglotz";
  object["model_name"] = problem.system.name;
  object["admissible"] = facts.admissible;
  object["admissibility_defect"] = facts.admissibility_defect;
  if (facts.admissible) {
    object["t0"] = given.times.front();
    object["t_end"] = given.times.back();
    object["z0"] = given.z0;
    object["z_end"] = facts.z_end;
    if (facts.variation) object["first_variation"] = *facts.variation;
    object["largest_force"] = facts.largest_force;
    if (!advice.empty()) object["notes"] = nlohmann::ordered_json::array({advice});
    for (const auto& column : facts.along.columns) object["along"][column.name] = column.values;
  }
  fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void check(const PathArguments& arguments) {
  if (arguments.along.empty() == arguments.rows_of.empty())
    throw io::InputError("--along", 0, 0,
                         arguments.along.empty() ? "no path is given" : "both --along and --rows-of are given",
                         "give either --along COORDINATE=EXPRESSION for each base coordinate, or --rows-of FILE");
  if (!arguments.rows_of.empty() && (arguments.t0 || arguments.t_end))
    throw io::InputError(arguments.t0 ? "--t0" : "--t-end", 0, 0, "a path by rows goes from its first row to its last",
                         "leave it out");
  if (arguments.rows < 2)
    throw io::InputError("--rows", 0, 0, fmt::format("{} rows are not a path", arguments.rows), "give 2 or more");
  if (arguments.rows > most_rows)
    throw io::InputError("--rows", 0, 0, fmt::format("{} rows are too many", arguments.rows),
                         fmt::format("give at most {}", most_rows));
  if (arguments.z0 && !std::isfinite(*arguments.z0))
    throw io::InputError("--z0", 0, 0, fmt::format("{} is not a finite action", *arguments.z0), "give a finite number");
  check_destination("--out", arguments.out, {".csv", ".h5"});
  check_occupant("--out", arguments.out, arguments.force);
}

}  // namespace

int path(const PathArguments& arguments) {
  check(arguments);
  return with_model(arguments.model, arguments.set, [&](const simulate::Problem& problem) {
    const auto section =
        arguments.section.empty()
            ? std::vector<symbolic::Expr>{}
            : simulate::read_section(problem.system, assignments("--section", arguments.section, path_form));
    const Given given = arguments.rows_of.empty() ? of_expressions(arguments, problem) : of_rows(arguments, problem);
    const PathFacts facts =
        simulate::facts_of_path(problem.system, given.jet, parameters_of(problem), section, given.z0, given.times);
    const std::string more = facts.admissible ? advice(arguments, problem, given) : "";
    arguments.format == "json" ? print_json(problem, given, facts, more) : print_text(problem, given, facts, more);
    if (!facts.admissible) return run_failed;
    if (!arguments.out.empty()) io::write_trajectory(facts.along, arguments.out);
    return success;
  });
}

}  // namespace herglotz::app
