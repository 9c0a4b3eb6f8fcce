#pragma once
/// From the user's names and settings to the numbers an integrator takes.

#include <span>
#include <string>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// A start in the order of the state.
struct Start {
  double t0 = 0;
  std::vector<double> state;  ///< (x, w, z), then nu of a vakonomic system
};

/// Names of (x, w, z), and of the nu of a vakonomic system, in the order of the state.
std::vector<std::string> state_names(const mechanics::System& system, const mechanics::Equations& equations);
/// Throws std::invalid_argument for a name that is no state variable, or a value that is not finite.
Start resolve_start(const mechanics::System& system, const mechanics::Equations& equations,
                    const InitialState& initial);
/// The system's parameter values with overrides by name.
std::vector<double> resolve_parameters(const mechanics::System& system, const InitialState& overrides);
/// Method, step or tolerance, and schedule, with the documented defaults. `reason` receives auto's sentence.
integrate::Settings resolve_settings(const mechanics::System& system, const Settings& settings, double t0,
                                     std::string& reason);

}  // namespace herglotz::simulate
