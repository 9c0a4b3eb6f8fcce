#pragma once
/// Arcs on which controls stay at their bounds or inside them.

#include <map>
#include <string>
#include <vector>

#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Where controls that the Hamiltonian is linear in are at their bounds: arcs with `intervals` in all, shared by their
/// durations. One that is inside its bounds for less than two intervals only switches there. Other controls come to
/// their bounds continuously: the minimum does not depend on where such an arc would begin, and the mesh is refined
/// there.
Mesh arcs_of(const Setup& setup, const Path& path, std::size_t intervals);

/// Whether two meshes have the same arcs but for their nodes and durations.
bool same_arcs(const Mesh& a, const Mesh& b);

/// Whether no control of the path is at a bound but where it is held, and held controls have costates that say so.
bool is_consistent(const Setup& setup, const Path& path, const std::vector<Arc>& arcs);

/// "u: max, min; switches at 1.85" for each control with a bound that is reached, and the times.
struct Structure {
  std::string text;
  std::map<std::string, Values> switching_times;
};
Structure structure_of(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
