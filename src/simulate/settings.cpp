#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "exact_motion.hpp"
#include "herglotz/discrete/exact.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/counts.hpp"
#include "herglotz/integrate/required_settings.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "inputs.hpp"

namespace herglotz::simulate {
namespace {

constexpr double default_rows = 1000;
constexpr double default_tolerance = 1e-10;
/// Tolerance at which the discrete motions of exact discrete Lagrangians without a formula are followed.
constexpr double exact_tolerance = 1e-14;

void require_positive(std::string_view name, double value) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw Refused(fmt::format("{} = {}", name, value), "a positive finite number is needed", std::string(name));
  }
}

/// Returns the number of steps in a duration if it is a whole number up to rounding; else 0.
double whole_steps(double duration, double step) {
  const double ratio = duration / step;
  const double whole = std::round(ratio);
  return whole >= 1 && std::abs(ratio - whole) <= 1e-9 * ratio ? whole : 0;
}

/// Returns the times at which states of a fixed-step method are stored. States inside steps are reached by shorter
/// steps, but the steps of a discrete Lagrangian cannot be shortened.
integrate::Schedule sampling(const Settings& settings, double step, double duration, bool discrete_motion) {
  integrate::Schedule schedule;
  if (settings.output_every) {
    schedule.every = *settings.output_every;
  } else if (!settings.output_step) {
    schedule.every = static_cast<std::size_t>(std::max(1.0, std::round(duration / step / default_rows)));
  } else if (const double whole = whole_steps(*settings.output_step, step); whole > 0) {
    schedule.every = static_cast<std::size_t>(whole);
  } else if (discrete_motion) {
    throw Refused(
        fmt::format(
            "output_step = {} is not a multiple of step = {}, and a discrete motion has no states between its steps",
            *settings.output_step, step),
        fmt::format("choose {:.9g} or another step", std::max(1.0, std::round(*settings.output_step / step)) * step),
        "output_step");
  } else {
    schedule.interval = *settings.output_step;
  }
  return schedule;
}

/// Returns the listed times strictly between the start and the end. Throws Refused if they do not
/// increase along the run or if one lies outside it.
std::vector<double> listed_times(const std::vector<double>& times, double t0, double t_end) {
  std::vector<double> between;
  const double direction = t_end < t0 ? -1 : 1;
  double last = -std::numeric_limits<double>::infinity();
  for (const double time : times) {
    const double along = direction * (time - t0);
    if (!std::isfinite(time) || !(along > last) || along < 0 || along > direction * (t_end - t0))
      throw Refused(fmt::format("output time {}", time),
                    fmt::format("times must follow each other from the start {} to the end {}", t0, t_end));
    last = along;
    if (time != t0 && time != t_end) between.push_back(time);
  }
  return between;
}

/// Throws Refused if the last step would be shorter than the others and the discrete Lagrangian does not
/// depend on its step.
void require_whole_steps(const discrete::DiscreteLagrangian& discrete, double t0, double t_end, double step) {
  const double duration = std::abs(t_end - t0);
  if (duration == 0 || symbolic::depends_on(discrete.ell, discrete.h) || whole_steps(duration, step) > 0) return;
  const double nearest = t0 + std::copysign(std::max(1.0, std::round(duration / step)) * step, t_end - t0);
  throw Refused(
      fmt::format("t_end = {} is not a whole number of steps of {} from the start, and the discrete Lagrangian "
                  "has no step h that could be shorter",
                  t_end, step),
      fmt::format("choose t_end = {:.9g}", nearest), "t_end");
}

}  // namespace

bool follows_exact_discrete(const Settings& settings, const OptionalDiscrete& discrete) {
  return discrete && discrete::is_followed(*discrete) && settings.step && settings.method == "auto";
}

double first_step_of(const Settings& settings, const integrate::Settings& resolved, const OptionalDiscrete& discrete,
                     double t0) {
  if (!follows_exact_discrete(settings, discrete)) return resolved.step;
  return settings.t_end < t0 ? -*settings.step : *settings.step;
}

Choice auto_method(const mechanics::System& system, const Settings& settings, const OptionalDiscrete& discrete) {
  if (follows_exact_discrete(settings, discrete))
    return {"reference",
            "a step and [discrete] rule = \"exact\" are given: its discrete motion is the motion, at every step"};
  return choose_method(system, settings, discrete && !discrete::is_followed(*discrete));
}

void unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  const auto near = symbolic::nearest_names(name, known);
  throw Refused(fmt::format("unknown {} '{}'", what, name),
                near.empty() ? fmt::format("known are {}", fmt::join(known, ", "))
                             : fmt::format("did you mean {}?", fmt::join(near, ", ")));
}

void require_finite(std::string_view name, double value) {
  if (!std::isfinite(value)) throw Refused(fmt::format("'{}' is {}", name, value), "a finite number is needed");
}

std::vector<double> resolve_parameters(const mechanics::System& system, const InitialState& overrides) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& parameter : system.parameters) {
    names.emplace_back(parameter.symbol.name());
    values.push_back(parameter.value);
  }
  for (const auto& [name, value] : overrides) {
    require_finite(name, value);
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end()) unknown_name("parameter", name, names);
    values[static_cast<std::size_t>(it - names.begin())] = value;
  }
  return values;
}

Choice choose_method(const mechanics::System& system, const Settings& settings, bool discrete) {
  if (settings.step && settings.tolerance) {
    throw Refused("both step and tolerance are given",
                  "method auto needs one of them (step: a contact Gauss method, tolerance: the adaptive reference)");
  }
  if (!settings.step) {
    return {"reference", settings.tolerance ? "a tolerance is given: adaptive explicit method of order 8"
                                            : "no step is given: adaptive explicit method of order 8, tolerance 1e-10"};
  }
  if (settings.galerkin)
    return {"discrete-galerkin", "a step and [discrete] rule = \"galerkin\" are given: its polynomials and quadrature"};
  if (discrete) return {"discrete-herglotz", "a step and [discrete] are given: the discrete Herglotz equations"};
  switch (system.constraints.rule) {
    case mechanics::Rule::nonholonomic:
      return {
          "contact-gauss-4",
          "a step is given: order 4 collocation of the homogeneous lift, projected onto the constraints every step"};
    case mechanics::Rule::vakonomic:
      return {"contact-gauss-4",
              "a step is given: order 4 collocation of the homogeneous lift of the vakonomic system in (x, P, z)"};
    case mechanics::Rule::none:
      break;
  }
  if (system.algebroid.kind == "tangent") {
    return {"contact-gauss-4",
            "a step is given and E = TM: order 4, keeps the contact structure up to its conformal factor"};
  }
  return {"contact-gauss-4",
          fmt::format("a step is given: order 4 collocation of the homogeneous lift on the {} algebroid",
                      system.algebroid.kind)};
}

const integrate::MethodInfo& method_of(const mechanics::System& system, const Settings& settings,
                                       const OptionalDiscrete& discrete, std::string& reason) {
  std::string name = settings.method;
  if (name == "auto") {
    const Choice choice = auto_method(system, settings, discrete);
    name = choice.method;
    reason = choice.reason;
  }
  const integrate::MethodInfo* info = integrate::find_method(name);
  if (info == nullptr) {
    std::vector<std::string> known{"auto"};
    for (const auto& method : integrate::methods()) known.push_back(method.name);
    unknown_name("method", name, known);
  }
  if (!info->adaptive && !settings.step)
    throw Refused(fmt::format("method {} has a fixed step and none is given", info->name),
                  "set step in [simulation] or use --step", "method");
  return *info;
}

integrate::Settings resolve_settings(const mechanics::System& system, const Settings& settings,
                                     const std::optional<discrete::DiscreteLagrangian>& discrete, double t0,
                                     std::size_t columns, std::string& reason) {
  integrate::Settings resolved;
  resolved.galerkin = settings.galerkin;
  const integrate::MethodInfo* info = &method_of(system, settings, discrete, reason);
  resolved.method = info->name;
  integrate::require_galerkin_rule(*info, resolved);
  if (!std::isfinite(settings.t_end))
    throw Refused(fmt::format("t_end = {}", settings.t_end), "a finite time is needed", "t_end");
  if (settings.output_every && settings.output_step) {
    throw Refused("both output_every and output_step are given", "keep one of them");
  }
  if (settings.output_every && *settings.output_every == 0)
    throw Refused("output_every = 0", "it must be at least 1", "output_every");
  if (settings.output_step) require_positive("output_step", *settings.output_step);
  resolved.t_end = settings.t_end;
  const double duration = std::abs(settings.t_end - t0);
  if (!std::isfinite(duration))
    throw Refused(fmt::format("t_end = {} is farther from the start t = {} than a number can say", settings.t_end, t0));
  resolved.breaks = breaks_of(system, settings, *info, t0);
  if (settings.output_step) integrate::require_rows("output_step", t0, settings.t_end, *settings.output_step, columns);
  if (info->adaptive) {
    const bool exact = follows_exact_discrete(settings, discrete);
    resolved.tolerance = settings.tolerance.value_or(exact ? exact_tolerance : default_tolerance);
    require_positive("tolerance", resolved.tolerance);
    if (exact) {
      require_positive("step", *settings.step);
      integrate::require_steps("step", t0, settings.t_end, *settings.step);
      const std::size_t every = sampling(settings, *settings.step, duration, true).every;
      resolved.schedule.interval = static_cast<double>(every) * *settings.step;
      integrate::require_rows("step", t0, settings.t_end, resolved.schedule.interval, columns);
    } else {
      resolved.schedule.every = settings.output_every.value_or(0);
    }
    if (!exact && resolved.schedule.every == 0 && settings.output_times.empty())
      resolved.schedule.interval = settings.output_step.value_or(duration / default_rows);
  } else {
    require_positive("step", *settings.step);
    resolved.step = settings.t_end < t0 ? -*settings.step : *settings.step;
    if (!settings.time_scale) {
      integrate::require_steps("step", t0, settings.t_end, *settings.step);
      resolved.max_steps = static_cast<std::size_t>(integrate::most_steps) + 1;
      if (settings.output_every)
        integrate::require_rows("output_every times step", t0, settings.t_end,
                                static_cast<double>(*settings.output_every) * *settings.step, columns);
    }
    const bool discrete_motion = info->needs == integrate::Requirement::discrete_lagrangian;
    if (discrete_motion && discrete) require_whole_steps(*discrete, t0, settings.t_end, *settings.step);
    if (settings.output_times.empty())
      resolved.schedule = sampling(settings, *settings.step, duration, discrete_motion);
    else if (discrete_motion)
      throw Refused("times are listed, and a discrete motion has no states between its steps", "use output_every");
  }
  if (!settings.output_times.empty()) {
    if (settings.output_every || settings.output_step)
      throw Refused("times are listed, and output_every or output_step is given", "keep one of them");
    resolved.schedule = {.times = listed_times(settings.output_times, t0, settings.t_end)};
  }
  return resolved;
}

}  // namespace herglotz::simulate
