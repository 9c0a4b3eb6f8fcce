#include "sensitivity/repetition.hpp"

#include "herglotz/integrate/collocation.hpp"
#include "settings.hpp"

namespace herglotz::simulate {

integrate::Settings settings_of_repetition(const DifferentiatedRun& of, double t0) {
  Settings same = of.request.settings;
  same.method = of.method.name;
  same.output_every.reset();
  same.output_step.reset();
  same.output_times.clear();
  std::string reason;
  auto settings = resolve_settings(of.simulator.system(), same, std::nullopt, t0, of.run.columns.size(), reason);
  settings.schedule = {.every = 1};
  const auto& t = of.run.columns.front().values;
  // Adaptive steps end at rows, unless rows are counted in steps, or the method has a polynomial for them.
  if (t.size() > 2 && of.method.adaptive && !integrate::collocation_of(of.method) && !of.request.settings.output_every)
    settings.schedule.times.assign(t.begin() + 1, t.end() - 1);
  return settings;
}

}  // namespace herglotz::simulate
