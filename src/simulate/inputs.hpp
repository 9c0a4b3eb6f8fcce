#pragma once
/// Inputs of a system: functions of time that tables give.

#include <vector>

#include "herglotz/integrate/integrate.hpp"
#include "herglotz/mechanics/system.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Returns the times at which pieces of inputs begin. The rates of the motion may jump at those of inputs that are held
/// or linear. Throws Refused if a run from t0 with these settings leaves the times of an input, has a
/// scaled time, or has a method whose steps cannot be divided.
std::vector<integrate::Break> breaks_of(const mechanics::System& system, const Settings& settings,
                                        const integrate::MethodInfo& method, double t0);

}  // namespace herglotz::simulate
