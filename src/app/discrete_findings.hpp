#pragma once
/// What `herglotz check` finds about a discrete Lagrangian at the first step.

#include <string>

#include "model_source.hpp"

namespace herglotz::app {

/// The method that runs discrete Lagrangians.
inline constexpr const char* discrete_method = "discrete-herglotz";

/// Prints the rule, sigma_d, the rank of the discrete Legendre map F- at the first two positions, and whether the first
/// step arrives at [initial.next] where that is given. Returns what is wrong and what would be right, or nothing.
/// Nothing is printed for a model without [discrete].
std::string print_discrete(const Model& model);

}  // namespace herglotz::app
