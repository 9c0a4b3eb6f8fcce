#pragma once
/// Solutions of problems without kinks as solutions of the problems with kinks that they were made of.

#include "herglotz/control/epigraphs.hpp"
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

/// Returns whether a path was found with the variables of epigraphs.
bool is_path_of(const control::Epigraphs& epigraphs, const control::Iterate& path);
/// Removes the variables and inequalities of epigraphs from the columns of a path.
void remove_epigraphs(const control::Epigraphs& epigraphs, std::vector<analyse::Column>& columns);

}  // namespace herglotz::solve
