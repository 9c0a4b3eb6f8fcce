#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "herglotz/error.hpp"
#include "herglotz/integrate/capabilities.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "simulator_impl.hpp"

namespace herglotz::simulate {

bool Simulator::Impl::locates_switches(const integrate::MethodInfo& method) const {
  return switches && integrate::locates_switches(method);
}

void Simulator::Impl::require_friction(const integrate::MethodInfo& method, const Settings& settings, double t0) const {
  if (system.frictions.empty()) return;
  const auto refuse = [](const std::string& problem, const std::string& remedy) {
    throw Refused("[friction] " + problem, remedy, "[friction]");
  };
  if (follows_final_set()) refuse("is not followed on the final set of a singular Lagrangian", "remove it");
  if (settings.t_end < t0)
    refuse("has no motion backwards: a body at rest has many pasts", "choose a t_end after the start");
  if (settings.time_scale) refuse("is not located in a scaled time", "remove time_scale");
  if (integrate::follows_friction(method)) return;
  std::vector<std::string> able;
  for (const auto& other : integrate::methods())
    if (integrate::follows_friction(other)) able.push_back(other.name);
  throw Refused(fmt::format("[friction] is not followed by method {}, which {}", method.name,
                            integrate::locates_events(method) ? "honours no constraint by which a body could stick"
                                                              : "has no states inside its steps"),
                fmt::format("methods that do: {}", fmt::join(able, ", ")), "method");
}

void Simulator::Impl::require_friction_at(const Start& start, const std::vector<double>& parameters) const {
  if (system.frictions.empty()) return;
  std::vector<symbolic::Expr> symbols = system.algebroid.x;
  symbols.insert(symbols.end(), system.algebroid.y.begin(), system.algebroid.y.end());
  symbols.push_back(system.z);
  std::vector<double> values(start.state.begin(), start.state.begin() + static_cast<std::ptrdiff_t>(symbols.size()));
  symbols.push_back(system.t);
  values.push_back(start.t0);
  for (const auto& parameter : system.parameters) symbols.push_back(parameter.symbol);
  values.insert(values.end(), parameters.begin(), parameters.end());
  constexpr double round_off = 1e-12;
  for (const auto& friction : system.frictions) {
    const double held = symbolic::evaluate(symbolic::expand_lets(friction.held), symbols, values);
    const double slid = symbolic::evaluate(symbolic::expand_lets(friction.slid), symbols, values);
    if (slid >= 0 && held >= (1 - round_off) * slid) continue;
    throw Refused(fmt::format("the friction '{}' holds up to the force {:.6g} and brakes by {:.6g} at the start",
                              friction.name, held, slid),
                  "neither may be negative, and the static one is no less than the kinetic one", "[friction]");
  }
}

namespace {

/// Returns whether the law of these holds is not that of the switches alone. Frictions on two velocities that share
/// have forces of their own.
bool has_own_law(const mechanics::SwitchedSystem& switched, const mechanics::Holds& holds) {
  for (std::size_t k = 0; k < holds.size(); ++k)
    if (holds[k] == mechanics::Hold::share && switched.switches[k].plane) return true;
  return is_held(holds);
}

}  // namespace

PieceLaw Simulator::Impl::law_between_switches(const mechanics::Holds& holds, const integrate::MethodInfo& method,
                                               integrate::Reason& why_not) const {
  const bool held = has_own_law(*switches, holds);
  try {
    const std::scoped_lock lock(mutex);  // all simulators of the laws have one graph
    const mechanics::Holds key = held ? holds : mechanics::Holds{};
    auto law = between_switches.find(key);
    if (law == between_switches.end()) {
      SmoothLaw made{held ? mechanics::held(*switches, holds) : *switches, nullptr};
      made.compiled = std::make_unique<const Impl>(made.switched.system, std::nullopt, options, near, std::nullopt,
                                                   made.switched.works);
      law = between_switches.emplace(key, std::move(made)).first;
    }
    const Impl& code = *law->second.compiled;
    return {&law->second.switched, &code.dynamics_for(method), &code.events};
  } catch (const Refused& error) {
    if (!held) {
      // The system with its comparisons is refused for the same reason, in the words of the model.
      static_cast<void>(dynamics_for(method));
      throw;
    }
    why_not = {error.problem(), error.remedy()};
    return {};
  }
}

}  // namespace herglotz::simulate
