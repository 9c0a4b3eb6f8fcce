#pragma once
/// Starts of a run: from velocities, from momenta, or from two positions of a discrete motion.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Start of a run in the order of the state.
struct Start {
  double t0 = 0;
  std::vector<double> state;                   ///< (x, w, z), then nu of a vakonomic system
  std::optional<std::vector<double>> momenta;  ///< p (r) if a Lagrangian system starts from momenta; w is to be found
};

/// Note about a start for which no value is given.
inline constexpr std::string_view nothing_given = "no initial value is given: the start is at rest at the origin";

/// Returns the names of (x, w, z), and of the nu of a vakonomic system, in the order of the state.
std::vector<std::string> state_names(const mechanics::System& system, const mechanics::Equations& equations);
/// Returns how a start was moved, "x 0 -> 0.5, vx 1 -> 0.8", without changes that are rounding beside the largest one.
std::string changes_of(std::span<const std::string> names, std::span<const double> before,
                       std::span<const double> after);
/// Resolves initial values by name. Throws Refused for a name that is neither a state variable nor a
/// momentum, for velocities given together with momenta, or for a value that is not finite.
Start resolve_start(const mechanics::System& system, const mechanics::Equations& equations,
                    const InitialState& initial);

/// Returns the kernel's values at (x, w, z, t, l), with l = nu or 0.
std::vector<double> values_at(const kernel::Kernel& kernel, const mechanics::System& system, const Start& start,
                              std::span<const double> parameters);

/// Solves p(x, w, z, t, nu) = start.momenta for w by Newton's method with W = dp/dw and writes it into the state.
/// Returns the reason why there is no such velocity, or an empty one.
integrate::Reason find_velocity(const mechanics::System& system, const integrate::Dynamics& dynamics,
                                const kernel::Kernel& hessian, Start& start, std::span<const double> parameters);

/// Finds the first momenta of the discrete motion through (q0, z0) at t0 and `next` one step later, p0 = -D1 ell/(1 +
/// D_z0 ell) [ASMLL20, Eq. 40], with z1 = z0 + ell solved for z1. Writes them as momenta of a Lagrangian start, or into
/// the state of a Hamiltonian start. Throws Refused for a name that is not a base coordinate, or if the
/// fibre part is given already. Returns the reason why the momenta are not determined, or an empty one.
integrate::Reason find_momenta(const mechanics::System& system, const integrate::DiscreteKernels& discrete,
                               const InitialState& initial, const InitialState& next, double h, Start& start,
                               std::span<const double> parameters);

}  // namespace herglotz::simulate
