#pragma once
/// Proof that a path is an extremal, and of which kind: conditions at the ends and of second order.

#include <optional>

#include "collocation.hpp"
#include "herglotz/solve/solve.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns how far the costates of end values that are not given are from the derivatives of G = zeta(T) + m + kappa
/// psi, relative to the costates there: P(T) = G_{v(T)}, P(0) = -G_{v(0)}. If the extremal is abnormal, zeta(T) + m has
/// the weight R(T) in G.
double transversality(const Setup& setup, const Path& path, bool abnormal = false);

/// Returns the margin of the condition of Legendre and Clebsch: the smallest eigenvalue of K_ww = -R H_ww at the
/// stages, over R, for directions of controls that are inside their bounds, along which the equations of the path hold,
/// and without controls that H is linear in without other controls.
struct LegendreMargin {
  double of_sizes;  ///< in the units of the setup
  double of_model;  ///< in the units of the model
};
/// Returns the margins along a path, or `std::nullopt` if there is no such direction.
std::optional<LegendreMargin> legendre_margin(const Setup& setup, const Path& path);

/// Returns whether the margin is negative by more than rounding, so that controls inside bounds do not maximise H.
bool misses_maximum(const std::optional<LegendreMargin>& margin);

/// Note on a path whose margin is so.
inline constexpr const char* not_everywhere = "controls do not maximise the Hamiltonian everywhere";

/// Note on a path with slopes of H by controls inside their bounds.
inline constexpr const char* not_best_inside = "controls inside their bounds do not come to best values";

/// Residual that counts directions in which the discretised cost falls to second order.
inline constexpr const char* negative_directions = "negative_directions";

/// Beginning of the note on a path along which the second variation is negative.
inline constexpr const char* no_minimum = "the solution is not a minimum: ";

/// Note on a path along which the second variation vanishes in some directions.
inline constexpr const char* flat_directions =
    "the second variation vanishes in some directions: the solution may be one of a family";

/// A path that solves a problem, in the units of `setup`.
struct Certified {
  const Setup& setup;
  const Collocation& method;
  const Mesh& mesh;
  const Path& path;
};
/// Adds what holds at the ends and to second order to the residuals and notes of a solution. Its negative directions
/// are those in which the second variation of the discretised problem falls while active bounds are held: none at a
/// strict minimum.
void certify(const Certified& what, Solution& result);

}  // namespace herglotz::solve
