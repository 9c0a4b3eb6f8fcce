#include "setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/control/lie_step.hpp"
#include "herglotz/error.hpp"
#include "herglotz/optimise/nlp.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::solve {
namespace {

Values parameter_values(const control::Problem& problem) {
  Values values;
  for (const auto& parameter : problem.system.parameters) values.push_back(parameter.value);
  return values;
}

}  // namespace

Values Setup::parameters() const {
  return parameter_values(problem);
}

double Setup::value(control::Expr expression) const {
  std::vector<control::Expr> symbols;
  for (const auto& parameter : problem.system.parameters) symbols.push_back(parameter.symbol);
  return symbolic::evaluate(expression, symbols, parameter_values(problem));
}

Setup::Setup(const control::Problem& asked, PathIndependentCosts independent_costs)
    : problem(asked),
      form(control::first_order(asked)),
      independent(independent_costs == PathIndependentCosts::taken ? take_path_independent_cost(asked, form)
                                                                   : PathIndependentCost{}),
      stage(control::stage_programs(asked, form), parameter_values(asked)),
      ends(control::end_programs(asked, form), parameter_values(asked)),
      sign(asked.cost.maximise ? -1 : 1) {
  if (asked.settings.method == "direct-lie-2")
    by_group.emplace(control::lie_stage_programs(asked, form), parameter_values(asked));
  lower.assign(m(), -optimise::infinity);
  upper.assign(m(), optimise::infinity);
  for (std::size_t s = 0; s < problem.controls.size(); ++s) {
    const control::Bounds& bounds = problem.bounds[s];
    if (bounds.lower) lower[s] = value(*bounds.lower);
    if (bounds.upper) upper[s] = value(*bounds.upper);
    if (lower[s] > upper[s])
      throw Refused("[control] leaves no value to '" + std::string(problem.controls[s].name()) +
                        "': its lower bound is above the upper one",
                    "exchange them", "[control]");
  }
  const auto& boundary = problem.boundary;
  const auto names = control::end_names(problem);
  initial.resize(d());
  final.resize(d());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_free =
        std::find(boundary.free_initial.begin(), boundary.free_initial.end(), names[i]) != boundary.free_initial.end();
    const auto start = boundary.initial.find(names[i]);
    if (!is_free) initial[i] = start == boundary.initial.end() ? 0.0 : value(start->second);
    const auto end = boundary.final.find(names[i]);
    if (end != boundary.final.end()) final[i] = value(end->second);
  }
  const auto action = boundary.initial.find(form.v.back().name());
  initial[form.cost()] = action == boundary.initial.end() ? 0.0 : value(action->second);
  const auto time = boundary.initial.find(problem.system.t.name());
  if (time != boundary.initial.end()) t0 = value(time->second);
  if (boundary.duration) {
    duration = value(*boundary.duration);
    if (!(*duration > 0))
      throw Refused("[boundary] has a duration that is not positive", "give one above 0", "[boundary]");
  }
  shortest = boundary.shortest ? value(*boundary.shortest) : 0;
  longest = boundary.longest ? value(*boundary.longest) : optimise::infinity;
  if (shortest < 0 || shortest > longest)
    throw Refused("[boundary] leaves no duration between min and max", "give 0 <= min <= max", "[boundary]");
  const auto& guessed = problem.guess.duration;
  if (guessed && problem.guess.columns.empty() && !duration && !(*guessed >= shortest && *guessed <= longest)) {
    const std::string limits =
        std::isfinite(longest) ? fmt::format("between the least, {:.8g}, and the greatest, {:.8g},", shortest, longest)
                               : fmt::format("at least {:.8g}, the least", shortest);
    throw Refused(fmt::format("the guess of the duration, {:.8g}, is not {} that [boundary] allows", *guessed, limits),
                  std::isfinite(longest) ? "guess one between them" : "guess a longer one", "[guess]");
  }
  units = sizes = no_units(d(), m(), along(), conditions());
}

Setup Setup::divided_by(const Units& by) const {
  Setup result = *this;
  const auto joined = [](Values values, const Values& more) {
    values.insert(values.end(), more.begin(), more.end());
    return values;
  };
  const Values along_path = joined(joined(by.v, by.w), {by.time, by.time});
  result.stage = stage.in_units(along_path, joined(by.v, by.along));
  if (by_group) result.by_group = by_group->in_units(along_path, joined(by.v, by.along));
  result.ends = ends.in_units(joined(joined(by.v, by.v), {by.time}), joined({by.cost()}, by.conditions));
  for (std::size_t j = 0; j < m(); ++j) {
    result.lower[j] /= by.w[j];
    result.upper[j] /= by.w[j];
  }
  for (std::size_t i = 0; i < d(); ++i) {
    if (initial[i]) result.initial[i] = *initial[i] / by.v[i];
    if (final[i]) result.final[i] = *final[i] / by.v[i];
  }
  result.t0 /= by.time;
  if (duration) result.duration = *duration / by.time;
  result.shortest /= by.time;
  result.longest /= by.time;
  result.units = by;
  result.sizes = no_units(d(), m(), along(), conditions());
  return result;
}

bool Setup::is_linear(std::size_t control) const {
  return std::find(form.linear.begin(), form.linear.end(), control) != form.linear.end();
}

bool Setup::is_coupled(std::size_t control) const {
  return std::find(form.coupled.begin(), form.coupled.end(), control) != form.coupled.end();
}

Hold Setup::hold_of(std::size_t control, double u, double margin) const {
  const double range = upper[control] - lower[control];
  const double bound = std::isfinite(upper[control]) ? upper[control] : lower[control];
  const double width = margin * (std::isfinite(range) ? range : std::max(1.0, std::abs(bound)));
  if (u - lower[control] < width) return Hold::lower;
  return upper[control] - u < width ? Hold::upper : Hold::free;
}

bool Setup::has_bounds() const {
  for (std::size_t s = 0; s < m(); ++s)
    if (is_bounded(s)) return true;
  return false;
}

bool Setup::is_bounded(std::size_t control) const {
  return std::isfinite(lower[control]) || std::isfinite(upper[control]);
}

void Setup::keep(const std::vector<Hold>& held, Values& w) const {
  for (std::size_t u = 0; u < held.size(); ++u)
    if (held[u] != Hold::free) w[u] = bound(u, held[u]);
}

}  // namespace herglotz::solve
