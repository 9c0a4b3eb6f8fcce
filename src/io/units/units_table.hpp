#pragma once
/// Reading of the [units] table, and the check of what it says.

#include "herglotz/control/problem.hpp"
#include "herglotz/mechanics/system.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "toml/source.hpp"

namespace herglotz::io {

/// Checks that the terms of every sum in a model have one unit, as far as the units of names are known: those that
/// [units] gives, 1 for numbers, and what follows for velocities of a tangent bundle, momenta, the energy and the
/// action. The components of a symmetry must be those of one velocity, each times the same unit. [units] may name the
/// controls as well. Does nothing if the document has no such table. Throws InputError.
void check_units(const Source& source, const Value& document, const mechanics::System& system,
                 const std::vector<symbolic::Expr>& controls);
/// Checks the same of the expressions of a start, and of a discrete Lagrangian that is given, which has the unit of the
/// action, and of its forces, which have those of momenta.
void check_units(const Source& source, const Value& document, const simulate::Problem& problem);
/// Checks the same of kinematics, costs, bounds, and conditions at the ends. Bounds and values at the ends that are
/// numbers have the unit of what they limit.
void check_units(const Source& source, const Value& document, const control::Problem& problem);

}  // namespace herglotz::io
