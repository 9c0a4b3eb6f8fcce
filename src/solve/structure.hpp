#pragma once
/// Arcs on which controls stay at their bounds or inside them.

#include <vector>

#include "herglotz/solve/solve.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns a mesh of arcs on which each control in which the Hamiltonian is linear stays at a bound or inside its
/// bounds. The arcs have `intervals` intervals in all, in proportion to their durations. A control that is inside its
/// bounds for less than two intervals only switches there. Other controls come to their bounds continuously: the
/// minimum does not depend on where such an arc would begin, so the mesh is refined there instead.
Mesh arcs_of(const Setup& setup, const Path& path, std::size_t intervals);

/// Returns whether the arcs of two meshes differ at most in their nodes and durations.
bool same_arcs(const Mesh& a, const Mesh& b);

/// Returns whether the path agrees with its arcs: no linear control is at a bound at which it is not held, the slopes
/// dK/du of held controls have the right sign, and no arc is too short.
bool is_consistent(const Setup& setup, const Path& path, const std::vector<Arc>& arcs);
/// Returns whether the controls that arcs hold at a bound are at the one that the maximum condition asks for.
bool keeps_signs(const Setup& setup, const Path& path, const std::vector<Arc>& arcs);

/// Returns the arcs of each control that has bounds.
std::vector<ControlArcs> arcs_in_words(const Setup& setup, const Path& path);
/// States the arcs of a solution as text, such as "u: max, min; switches at 1.85", and as switching times.
void state_structure(Solution& solution);

}  // namespace herglotz::solve
