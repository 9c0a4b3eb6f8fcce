#pragma once
/// Definitions of a model that a discrete Lagrangian uses.

#include <vector>

#include "herglotz/discrete/discrete_lagrangian.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::discrete {

/// Returns the definitions that the discrete Lagrangian and its forces use, in their order.
std::vector<mechanics::PrintedEquation> definitions_used(const mechanics::System& system,
                                                         const DiscreteLagrangian& lagrangian);

}  // namespace herglotz::discrete
