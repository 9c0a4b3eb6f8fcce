#pragma once
/// Numerical checks of the axioms that the declared kind of an algebroid promises.

#include <optional>
#include <span>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/system.hpp"

namespace herglotz::simulate {

/// Returns a refusal that names the first axiom that a builder has promised and that fails around the base point
/// `centre`, or `std::nullopt`. Blocks of the kind "tangent" hold by construction. A block that is finite nowhere is
/// skipped.
std::optional<Refused> broken_promise(const mechanics::System& system, std::span<const double> parameters,
                                      std::span<const double> centre);
/// Returns the indices of the parameters that promised blocks depend on.
std::vector<std::size_t> parameters_of_promises(const mechanics::System& system);

}  // namespace herglotz::simulate
