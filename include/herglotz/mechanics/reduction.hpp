#pragma once
/// Reduction of a system to the algebroid of its linear constraints. [GG08, Ex. 2, Secs. 3, 5].

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/mechanics/system.hpp"
#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::mechanics {

/// A system on the subbundle D = ker Phi_y.
struct ConstraintReduction {
  System system;
  symbolic::Matrix span;              ///< rows S_a(x): y = S^T y' on D (r' x r)
  symbolic::Matrix coordinates;       ///< (S S^T)^-1 S: y' = coordinates y on D (r' x r)
  std::vector<std::string> left_out;  ///< sentences: what the reduced system does not have, and why
};

/// Restricts a Lagrangian system with nonholonomic constraints that are linear in the velocities, with coefficients on
/// the base, or functions on the base, to D. Of a holonomic constraint the rate is taken, and the function becomes an
/// invariant: D is the tangent spaces of its leaves. The bracket of D is the orthogonal projection of the bracket of E
/// in the metric W = d2L/dy2 (at y = 0, z = 0, t = 0; the unit matrix if it is singular at `near`), so that D is a skew
/// algebroid, in general without Jacobi's identity [GG08, Ex. 2]. The motions are those of the given system [GG08,
/// Eqs. 5.14-5.20]: for kinetic energy of that metric they are the Euler-Lagrange-Herglotz equations of the restricted
/// L; for other L the part of p that does not annihilate the complement of D adds a force, which is derived. Velocities
/// that are not coordinates of D become observables of their names.
///
/// A constraint is solved for a velocity whose coefficient is a number. If no coefficient is a number, but a^2 + b^2 is
/// constant for two coefficients a and b, as for a blade, the sections are taken along (-b, a) and have a new
/// coordinate u, u1, ..; no pole then limits the motion. Otherwise the constraint is solved for the velocity with the
/// largest coefficient at `near` (values of base coordinates by name; others are generic), and runs end at an event
/// pole_<velocity> where that coefficient vanishes. `fibre` names the given
/// coordinates to keep, and then constraints are solved for the others; or it has new names for u, u1, .. among those
/// that remain. Throws Refused for a Hamiltonian, for another rule, for constraints that are not linear
/// or not independent, and for a `fibre` that D does not have.
///
/// `stays` may name a coordinate that remains in any case, and whose section S_0 is left out of the projection:
/// brackets are projected onto the sections beside it, along W, and no force acts along S_0.
ConstraintReduction reduce_by_constraints(const System& system, const std::map<std::string, double, std::less<>>& near,
                                          const std::vector<std::string>& fibre = {}, const std::string& stays = {});

/// A system with affine constraints on E x R, where they are linear, or with constraints that depend on time on E x TR.
/// [GG08, Eqs. 3.4-3.6, Sec. 5.4].
struct Homogenised {
  System system;  ///< with the constraints a(x) y + b(x) pace and the Lagrangian L + (pace - 1)^2/2
  Expr pace;      ///< the coordinate along the line, which the motion keeps at 1
  Expr clock{};   ///< the time of constraints that depend on it, a base coordinate with the velocity pace; else invalid
};
/// Homogenises nonholonomic constraints that are affine in the velocities, or functions on the base, with coefficients
/// on the base and in time, of which at least one is not linear or depends on time; returns `std::nullopt` for all
/// others. Its motions with pace = 1 as a further constraint are those of the given system, since the row of pace only
/// gives the multiplier.
std::optional<Homogenised> homogenised(const System& system);

}  // namespace herglotz::mechanics
