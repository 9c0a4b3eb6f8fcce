#pragma once
/// Moves of a start onto the constraints that keep some coordinates fixed.

#include <span>
#include <string>
#include <vector>

#include "herglotz/integrate/integrate.hpp"
#include "start.hpp"

namespace herglotz::simulate {

/// Relative defect below which a start counts as rounded, not as off the constraints; integrate() has the same bound.
constexpr double consistent = 1e-10;

/// Projects the start as integrate::project does, but moves a start that is off the constraints onto them without a
/// change of the base and fibre coordinates named in `fixed`. Its steps are the shortest ones in the metric W = dp/dw;
/// positions come first. If no such state is found, status and message say so.
integrate::Projection projected(const mechanics::System& system, const mechanics::Equations& equations,
                                const integrate::Dynamics& dynamics, const std::vector<std::string>& fixed,
                                const Start& start, std::span<const double> parameters);

}  // namespace herglotz::simulate
