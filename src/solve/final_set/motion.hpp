#pragma once
/// Motions on the final set of a singular Lagrangian from end to end.

#include <functional>

#include "herglotz/solve/solve.hpp"
#include "start/singular_ends.hpp"

namespace herglotz::solve {

/// Solves a two-point problem of a singular Lagrangian. On the final set the pivots of the analysis determine the rates
/// of w, so that dv/dt = X(v, w, t) and dw/dt are rates of (v, w). The conditions are the constraints of all levels at
/// the start and the independent values at both ends: as many as unknowns. `solved` solves such a problem of rates,
/// which has no controls and no cost; the price R of the action follows from dR/dt = -R L_z beside it. Costates are
/// -R p, as along any extremal of a regular Lagrangian.
Solution solve_on_final_set(const control::Problem& problem, const SingularEnds& ends,
                            const std::function<Solution(const control::Problem&)>& solved);

}  // namespace herglotz::solve
