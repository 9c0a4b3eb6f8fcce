#pragma once
/// Facts of a solution, in the form that every run has.

#include "herglotz/solve/solve.hpp"

namespace herglotz::solve {

/// Fills the facts of the trajectory from the problem and from the other results of the solution.
void state_facts(const control::Problem& problem, Solution& solution);

}  // namespace herglotz::solve
