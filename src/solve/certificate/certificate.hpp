#pragma once
/// What proves that a path is an extremal, and of which kind: conditions at the ends and of second order.

#include <optional>

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns how far the costates of end values that are not given are from the derivatives of G = zeta(T) + m + kappa
/// psi, relative to the costates there: P(T) = G_{v(T)}, P(0) = -G_{v(0)}.
double transversality(const Setup& setup, const Path& path);

/// Returns the margin of the condition of Legendre and Clebsch: the smallest eigenvalue of K_ww = -R H_ww at the
/// stages, over R, for directions of controls that are inside their bounds, along which the equations of the path hold,
/// and without controls that H is linear in. `std::nullopt` if there is no such direction.
std::optional<double> legendre_margin(const Setup& setup, const Path& path);

/// Returns the number of directions in which the second variation of the discretised problem is negative: none at a
/// strict minimum. Active bounds are held. `std::nullopt` if the matrix of the conditions is singular.
std::optional<std::size_t> negative_directions(const Setup& setup, const Collocation& method, const Mesh& mesh,
                                               const Path& path);

}  // namespace herglotz::solve
