#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/symbolic/parser.hpp"

namespace herglotz::simulate {
namespace {

constexpr double default_rows = 1000;
constexpr double default_tolerance = 1e-10;

[[noreturn]] void unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  const auto near = symbolic::nearest_names(name, known);
  throw std::invalid_argument(
      near.empty() ? fmt::format("unknown {} '{}'; known are {}", what, name, fmt::join(known, ", "))
                   : fmt::format("unknown {} '{}'; did you mean {}?", what, name, fmt::join(near, ", ")));
}

void require_finite(std::string_view name, double value) {
  if (!std::isfinite(value))
    throw std::invalid_argument(fmt::format("'{}' is {}; a finite number is needed", name, value));
}

void require_positive(std::string_view name, double value) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw std::invalid_argument(fmt::format("{} = {}; a positive finite number is needed", name, value));
  }
}

/// Whole steps between samples of a fixed-step method.
std::size_t sampling(const Settings& settings, double step, double duration) {
  if (settings.output_every) return *settings.output_every;
  if (!settings.output_step) return static_cast<std::size_t>(std::max(1.0, std::round(duration / step / default_rows)));
  const double ratio = *settings.output_step / step;
  const double whole = std::round(ratio);
  if (whole < 1 || std::abs(ratio - whole) > 1e-9 * ratio) {
    throw std::invalid_argument(fmt::format("output_step = {} is no multiple of step = {}; choose {} or another step",
                                            *settings.output_step, step, std::max(1.0, whole) * step));
  }
  return static_cast<std::size_t>(whole);
}

}  // namespace

std::vector<std::string> state_names(const mechanics::System& system, const mechanics::Equations& equations) {
  std::vector<std::string> names;
  for (const auto& x : system.algebroid.x) names.emplace_back(x.name());
  for (const auto& w : system.w()) names.emplace_back(w.name());
  names.emplace_back(system.z.name());
  if (equations.rule == mechanics::Rule::vakonomic) {
    for (const auto& nu : equations.l) names.emplace_back(nu.name());
  }
  return names;
}

Start resolve_start(const mechanics::System& system, const mechanics::Equations& equations,
                    const InitialState& initial) {
  const auto names = state_names(system, equations);
  Start start{0, std::vector<double>(names.size(), 0.0)};
  for (const auto& [name, value] : initial) {
    require_finite(name, value);
    if (name == system.t.name()) {
      start.t0 = value;
      continue;
    }
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end()) unknown_name("initial value", name, names);
    start.state[static_cast<std::size_t>(it - names.begin())] = value;
  }
  return start;
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

Choice choose_method(const mechanics::System& system, const Settings& settings) {
  if (settings.step && settings.tolerance) {
    throw std::invalid_argument(
        "both step and tolerance are given; method auto needs one of them (step: a contact Gauss "
        "method, tolerance: the adaptive reference)");
  }
  if (!settings.step) {
    return {"reference", settings.tolerance ? "a tolerance is given: adaptive explicit method of order 8"
                                            : "no step is given: adaptive explicit method of order 8, tolerance 1e-10"};
  }
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

integrate::Settings resolve_settings(const mechanics::System& system, const Settings& settings, double t0,
                                     std::string& reason) {
  integrate::Settings resolved;
  resolved.method = settings.method;
  if (settings.method == "auto") {
    const Choice choice = choose_method(system, settings);
    resolved.method = choice.method;
    reason = choice.reason;
  }
  const integrate::MethodInfo* info = integrate::find_method(resolved.method);
  if (info == nullptr) {
    std::vector<std::string> known{"auto"};
    for (const auto& method : integrate::methods()) known.push_back(method.name);
    unknown_name("method", resolved.method, known);
  }
  if (!std::isfinite(settings.t_end))
    throw std::invalid_argument(fmt::format("t_end = {}; a finite time is needed", settings.t_end));
  if (settings.output_every && settings.output_step) {
    throw std::invalid_argument("both output_every and output_step are given; keep one of them");
  }
  if (settings.output_every && *settings.output_every == 0)
    throw std::invalid_argument("output_every = 0; it must be at least 1");
  if (settings.output_step) require_positive("output_step", *settings.output_step);
  resolved.t_end = settings.t_end;
  const double duration = std::abs(settings.t_end - t0);
  if (info->adaptive) {
    resolved.tolerance = settings.tolerance.value_or(default_tolerance);
    require_positive("tolerance", resolved.tolerance);
    resolved.schedule.every = settings.output_every.value_or(0);
    if (resolved.schedule.every == 0)
      resolved.schedule.interval = settings.output_step.value_or(duration / default_rows);
  } else {
    if (!settings.step) {
      throw std::invalid_argument(fmt::format(
          "method {} has a fixed step and none is given; set step in [simulation] or use --step", info->name));
    }
    require_positive("step", *settings.step);
    resolved.step = settings.t_end < t0 ? -*settings.step : *settings.step;
    resolved.schedule.every = sampling(settings, *settings.step, duration);
  }
  return resolved;
}

}  // namespace herglotz::simulate
