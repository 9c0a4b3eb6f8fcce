#pragma once
/// Findings of a check about declared dissipated functions.

#include "check/findings.hpp"
#include "check/point_evaluator.hpp"
#include "herglotz/simulate/check.hpp"

namespace herglotz::simulate {

/// Judges whether {E, f} = 0 for each dissipated function of the system, and whether forces, constraints and time leave
/// df/dt = L_z f.
std::vector<DissipatedFinding> judge_dissipated(const mechanics::System& system, const mechanics::Equations& equations,
                                                const PointEvaluator& values, const Findings& findings);

}  // namespace herglotz::simulate
