#pragma once
/// The Legendre map between Herglotz Lagrangians and contact Hamiltonians. [ASC25, Sec. 3], [LLMR21, Sec. 2].

#include <optional>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// Returns the system with H(x, p, z, t) = p.y - L and p = dL/dy inverted; for a Hamiltonian, the system with L(x, y,
/// z, t) = p.y - H and y = dH/dp inverted. Everything else of the system stays as it is; forces keep their velocities.
/// Returns `std::nullopt` if the generator is not quadratic in its fibre variables or its Hessian is singular
/// everywhere: the inverse map then has no closed form here.
std::optional<System> legendre_transform(const System& system);

}  // namespace herglotz::mechanics
