#pragma once
/// The kind of a constraint equation, and the velocity constraint that a velocity-free equation implies. Theory, Sec.
/// 2.

#include <string_view>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// Kind of a constraint, by the way in which the velocities (the momenta of a Hamiltonian model) appear.
enum class ConstraintKind { holonomic, linear, affine, nonlinear };
std::string_view name(ConstraintKind kind);

ConstraintKind kind_of(const System& system, Expr equation);

/// Returns the equation itself, or for a holonomic equation its derivative phi_x rho y + phi_z L + phi_t along every
/// motion, which is a constraint on velocities.
Expr velocity_constraint(const System& system, Expr equation);

}  // namespace herglotz::mechanics
