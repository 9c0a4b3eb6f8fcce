#pragma once
/// Runs by an exact discrete Lagrangian without a formula, whose discrete motion is the motion. [ASMLL20, Thm 4.4].

#include "herglotz/simulate/simulate.hpp"
#include "start.hpp"

namespace herglotz::simulate {

using OptionalDiscrete = std::optional<discrete::DiscreteLagrangian>;

/// Returns whether the run follows the motion of an exact discrete Lagrangian without a formula, at every step.
bool follows_exact_discrete(const Settings& settings, const OptionalDiscrete& discrete);
/// Returns the method that `auto` chooses, as choose_method does, and for a discrete Lagrangian whose motion is
/// followed.
Choice auto_method(const mechanics::System& system, const Settings& settings, const OptionalDiscrete& discrete);
/// Returns the step between the first two positions of a run from t0, signed: that of the method, or that of the motion
/// which is followed; 0 for other adaptive methods.
double first_step_of(const Settings& settings, const integrate::Settings& resolved, const OptionalDiscrete& discrete,
                     double t0);
/// Finds the first momenta of the motion through the two positions, by shooting: those of the exact discrete Lagrangian
/// [ASMLL20, Thm 4.4]. Throws and returns as find_momenta does.
integrate::Reason find_exact_momenta(const mechanics::System& system, const integrate::Dynamics& dynamics,
                                     const InitialState& initial, const InitialState& next, double h, Start& start,
                                     std::span<const double> parameters);

}  // namespace herglotz::simulate
