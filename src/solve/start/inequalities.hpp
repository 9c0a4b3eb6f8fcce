#pragma once
/// Inequalities along the path that cannot hold together.

#include <functional>
#include <string>

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns a sentence about the inequalities that are broken, and when, on the path that breaks them least; an empty
/// text if all can hold, or if no such path was found. The sum of the integrals of what the inequalities exceed 0 by is
/// minimised in place of the cost, from the guess; `model` is the problem in its own units.
std::string conflict_of_inequalities(const Setup& model, const Setup& setup, const Collocation& method,
                                     const Mesh& mesh, const std::function<bool()>& go_on);

/// Returns a sentence about an inequality that the values given at an end break, whatever the controls are within their
/// bounds; an empty text if there is none. It judges inequalities whose states are all given there, and that are
/// affine in the controls. `model` is the problem in its own units.
std::string broken_at_ends(const Setup& model);

}  // namespace herglotz::solve
