#include <fmt/format.h>
#include <fmt/ranges.h>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/singular_flow.hpp"
#include "prepare/kernel_batch.hpp"
#include "settings.hpp"
#include "simulator_impl.hpp"

namespace herglotz::simulate {

void Simulator::Impl::follow_final_set() {
  singular = singular_motion(reduced, equations, near);
  if (!singular) {
    if (!system.gauge.conditions.empty())
      throw Refused("[gauge] has conditions, but the Lagrangian is regular: every rate is determined", "", "[gauge]");
    return;
  }
  if (!singular->why_not.empty() || !singular->not_followed.empty()) return;
  derived = equations;
  equations = mechanics::singular_flow(reduced, *derived, singular->followed());
}

Simulator Simulator::Impl::elsewhere(const InitialState& initial, const InitialState& parameters) const {
  mechanics::System other = system;
  const auto values = resolve_parameters(system, parameters);
  for (std::size_t k = 0; k < values.size(); ++k) other.parameters[k].value = values[k];
  return Simulator(std::move(other), options, initial, discrete);
}

void Simulator::Impl::compile_final_set() {
  if (!follows_final_set()) return;
  const auto& analysis = singular->followed();
  KernelBatch batch;
  batch.add(mechanics::level_constraints_program(reduced, *derived, analysis), level_constraints);
  batch.add(mechanics::final_set_program(reduced, *derived, analysis), final_set.functions);
  batch.compile(options);
  final_set.count = final_set.functions.outputs() / (1 + dynamics.dimension());
}

void Simulator::Impl::require_singular_method(const integrate::MethodInfo& method) const {
  if (!follows_final_set() || method.name == "reference") return;
  throw Refused(fmt::format("method {} does not follow singular Lagrangians", method.name),
                "choose reference, with a tolerance in place of a step", "method");
}

std::string Simulator::Impl::settle_on_final_set(Start& start, const std::vector<double>& parameters,
                                                 const Settings& settings, std::vector<std::string>& notes) const {
  std::vector<double> v = start.state;
  v.push_back(start.t0);
  const auto off = off_final_set(reduced, *derived, singular->followed(), v);
  std::vector<double> moved = start.state;
  const auto move = [&](std::size_t first) {
    moved = start.state;
    return integrate::move_onto(final_set, parameters, start.t0, moved, first,
                                first == 0 ? moved.size() : moved.size() - 1);
  };
  if (!off) {
    if (move(0)) start.state = moved;  // only round-off was left
    return {};
  }
  const std::string what = text_of(singular->followed(), *off);
  if (!settings.project) return what + "; give initial values on the final set, or set project = true in [initial]";
  if (!settings.fixed.empty())
    return what + ", and starts on a final set are moved without fixed values; leave them out";
  // The velocities alone are moved if that suffices.
  if (!move(system.n()) && !move(0)) return what + ", and it cannot be moved onto the final set";
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < moved.size(); ++i)
    if (moved[i] != start.state[i])
      changes.push_back(fmt::format("{} {:.6g} -> {:.9g}", dynamics.names[i], start.state[i], moved[i]));
  notes.push_back(fmt::format("start moved onto the final set ({}): {}", what, fmt::join(changes, ", ")));
  start.state = moved;
  return {};
}

}  // namespace herglotz::simulate
