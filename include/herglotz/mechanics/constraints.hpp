#pragma once
/// What kind of constraint an equation is, and the velocity constraint that a velocity-free one implies. Theory,
/// Sec. 2.

#include <string_view>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// By the way the velocities (the momenta of a Hamiltonian model) appear.
enum class ConstraintKind { holonomic, linear, affine, nonlinear };
std::string_view name(ConstraintKind kind);

ConstraintKind kind_of(const System& system, Expr equation);

/// The equation itself; for a holonomic one its derivative phi_x rho y + phi_z L + phi_t along every motion, which is
/// a constraint on velocities.
Expr velocity_constraint(const System& system, Expr equation);

}  // namespace herglotz::mechanics
