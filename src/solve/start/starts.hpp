#pragma once
/// Starts of the solver beside the guess of the model, for problems that the guess does not lead to a solution.

#include <optional>
#include <string>
#include <vector>

#include "guess.hpp"
#include "herglotz/optimise/minimise.hpp"

namespace herglotz::solve {

/// Way to begin: the guess bent by a wave, and led near the end conditions first if `nearest` is true.
struct StartingGuess {
  Bend bend;
  bool nearest = false;
};

/// Returns the starts in the order in which they are tried; the first one is the guess itself.
std::vector<StartingGuess> starts(const Setup& setup);

/// Returns the path with costates that make K stationary at each of its stages, with the price 1: for two ends of a
/// motion these are the momenta.
Path with_costates(const Setup& setup, Path path);

/// Returns a minimum of the cost and of the squares of the conditions at the ends, which it need not meet;
/// `std::nullopt` if none was found. `model` is the problem in its own units.
std::optional<Path> path_to_soft_ends(const Setup& model, const Setup& setup, const Collocation& method,
                                      const Mesh& mesh, const std::function<bool()>& go_on);

/// Result of a search for a path that comes as near to the end conditions as it can.
struct NearestEnd {
  Path path;
  bool found = false;       ///< whether the equations and bounds hold along it
  bool is_nearest = false;  ///< whether no small change comes nearer, to second order
  bool is_free = false;     ///< no bound or inequality keeps it away: to first order, controls do not bring it nearer
  double distance = 0;      ///< of the condition farthest from holding, relative to its size
  std::string farthest;     ///< that condition, in words
};

/// Searches for a path that obeys the equations and bounds and comes as near to the conditions at the ends as it can:
/// it minimises the sum of their squares, in the units of the setup, instead of the cost. `model` is the same problem
/// in its own units.
NearestEnd nearest_end(const Setup& model, const Setup& setup, const Collocation& method, const Mesh& mesh,
                       const Path& start, const std::function<bool()>& go_on);
/// Returns the reason for which the conditions at the ends are not met, with the one that is farthest from holding.
std::string out_of_reach(const NearestEnd& nearest);

}  // namespace herglotz::solve
