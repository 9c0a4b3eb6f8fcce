#pragma once
/// Junctions of controls in which H is not linear: the times at which they come to a bound or leave it.

#include <optional>
#include <string>
#include <vector>

#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

struct Junctions {
  Mesh mesh;         ///< mesh with a node at each junction, and with the holds of the controls between nodes
  double moved = 0;  ///< the largest change of a junction in parts of the duration; 1 if the mesh had none
};

/// Returns the mesh of a path with its junctions as nodes. On an interval between nodes a control is then at its bound
/// or inside, and the path is smooth. A junction is the zero of dK/du at the bound; it moves by the square of its error
/// when the path is solved again. Returns `std::nullopt` if a control is at its bound for less than one interval, or if
/// no zero is near.
std::optional<Junctions> with_junctions(const Setup& setup, const Path& path, const Mesh& mesh);

/// Returns the mesh with the same nodes, on which controls may come to their bounds anywhere.
Mesh without_junctions(Mesh mesh);

/// Returns whether dK/du has the sign of a minimum at every stage at which a control is kept at a bound, and whether
/// the controls are within their bounds elsewhere.
bool keeps_bounds(const Setup& setup, const Path& path);

/// Returns for each interval whether an inequality begins or ceases to be active inside it or at one of its ends: by
/// the multipliers of the stages. Intervals too short to be split are left out.
std::vector<bool> activity_changes(const Setup& setup, const Path& path);

/// Returns whether a control is at a bound at which no arc holds it.
bool reaches_bounds(const Path& path, const Mesh& mesh);
/// Returns a sentence if controls come to their bounds inside intervals, and the method cannot settle where: that of
/// Lobatto has other costates at the stages than at the nodes.
std::string unsettled_bounds(const Setup& setup, const Path& path, const Mesh& mesh);

}  // namespace herglotz::solve
