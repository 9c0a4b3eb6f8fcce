#pragma once
/// Translation of the user's names and settings into the numbers that an integrator takes.

#include <string>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Throws Refused whose message states the nearest known names, or all known names.
[[noreturn]] void unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known);
/// Throws Refused that begins with the name, unless the value is finite.
void require_finite(std::string_view name, double value);
/// Returns the system's parameter values with overrides by name.
std::vector<double> resolve_parameters(const mechanics::System& system, const InitialState& overrides);
/// Returns the method that the settings name or leave open. `reason` receives the sentence in which "auto" explains its
/// choice. Throws Refused for an unknown method, and for a fixed step that is not given.
const integrate::MethodInfo& method_of(const mechanics::System& system, const Settings& settings,
                                       const std::optional<discrete::DiscreteLagrangian>& discrete,
                                       std::string& reason);
/// Returns the method, the step or tolerance, and the schedule, with the documented defaults. `reason` receives the
/// sentence in which "auto" explains its choice. Throws Refused if the run would have more steps, or more
/// rows of `columns` columns, than integrate/counts.hpp allows.
integrate::Settings resolve_settings(const mechanics::System& system, const Settings& settings,
                                     const std::optional<discrete::DiscreteLagrangian>& discrete, double t0,
                                     std::size_t columns, std::string& reason);

}  // namespace herglotz::simulate
