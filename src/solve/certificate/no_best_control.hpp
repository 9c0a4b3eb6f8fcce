#pragma once
/// Problems of kinematics without bounds that have no best controls, by the form of their equations.

#include <string>

#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns a sentence if the duration is free, the rates are linear in controls without bounds, and the running cost
/// depends on no control and does not vanish along the path: the same path at twice the pace has half the cost, so that
/// no duration is the best. Otherwise, and for problems with conditions at the ends beside values, returns nothing.
std::string cost_of_pace(const Setup& setup, const Path& path);

/// Returns a clause that names a control as which comes to a pole of a tangent, inside its bounds, the Hamiltonian of
/// kinematics grows without bound at most stages of the path, whatever the costates are. The text is empty if there is
/// none.
std::string infinite_hamiltonian(const Setup& setup, const Path& path);

/// Returns such a clause, or one that names a control without bounds with which the Hamiltonian grows at every stage of
/// the path: the principle of
/// Pontryagin then has no control to choose, as needle variations lower the cost at every time. The text is empty if
/// there is none.
std::string growing_hamiltonian(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
