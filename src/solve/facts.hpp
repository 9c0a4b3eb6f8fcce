#pragma once
/// The facts of a solution, as of any run.

#include "herglotz/solve/solve.hpp"

namespace herglotz::solve {

/// Fills the facts of the trajectory from the problem and from what else the solution says.
void state_facts(const control::Problem& problem, Solution& solution);

}  // namespace herglotz::solve
