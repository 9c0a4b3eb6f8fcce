#pragma once
/// How far the controls of a path are from those that the maximum condition asks for, between its stages too.

#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// int |K(u) - min K(u')| dt over the bounded controls, with the states and costates of the path: to first order, the
/// cost that better controls would save.
struct Gaps {
  Values of_intervals;  ///< with controls that nearly are at a bound moved to it, as a finer mesh does not bring them
                        ///< nearer
  double of_cost = 0;   ///< of all intervals, with the controls as they are
};

/// Returns the gaps of a path. A control that jumps inside an interval, where the stages cannot follow it, is seen here
/// and in no difference of steps. Controls in which H is linear count everywhere, others where they are at a bound or
/// come to one; each is varied for itself, by K_u and K_uu. Intervals on which an inequality of the path is active, and
/// steps on groups, whose stages are of another kind, have no gap.
Gaps gaps_of(const Setup& setup, const Path& path);
/// Returns the size of what adds up to the cost, or the least that is not rounding.
double size_of_cost(const Setup& setup, const Path& path);
/// Returns whether better controls would save a noticeable part of the cost.
bool misses_controls(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
