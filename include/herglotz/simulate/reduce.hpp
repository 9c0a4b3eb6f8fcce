#pragma once
/// Reduction of a problem with its start and its settings.

#include "herglotz/mechanics/reduction.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

struct ReducedProblem {
  Problem problem;
  std::vector<std::string> left_out;  ///< sentences: what the reduced problem does not have, and why
};

/// Reduces a problem by its linear constraints (see mechanics::reduce_by_constraints). A start keeps the velocities
/// that remain; they are found from momenta, and after `project`, as a run finds them. Settings stay, except for
/// columns. Throws std::invalid_argument as that function does, for [discrete], and RunFailed for a start that cannot
/// be found.
ReducedProblem reduce_by_constraints(const Problem& problem, const std::vector<std::string>& fibre = {});

}  // namespace herglotz::simulate
