#pragma once
/// Method direct-herglotz.

#include <functional>

#include "herglotz/solve/solve.hpp"

namespace herglotz::solve {

/// Solves the problem on its mesh, without refinement, to its tolerance.
Solution solve_steps(const control::Problem& problem, const std::function<bool()>& go_on);

}  // namespace herglotz::solve
