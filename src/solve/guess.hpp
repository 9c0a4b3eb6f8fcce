#pragma once
/// First guess of the path, from which a solver starts.

#include <limits>
#include <string>

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Change of a guess: its free duration is multiplied by `stretch`, and waves are added to states and controls.
struct Bend {
  double stretch = 1;
  double wave = 0;        ///< in parts of the sizes of states and of the ranges of controls
  std::size_t pitch = 0;  ///< moves the frequencies of the waves on from variable to variable
};

/// Returns the path that the expressions of [guess], or the columns of its file, describe. Without them, states change
/// linearly from end to end, velocities follow from the change of the base, and controls are 0 or in the middle of
/// their bounds. Costates are 0. The setup is that of the model, not one divided by units.
Path guessed_path(const Setup& setup, const Collocation& method, const Mesh& mesh, const Bend& bend = {});
double guessed_duration(const Setup& setup);
/// Returns a note that says how the path of a guess was stretched or shortened to a duration that [boundary] allows, or
/// an empty text.
std::string limited_duration(const Setup& setup);
/// Returns the first mesh: one arc with intervals of one length, at most `most`, on which no control is held.
Mesh uniform_mesh(const Setup& setup, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace herglotz::solve
