#pragma once
/// Solutions whose controls have positive and negative parts, as solutions of the problem with the controls.

#include "herglotz/control/signed_parts.hpp"
#include "herglotz/solve/solve.hpp"

namespace herglotz::solve {

/// Returns whether a solution of a problem with signed parts is one of the problem: one part of each control is 0. So
/// is a path that meets its equations, or that was stopped, an answer to it.
bool are_parts_of_controls(const control::SignedParts& parts, const Solution& found);

/// Returns the solution with the controls in place of their parts, in columns and structure. `bound.<u>` is that of
/// the part that is at the bound, `switch.<u>` the derivative of H by u without the term in |u|. The iterate keeps the
/// parts, so that another solve may start from it.
Solution with_controls(const control::SignedParts& parts, Solution found);

/// Puts the controls in the place of their parts in the columns of a path.
void join_controls(const control::SignedParts& parts, std::vector<analyse::Column>& columns);

}  // namespace herglotz::solve
