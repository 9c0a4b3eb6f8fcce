#pragma once
/// First solution of a problem, from its guess.

#include "search/search.hpp"

namespace herglotz::solve {

/// Note on a solution whose controls are not at the bounds that its arcs say.
inline constexpr const char* unsettled = "the arcs on which controls are at their bounds were not settled";

/// Solves from the iterate of the guess. Returns false if there is none, or if its arcs lead to no solution.
bool begin_warm(Search& search);

/// Solves from the guess, on the mesh that the problem asks for. A fine mesh is reached by way of a coarse one, on
/// which the units, the dependent ends and the arcs of controls are found: its solution is one step of Newton's method
/// or a few from that of the fine mesh. Where the coarse mesh leads to no solution with settled arcs, the finer one is
/// begun from the guess as well.
void begin_cold(Search& search);

/// Finds arcs of controls that the mesh of the first solution was too coarse for, such as short arcs between two
/// bounds, on two and four times as many intervals. Returns whether they are those of a normal extremal;
/// otherwise nothing changes.
bool find_arcs_on_finer_meshes(Search& search);

}  // namespace herglotz::solve
