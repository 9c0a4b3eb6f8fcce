#include "sensitivity/start_slopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/sensitivity/central_slope.hpp"
#include "sensitivity/pieces/state_variation.hpp"
#include "settings.hpp"

namespace herglotz::simulate {
namespace {

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> parameter_names(const mechanics::System& system) {
  std::vector<std::string> names;
  for (const auto& parameter : system.parameters) names.emplace_back(parameter.symbol.name());
  return names;
}

std::vector<std::string> momentum_names(const mechanics::System& system) {
  std::vector<std::string> names;
  if (system.formulation == mechanics::Formulation::lagrangian)
    for (const auto& p : system.p) names.emplace_back(p.name());
  return names;
}

/// Returns whether a start must obey equations, onto which it may be moved.
bool is_restricted(const Simulator& simulator, const SensitivityRequest& request) {
  return simulator.equations().m() > 0 || (request.settings.project && !simulator.system().invariants.empty());
}

/// Returns the state from which a run starts, by name.
InitialState start_of(const Simulator& simulator, const SensitivityRequest& request, const InitialState& initial,
                      const InitialState& parameters, const InitialState& next) {
  if (!is_restricted(simulator, request)) return simulator.start(initial, request.settings, parameters, next);
  // A run without duration ends where it starts, on the constraints.
  Settings settings = request.settings;
  const auto t0 = initial.find(std::string(simulator.system().t.name()));
  settings.t_end = t0 != initial.end() ? t0->second : 0;
  settings.output_every.reset();
  settings.output_step.reset();
  settings.output_times.clear();
  const auto facts = simulator.run(initial, settings, parameters, {}, next).facts;
  return {facts.initial.begin(), facts.initial.end()};
}

/// Returns whether the state at the start is not simply made of the values that are given.
bool is_found(const Simulator& simulator, const SensitivityRequest& request) {
  const auto momenta = momentum_names(simulator.system());
  return is_restricted(simulator, request) || !request.next.empty() ||
         std::any_of(request.initial.begin(), request.initial.end(),
                     [&](const auto& entry) { return has(momenta, entry.first); });
}

/// Returns the derivatives along a direction of the values that the model or the caller gives for the start. Returns
/// nothing if these values are not smooth.
std::optional<std::vector<double>> given_slope(const DifferentiatedRun& of, const std::vector<std::string>& state,
                                               const Varying& direction) {
  const SensitivityRequest& request = of.request;
  std::vector<double> slope(state.size(), 0.0);
  const auto place = [&](const std::string& name) {
    return std::find(state.begin(), state.end(), name) - state.begin();
  };
  if (request.expressions.followers({direction.name}).empty()) {
    if (!direction.parameter) slope.at(static_cast<std::size_t>(place(direction.name))) = 1;
    return slope;
  }
  const mechanics::System& system = of.simulator.system();
  const double value = value_of(system, request, direction);
  const auto values_at = [&](std::span<const double> offsets) -> std::optional<std::vector<std::vector<double>>> {
    std::vector<std::vector<double>> all;
    for (const double offset : offsets) {
      InitialState initial = request.initial;
      InitialState parameters = request.parameters;
      InitialState next;
      (direction.parameter ? parameters : initial)[direction.name] = value + offset;
      request.expressions.apply(system, parameters, initial, next);
      auto& row = all.emplace_back();
      for (const auto& name : state) row.push_back(initial.contains(name) ? initial.at(name) : 0.0);
    }
    return all;
  };
  const auto found = sensitivity::central_slope(values_at, value == 0 ? 1.0 : std::abs(value), state.size());
  if (!found || !found->round_off.empty() || !(found->error <= 1e-10)) return std::nullopt;
  return found->values;
}

}  // namespace

std::vector<Varying> directions_of(const mechanics::System& system, const std::vector<std::string>& state,
                                   const std::vector<std::string>& wrt) {
  const auto parameters = parameter_names(system);
  const auto momenta = momentum_names(system);
  std::vector<Varying> directions;
  for (const auto& name : wrt) {
    const bool parameter = has(parameters, name);
    if (!parameter && name == system.t.name())
      throw Refused(fmt::format("{} is the time of the start, by which runs are not differentiated", name));
    if (!parameter && !has(state, name) && !has(momenta, name)) {
      auto known = parameters;
      known.insert(known.end(), state.begin(), state.end());
      unknown_name("parameter or initial value", name, known);
    }
    const bool twice =
        std::any_of(directions.begin(), directions.end(), [&](const Varying& d) { return d.name == name; });
    if (twice) throw Refused(fmt::format("{} is named twice", name), "name it once");
    directions.push_back({parameter, name});
  }
  if (directions.empty()) throw Refused("no parameter or initial value is named", "name at least one");
  return directions;
}

SensitivityRequest evaluated(const mechanics::System& system, SensitivityRequest request,
                             const std::vector<Varying>& directions) {
  request.expressions.apply(system, request.parameters, request.initial, request.next);
  for (const auto& direction : directions) {
    if (direction.parameter) continue;
    request.expressions.erase(direction.name);
    request.initial.emplace(direction.name, 0.0);
  }
  return request;
}

double value_of(const mechanics::System& system, const SensitivityRequest& request, const Varying& direction) {
  if (!direction.parameter) return request.initial.at(direction.name);
  if (const auto it = request.parameters.find(direction.name); it != request.parameters.end()) return it->second;
  const auto names = parameter_names(system);
  const auto at = std::find(names.begin(), names.end(), direction.name) - names.begin();
  return system.parameters[static_cast<std::size_t>(at)].value;
}

std::vector<std::vector<double>> start_slopes(const Simulator& simulator, const SensitivityRequest& request,
                                              const std::vector<Varying>& directions,
                                              const std::vector<std::string>& state) {
  const mechanics::System& system = simulator.system();
  const bool found = is_found(simulator, request);
  std::vector<std::vector<double>> slopes;
  for (const auto& direction : directions) {
    std::vector<double> slope(state.size(), 0.0);
    if (!found && request.expressions.followers({direction.name}).empty()) {
      if (!direction.parameter)
        slope[static_cast<std::size_t>(std::find(state.begin(), state.end(), direction.name) - state.begin())] = 1;
      slopes.push_back(std::move(slope));
      continue;
    }
    const double value = value_of(system, request, direction);
    std::optional<Failed> failure;
    const auto values_at = [&](std::span<const double> offsets) -> std::optional<std::vector<std::vector<double>>> {
      std::vector<std::vector<double>> all;
      for (const double offset : offsets) {
        InitialState initial = request.initial;
        InitialState parameters = request.parameters;
        (direction.parameter ? parameters : initial)[direction.name] = value + offset;
        InitialState next = request.next;
        request.expressions.apply(system, parameters, initial, next);
        try {
          const InitialState there = start_of(simulator, request, initial, parameters, next);
          auto& row = all.emplace_back();
          for (const auto& name : state) row.push_back(there.at(name));
        } catch (const Error& error) {
          if (!failure) failure.emplace(error.problem(), error.remedy());
          return std::nullopt;
        }
      }
      return all;
    };
    const auto by_differences = sensitivity::central_slope(values_at, value == 0 ? 1.0 : std::abs(value), state.size());
    if (!by_differences)
      throw RunFailed(fmt::format("the start has no derivative by {}: with another value of it, {}", direction.name,
                                  failure ? failure->problem() : "it is not finite"),
                      failure ? failure->remedy() : "", {});
    slopes.push_back(by_differences->values);
  }
  return slopes;
}

std::optional<std::vector<std::vector<double>>> slopes_along_constraints(const DifferentiatedRun& of,
                                                                         TangentCode& code) {
  const SensitivityRequest& request = of.request;
  const mechanics::System& system = of.simulator.system();
  const bool projected = of.simulator.equations().m() > 0 && request.settings.fixed.empty() && request.next.empty() &&
                         (!request.settings.project || system.invariants.empty());
  const auto momenta = momentum_names(system);
  if (!projected || std::any_of(request.initial.begin(), request.initial.end(),
                                [&](const auto& entry) { return has(momenta, entry.first); }))
    return std::nullopt;
  std::vector<std::string> state;
  std::vector<double> y;
  for (const auto& [name, value] : of.run.facts.initial) {
    const auto given = request.initial.find(name);
    if (value != (given != request.initial.end() ? given->second : 0.0)) return std::nullopt;
    if (name == system.t.name()) continue;
    state.push_back(name);
    y.push_back(value);
  }
  std::vector<double> theta;
  for (const auto& [name, value] : of.run.facts.parameters) theta.push_back(value);
  std::vector<std::vector<double>> dy;
  std::vector<std::vector<double>> dtheta;
  for (const Varying& direction : of.directions) {
    auto slope = given_slope(of, state, direction);
    if (!slope) return std::nullopt;
    dy.push_back(std::move(*slope));
    dtheta.emplace_back(theta.size(), 0.0);
    for (std::size_t j = 0; j < theta.size(); ++j)
      if (direction.parameter && of.run.facts.parameters[j].first == direction.name) dtheta.back()[j] = 1;
  }
  // The projection behind a step of no size.
  StateVariation start(code, dy, dtheta);
  start.set(of.run.columns.front().values.front(), y);
  start.set_parameters(theta);
  const auto projected_now = start.within(0, 0);
  const std::size_t lanes = code.steps->lanes();
  constexpr double rounding = 1e-10;
  const auto moved = [](std::span<const double> a, std::span<const double> b) {
    double change = 0;
    double size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      change = std::max(change, std::abs(a[i] - b[i]));
      size = std::max({size, std::abs(a[i]), std::abs(b[i])});
    }
    return change > rounding * size;
  };
  if (moved(start.reached(), y)) return std::nullopt;
  for (std::size_t k = 0; k < dy.size(); ++k) {
    std::vector<double> along(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) along[i] = projected_now.dy[k / lanes][i * lanes + k % lanes];
    if (!request.settings.project && moved(along, dy[k])) return std::nullopt;
    dy[k] = std::move(along);
  }
  return dy;
}

}  // namespace herglotz::simulate
