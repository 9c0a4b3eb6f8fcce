#pragma once
/// Facts of a solution, in the form that every run has.

#include "herglotz/solve/solve.hpp"

namespace herglotz::solve {

/// Fills the facts that are those of the problem: its model, parameters and tolerance.
void state_problem(const control::Problem& problem, analyse::RunFacts& facts);

/// Fills the facts of the trajectory from the problem and from the other results of the solution.
void state_facts(const control::Problem& problem, Solution& solution);

/// Fills the facts of the trajectory that are the outcome: its status and notes.
void state_outcome(Solution& solution);

}  // namespace herglotz::solve
