#pragma once
/// Solutions that stay where a cost has a kink in the states on both sides of which it is lower.

#include <string>

#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns a clause that names a kink of states at which the path stays all along an interval, and on both sides of
/// which the Hamiltonian is lower to first order: that of |g| or max(a, b) with a negative factor, or of min(a, b) with
/// a positive one. The derivative that the optimality conditions take there is the mean of both sides, which may
/// vanish, but the path is no minimum. The text is empty if there is none. Kinks of controls are left to the comparison
/// of H with that of all controls. Setup and path are those of the model.
std::string stays_on_kink(const Setup& setup, const Path& path);

}  // namespace herglotz::solve
