#include "sensitivity/pieces/repetition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/integrate/collocation.hpp"
#include "settings.hpp"
#include "switches/pulses.hpp"

namespace herglotz::simulate {
namespace {

/// Relative difference of repeated steps from those of the run that round-off explains.
constexpr double repeated = 1e-7;

}  // namespace

bool has_polynomial(const DifferentiatedRun& of) {
  return of.method.adaptive && integrate::collocation_of(of.method);
}

bool ends_at_fixed_times(const DifferentiatedRun& of) {
  return of.method.adaptive && !has_polynomial(of);
}

integrate::Settings settings_of_repetition(const DifferentiatedRun& of, double t0, const std::vector<double>& moving) {
  Settings same = of.request.settings;
  same.method = of.method.name;
  same.output_every.reset();
  same.output_step.reset();
  same.output_times.clear();
  std::string reason;
  auto settings = resolve_settings(of.simulator.system(), same, std::nullopt, t0, of.run.columns.size(), reason);
  std::vector<double> parameters;
  for (const auto& [name, value] : of.run.facts.parameters) parameters.push_back(value);
  Pulses(of.simulator.system()).enter(settings, parameters, of.run.columns.front().values.front());
  settings.schedule = {.every = 1};
  // Adaptive steps end at rows, unless rows are counted in steps, or the method has a polynomial for them.
  if (!of.method.adaptive || has_polynomial(of) || of.request.settings.output_every) return settings;
  const double t_end = settings.t_end;
  for (const double t : of.run.columns.front().values) {
    const bool inside = t_end < t0 ? t < t0 && t > t_end : t > t0 && t < t_end;
    if (inside && std::find(moving.begin(), moving.end(), t) == moving.end()) settings.schedule.times.push_back(t);
  }
  return settings;
}

StepTimes::StepTimes(const integrate::Settings& settings, double t0)
    : direction_(settings.t_end < t0 ? -1 : 1),
      margin_(4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(settings.t_end))) {
  for (const integrate::Break& point : settings.breaks)
    if (point.jump) points_.push_back(point);
}

const integrate::Break* StepTimes::point_at(double t) const {
  const auto point = std::find_if(points_.begin(), points_.end(),
                                  [&](const integrate::Break& one) { return std::abs(t - one.t) <= 1.5 * margin_; });
  return point != points_.end() ? &*point : nullptr;
}

double StepTimes::departure(double t) const {
  const auto* point = point_at(t);
  return point == nullptr ? t : direction_ > 0 ? point->t : point->t - margin_;
}

double StepTimes::arrival(double from, double t) const {
  const auto* point = point_at(t);
  if (point == nullptr) return t;
  const double end = point->t - direction_ * margin_;
  return direction_ * (end - from) > 0 ? end : from;
}

bool StepTimes::meet(double a, double b) const {
  const auto* point = point_at(a);
  return a == b || (point != nullptr && point == point_at(b));
}

double deviation(const DifferentiatedRun& of, std::span<const double> state, std::span<const double> again,
                 std::span<const double> from) {
  double size = 0;
  double off = 0;
  for (std::size_t i = 0; i < again.size(); ++i) {
    size = std::max({size, std::abs(state[i]), std::abs(state[i] - from[i])});
    off = std::max(off, std::abs(state[i] - again[i]));
  }
  // The stages of adaptive implicit steps were solved for to the tolerance.
  const double explained = (has_polynomial(of) ? repeated + of.run.facts.tolerance : repeated) * size;
  return off == 0 ? 0 : off / explained;
}

void require_repeated(const DifferentiatedRun& of, double t, std::span<const double> state,
                      std::span<const double> again, std::span<const double> from) {
  const double off = deviation(of, state, again, from);
  if (!(off <= 1))
    throw RunFailed(fmt::format("the steps to t = {:.9g} could not be repeated: they differ by {:.3g} of the state", t,
                                repeated * off),
                    "", {});
}

}  // namespace herglotz::simulate
