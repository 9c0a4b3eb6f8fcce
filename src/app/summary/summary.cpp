#include "summary/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/analyse/list_text.hpp"
#include "summary/budgets.hpp"
#include "summary/findings.hpp"
#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {
namespace {

using analyse::Role;
using analyse::RunFacts;
using analyse::Trajectory;

bool is_state(Role role) {
  return role == Role::base || role == Role::fibre || role == Role::action || role == Role::multiplier;
}

std::string state_at(const Trajectory& trajectory, std::size_t row) {
  std::vector<std::string> parts;
  for (const auto& column : trajectory.columns)
    if (is_state(column.role)) parts.push_back(fmt::format("{} = {:.9g}", column.name, column.values[row]));
  return analyse::list_text(parts);
}

std::string method(const RunFacts& facts) {
  std::string text = fmt::format("{}, {}", facts.method, order_in_words(facts.order));
  text +=
      facts.step != 0 ? fmt::format(", step {:.6g}", facts.step) : fmt::format(", tolerance {:.3g}", facts.tolerance);
  if (!facts.method_reason.empty()) text += fmt::format(" (auto: {})", facts.method_reason);
  return text;
}

std::string effort(const RunFacts& facts) {
  std::string text = fmt::format("{} steps", facts.steps);
  if (facts.rejected_steps != 0) text += fmt::format(", {} rejected", facts.rejected_steps);
  if (facts.newton_iterations != 0) text += fmt::format(", {} Newton iterations", facts.newton_iterations);
  return text + fmt::format(", {}", duration(facts.wall_seconds));
}

std::string constraint_residual(const Trajectory& trajectory) {
  // A run that kept no columns of its constraints has their largest residual nevertheless.
  const bool constrained = trajectory.facts.largest_constraint_residual != 0 ||
                           std::any_of(trajectory.columns.begin(), trajectory.columns.end(),
                                       [](const analyse::Column& column) { return column.role == Role::constraint; });
  return constrained ? fmt::format("largest constraint residual {:.2e}", trajectory.facts.largest_constraint_residual)
                     : "no constraints";
}

/// Prints the largest residuals, and whether the laws hold.
void print_verdict(const Trajectory& trajectory) {
  const RunFacts& facts = trajectory.facts;
  std::vector<std::pair<std::string, double>> residuals;
  for (const auto& [name, residual] : facts.largest_momentum_residuals)
    residuals.emplace_back(fmt::format("momentum {}", name), residual);
  for (const auto& [name, residual] : facts.largest_dissipated_residuals)
    residuals.emplace_back(fmt::format("the dissipated {}", name), residual);
  // A discrete motion, of order 0, has laws of its own.
  const auto far = [&](double residual) { return !(std::abs(residual) <= doubtful_residual); };
  const auto lost = [](double residual) { return !std::isfinite(residual); };
  const auto any = [&](const auto& is) {
    return is(facts.largest_energy_residual) ||
           std::any_of(residuals.begin(), residuals.end(), [&](const auto& one) { return is(one.second); });
  };
  const bool violated = facts.order == 0 ? any(lost) : any(far);
  print_line(violated ? "violated" : "verified",
             fmt::format("largest energy residual {:.2e}; {}", facts.largest_energy_residual,
                         constraint_residual(trajectory)));
  for (const auto& [law, residual] : residuals)
    print_line("", fmt::format("largest residual of {}: {:.2e}", law, residual));
  for (const auto& [name, since] : facts.at_round_off) {
    const bool dissipated =
        std::any_of(facts.largest_dissipated_residuals.begin(), facts.largest_dissipated_residuals.end(),
                    [&, &law = name](const auto& one) { return one.first == law; });
    print_line("", fmt::format("{}{} is at round-off from t = {:.6g}: what rounding explains there is not a violation",
                               name == "energy" ? ""
                               : dissipated     ? "the dissipated "
                                                : "momentum ",
                               name, since));
  }
  for (const auto& [name, largest] : facts.largest_invariants)
    print_line("", fmt::format("largest value of invariant {}: {:.2e}", name, largest));
  if (violated) {
    print_line("",
               styled(stdout, Style::bad,
                      "a balance law is far from holding: do not trust this run before a smaller step or tolerance"));
  } else if (facts.order == 0) {
    print_line("",
               "a discrete motion has its own laws: these residuals are its distance from those of continuous time");
  }
}

/// Prints what frictions and jumps gave to the energy, and took from it, by the end.
void print_budgets(const Trajectory& trajectory) {
  std::vector<std::string> parts;
  for (const auto* column : budget_columns(trajectory))
    parts.push_back(fmt::format("{} = {:.9g}", column->name, column->values.back()));
  if (!parts.empty()) print_line("budgets", fmt::format("of the energy at the end: {}", fmt::join(parts, ", ")));
}

/// Prints the number of times each event happened, and the first of these times.
void print_events(const Trajectory& trajectory) {
  constexpr std::size_t shown = 4;
  for (std::size_t k = 0; k < trajectory.events.size(); ++k) {
    const auto& event = trajectory.events[k];
    std::string text =
        fmt::format("{}: {}", event.name, event.count() == 0 ? "none" : fmt::format("{}", event.count()));
    for (std::size_t row = 0; row < std::min(shown, event.count()); ++row)
      text += fmt::format("{}{:.12g}", row == 0 ? ", at t = " : ", ", event.columns.front().values[row]);
    if (event.count() > shown) text += ", ..";
    print_line(k == 0 ? "events" : "", text);
  }
}

/// Returns a width that suffices for the heading and for every number.
std::size_t width_of(const analyse::Column& column) {
  return std::max<std::size_t>(14, column.name.size());
}

/// Prints a few evenly spread rows, with as many state columns as fit the terminal.
void print_rows(const Trajectory& trajectory) {
  constexpr std::size_t shown = 6;
  std::vector<const analyse::Column*> last_columns;
  for (const auto* name : {"energy", "energy_residual"})
    if (const auto* column = trajectory.find(name)) last_columns.push_back(column);
  std::size_t room = std::max<std::size_t>(terminal_width(stdout), 60) - 2;
  for (const auto* column : last_columns) room -= std::min(room, width_of(*column) + 1);
  std::vector<const analyse::Column*> columns;
  for (const auto& column : trajectory.columns) {
    if (column.role != Role::time && !is_state(column.role)) continue;
    if (width_of(column) + 1 > room) break;
    room -= width_of(column) + 1;
    columns.push_back(&column);
  }
  columns.insert(columns.end(), last_columns.begin(), last_columns.end());

  fmt::print("\n ");
  for (const auto* column : columns)
    fmt::print(" {}", styled(stdout, Style::bold, fmt::format("{:>{}}", column->name, width_of(*column))));
  fmt::print("\n");
  const std::size_t last = trajectory.rows() - 1;
  const std::size_t rows = std::min(shown, trajectory.rows());
  for (std::size_t k = 0; k < rows; ++k) {
    const std::size_t row = rows == 1 ? 0 : k * last / (rows - 1);
    fmt::print(" ");
    for (const auto* column : columns) fmt::print(" {:>{}.6g}", column->values[row], width_of(*column));
    fmt::print("\n");
  }
  fmt::print("\n  {} rows and {} columns in all; --out FILE.csv or FILE.h5 writes them\n", trajectory.rows(),
             trajectory.columns.size());
}

}  // namespace

void print_line(std::string_view label, std::string_view text) {
  fmt::print("  {} {}\n", styled(stdout, Style::dim, fmt::format("{:<10}", label)), text);
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

void print_summary(const Trajectory& trajectory, const std::vector<std::string>& written) {
  const RunFacts& facts = trajectory.facts;
  fmt::print("{}", styled(stdout, Style::bold, one_line(facts.model_name)));
  if (!facts.title.empty()) fmt::print("  {}", one_line(facts.title));
  if (!facts.reference.empty()) fmt::print("  [{}]", one_line(facts.reference));
  fmt::print("\n");
  print_line("method", method(facts));
  print_line("run", effort(facts));
  for (const auto& note : facts.notes) print_line("note", one_line(note));
  if (trajectory.rows() != 0) {
    const auto& t = trajectory.columns.front().values;
    print_line("start", fmt::format("t = {:.9g}, {}", t.front(), state_at(trajectory, 0)));
    print_line("end", fmt::format("t = {:.9g}, {}", t.back(), state_at(trajectory, trajectory.rows() - 1)));
    print_verdict(trajectory);
    print_budgets(trajectory);
    print_events(trajectory);
  }
  if (!facts.complete) print_line("status", styled(stdout, Style::bad, one_line(facts.status)));
  for (const auto& file : written) print_line("written", one_line(file));
  if (written.empty() && trajectory.rows() != 0) print_rows(trajectory);
}

}  // namespace herglotz::app
