#include "commands/paths/sequence.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "commands/paths/given.hpp"
#include "destination.hpp"
#include "exit_status.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/simulate/arrows.hpp"
#include "herglotz/simulate/given_sequence.hpp"
#include "summary/summary.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

using simulate::Sequence;
using simulate::SequenceFacts;

constexpr const char* values_form = "BASE=VALUE,VALUE,...";
constexpr const char* arrows_form = "FIBRE=VALUE,VALUE,...";
constexpr std::size_t most_lines = 21;  // of the table
constexpr int most_steps = 1'000'000;

void check(const SequenceArguments& arguments) {
  if (!arguments.positions.empty() && !arguments.rows_of.empty())
    throw io::InputError("--rows-of", 0, 0, "both --positions and --rows-of are given", "give one of them");
  if (!arguments.sections.empty() && arguments.arrows.empty())
    throw io::InputError("--sections", 0, 0, "they are the variation of a sequence of arrows", "give --arrows");
  if (!arguments.arrows.empty())
    for (const auto& [option, given] : {std::pair{"--positions", !arguments.positions.empty()},
                                        {"--rows-of", !arguments.rows_of.empty()},
                                        {"--variation", !arguments.variation.empty()},
                                        {"--steps", arguments.steps.has_value()}})
      if (given)
        throw io::InputError(option, 0, 0, "a sequence of arrows has no positions of its own",
                             "leave it out; --sections are the variation of arrows");
  if (arguments.steps && *arguments.steps < 1)
    throw io::InputError("--steps", 0, 0, fmt::format("{} steps are not a motion", *arguments.steps), "give 1 or more");
  if (arguments.steps && *arguments.steps > most_steps)
    throw io::InputError("--steps", 0, 0, fmt::format("{} steps are too many", *arguments.steps),
                         fmt::format("give at most {}", most_steps));
  if (arguments.steps && arguments.exact)
    throw io::InputError("--exact", 0, 0, "the motion of the exact discrete Lagrangian is that in continuous time",
                         "use `herglotz simulate`, or leave --steps out");
  if (arguments.steps && !arguments.rows_of.empty())
    throw io::InputError("--steps", 0, 0, "a motion begins with two positions, and rows are given",
                         "give --positions, or leave --steps out");
  if (arguments.step && !arguments.rows_of.empty())
    throw io::InputError("--step", 0, 0, "the step of rows is the time between them", "leave it out");
  for (const auto& [option, value] :
       {std::pair{"--step", arguments.step}, {"--t0", arguments.t0}, {"--z0", arguments.z0}})
    if (value && !std::isfinite(*value))
      throw io::InputError(option, 0, 0, fmt::format("{} is not finite", *value), "give a finite number");
  check_destination("--out", arguments.out, {".csv", ".h5"});
  check_occupant("--out", arguments.out, arguments.force);
}

/// Returns the sequence of the rows of a file. Throws io::InputError, which names the file, if they are not a sequence.
Sequence of_rows(const std::string& file, const mechanics::System& system) {
  const auto columns = columns_of_file(file);
  try {
    return simulate::sequence_of_rows(system, columns);
  } catch (const Refused& refusal) {
    throw io::InputError(file, 0, 0, refusal.problem(), refusal.remedy());
  }
}

/// Returns the step of the option, or of the model.
double given_step(const SequenceArguments& arguments, const simulate::Problem& problem) {
  if (!arguments.step && !problem.settings.step)
    throw io::InputError("--step", 0, 0, "the time of a step is not known", "give --step H");
  const double h = arguments.step ? *arguments.step : *problem.settings.step;
  if (h == 0) throw io::InputError("--step", 0, 0, "a step of 0 leads nowhere", "give another one");
  return h;
}

Sequence given_sequence(const SequenceArguments& arguments, const simulate::Problem& problem) {
  Sequence given;
  if (!arguments.rows_of.empty()) {
    given = of_rows(arguments.rows_of, problem.system);
  } else if (!arguments.positions.empty()) {
    given.q = simulate::read_components(problem.system, assignments("--positions", arguments.positions, values_form),
                                        "the sequence");
  } else {
    given = simulate::starting_sequence(problem);
  }
  if (arguments.t0) given.t0 = *arguments.t0;
  if (arguments.z0) given.z0 = *arguments.z0;
  if (!arguments.rows_of.empty()) return given;
  given.h = given_step(arguments, problem);
  return arguments.steps ? simulate::continued(problem, given, static_cast<std::size_t>(*arguments.steps)) : given;
}

/// Returns the arrows of the options, from the base point, time and action at which the model starts.
simulate::ArrowSequence given_arrows(const SequenceArguments& arguments, const simulate::Problem& problem) {
  const auto& system = problem.system;
  const auto start = [&](const symbolic::Expr& symbol) {
    const auto at = problem.initial.find(symbol.name());
    return at == problem.initial.end() ? 0.0 : at->second;
  };
  simulate::ArrowSequence given;
  given.eta = simulate::read_fibre_components(system, assignments("--arrows", arguments.arrows, arrows_form),
                                              "the sequence of arrows");
  for (const auto& symbol : system.algebroid.x) given.x0.push_back(start(symbol));
  given.z0 = arguments.z0.value_or(start(system.z));
  given.t0 = arguments.t0.value_or(start(system.t));
  given.h = given_step(arguments, problem);
  return given;
}

/// Prints the positions with their times, actions and factors, which the last one does not have; of many every m-th.
void print_table(const mechanics::System& system, const analyse::Trajectory& along) {
  const std::size_t shown = 2 + system.n() + 1;  // time, base, action, sigma_d
  const std::size_t rows = along.rows();
  const std::size_t every = (rows + most_lines - 2) / (most_lines - 1);
  std::string text = fmt::format("\n  {:>6}", "k");
  for (std::size_t c = 0; c < shown; ++c) text += fmt::format(" {:>14}", along.columns[c].name);
  for (std::size_t k = 0; k < rows; ++k) {
    if (k % every != 0 && k + 1 != rows) continue;
    text += fmt::format("\n  {:>6}", k);
    for (std::size_t c = 0; c < shown; ++c)
      if (const double value = along.columns[c].values[k]; !std::isnan(value)) text += fmt::format(" {:>14.6g}", value);
  }
  fmt::print("{}\n", text);
}

/// The parts of a sequence (positions or arrows), their number, its step, and its action at the start.
struct Made {
  std::string of;
  std::size_t count;
  double h;
  double z0;
};

void print_text(const simulate::Problem& problem, const Made& given, const SequenceFacts& facts, bool exact) {
  const auto& system = problem.system;
  fmt::print("{}  {}\n", one_line(system.name), one_line(system.title));
  print_line("sequence", one_line(fmt::format("{} {}, step {:g}, discrete Lagrangian: {}", given.count, given.of,
                                              given.h, exact ? "exact" : problem.discrete->rule)));
  print_line("action", fmt::format("{} = {:.15g} at the end, from {:g}", system.z.name(), facts.z_end, given.z0));
  if (facts.variation) print_line("variation", fmt::format("delta {} = {:.15g}", system.z.name(), *facts.variation));
  if (facts.along.rows() > 2)
    print_line("equations",
               fmt::format("{:.6g} at most, the rows sigma_d (p+ - p-); 0 for a discrete motion", facts.largest_row));
  print_line("factor", facts.least_sigma == facts.largest_sigma
                           ? fmt::format("sigma_d = {:.6g} in every step", facts.least_sigma)
                           : fmt::format("sigma_d from {:.6g} to {:.6g}", facts.least_sigma, facts.largest_sigma));
  if (facts.least_sigma < 0)
    print_line("warning",
               "sigma_d is negative, and e^(int L_z) never is: such steps approximate no motion in continuous time");
  print_table(system, facts.along);
}

void print_json(const simulate::Problem& problem, const Made& given, const SequenceFacts& facts) {
  nlohmann::ordered_json object;
  object["creator"] = "herglotz";
  object["model_name"] = problem.system.name;
  object["step"] = given.h;
  object["z0"] = given.z0;
  object["z_end"] = facts.z_end;
  if (facts.variation) object["first_variation"] = *facts.variation;
  object["largest_row"] = facts.largest_row;
  object["least_sigma_d"] = facts.least_sigma;
  object["largest_sigma_d"] = facts.largest_sigma;
  for (const auto& column : facts.along.columns) object["along"][column.name] = column.values;  // nan is null
  fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace

int sequence(const SequenceArguments& arguments) {
  check(arguments);
  return with_model(arguments.model, arguments.set, [&](const simulate::Problem& problem) {
    Made made;
    SequenceFacts facts;
    if (!arguments.arrows.empty()) {
      const auto sections =
          arguments.sections.empty()
              ? discrete::Components{}
              : simulate::read_fibre_components(
                    problem.system, assignments("--sections", arguments.sections, arrows_form), "the variation");
      const auto given = given_arrows(arguments, problem);
      facts = simulate::facts_of_arrows(problem, given, sections, arguments.exact);
      made = {given.eta.size() == 1 ? "arrow" : "arrows", given.eta.size(), given.h, given.z0};
    } else {
      if (problem.system.n() == 0)
        throw Refused("a sequence is one of positions, and the model has no base coordinates",
                      "give arrows of its group: --arrows FIBRE=VALUES");
      const auto variation =
          arguments.variation.empty()
              ? discrete::Components{}
              : simulate::read_components(problem.system, assignments("--variation", arguments.variation, values_form),
                                          "the variation");
      const Sequence given = given_sequence(arguments, problem);
      facts = simulate::facts_of_sequence(problem, given, variation, arguments.exact);
      made = {"positions", given.q.size(), given.h, given.z0};
    }
    if (arguments.format == "json")
      print_json(problem, made, facts);
    else
      print_text(problem, made, facts, arguments.exact);
    if (!arguments.out.empty()) io::write_trajectory(facts.along, arguments.out);
    return success;
  });
}

}  // namespace herglotz::app
