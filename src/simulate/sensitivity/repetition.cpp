#include "sensitivity/repetition.hpp"

#include <algorithm>

#include "herglotz/integrate/collocation.hpp"
#include "settings.hpp"
#include "switches/pulses.hpp"

namespace herglotz::simulate {

bool has_polynomial(const DifferentiatedRun& of) {
  return of.method.adaptive && integrate::collocation_of(of.method);
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

}  // namespace herglotz::simulate
