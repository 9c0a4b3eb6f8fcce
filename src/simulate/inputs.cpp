#include "inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "herglotz/error.hpp"

namespace herglotz::simulate {

std::vector<integrate::Break> breaks_of(const mechanics::System& system, const Settings& settings,
                                        const integrate::MethodInfo& method, double t0) {
  const auto& tables = system.graph().tables();
  if (tables.empty()) return {};
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    throw Refused(fmt::format("the model has the input '{}', and {}", tables.front()->name, what),
                  fmt::format("{}", remedy));
  };
  if (settings.time_scale) refuse("a scaled time has no steps that end at its points", "remove time_scale");
  if (method.needs == integrate::Requirement::discrete_lagrangian)
    refuse(fmt::format("steps of method {} cannot be divided at its points", method.name), "choose another method");
  constexpr double slack = 1e-9;
  const double low = std::min(t0, settings.t_end);
  const double high = std::max(t0, settings.t_end);
  std::map<double, bool> times;
  for (const auto& table : tables) {
    const double first = table->knots.front();
    const double last = table->knots.back();
    const double allowed = slack * (last - first);
    if (low < first - allowed || high > last + allowed)
      throw Refused(
          fmt::format("the input '{}' is known from t = {:.9g} to {:.9g}, and the run goes from {:.9g} to {:.9g}",
                      table->name, first, last, t0, settings.t_end),
          "choose the start and t_end inside, or give more points");
    for (const double knot : table->knots) {
      bool& jump = times[knot];
      jump = jump || table->interpolation != symbolic::Interpolation::spline;
    }
  }
  std::vector<integrate::Break> breaks;
  for (const auto& [t, jump] : times) breaks.push_back({t, jump});
  return breaks;
}

}  // namespace herglotz::simulate
