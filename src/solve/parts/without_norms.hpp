#pragma once
/// Solutions with magnitudes and directions as those of the problems with norms of controls that they were made of.

#include "herglotz/control/magnitudes.hpp"
#include "herglotz/solve/solve.hpp"

namespace herglotz::solve {

/// Returns whether a path was found with magnitudes.
bool is_path_of(const control::Magnitudes& magnitudes, const control::Iterate& path);

/// Returns whether a solution of a problem with magnitudes is one of the problem: its directions have the length 1
/// wherever the magnitude is not 0. So is a path that meets its equations, or that was stopped, an answer to it.
bool are_norms_of_controls(const control::Magnitudes& magnitudes, const Solution& found);

/// Returns the solution with the controls in place of magnitudes and directions, in columns and structure. A norm that
/// is 0 on an arc is called zero there. The iterate keeps magnitudes and directions, so that another solve may start
/// from it.
Solution with_controls(const control::Magnitudes& magnitudes, Solution found);

/// Puts the controls in the place of magnitudes and directions in the columns of a path.
void join_controls(const control::Magnitudes& magnitudes, std::vector<analyse::Column>& columns);

}  // namespace herglotz::solve
