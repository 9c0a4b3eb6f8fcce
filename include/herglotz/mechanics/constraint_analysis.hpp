#pragma once
/// Independence of constraint equations, and their integrability together. [LJL21, Thm 24; GG08, Thm 7].

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/mechanics/constraints.hpp"

namespace herglotz::mechanics {

/// ConstraintStatus of an equation among the others; velocity-free equations count as earlier than all others.
enum class ConstraintStatus {
  independent,    ///< it restricts the velocities in a direction that the earlier independent ones leave free
  redundant,      ///< it holds wherever the earlier ones hold, or the motion keeps it by itself
  contradictory,  ///< no velocity near the start satisfies it together with the earlier ones
  singular        ///< it can hold, but its Phi_y adds no direction there: y1^2 = 0, or y1 = x1 after y1 = 0
};
std::string_view name(ConstraintStatus standing);

struct ConstraintFinding {
  ConstraintKind kind = ConstraintKind::nonlinear;
  ConstraintStatus standing = ConstraintStatus::independent;
  double value = 0;  ///< if contradictory: the value nearest to zero that was met where the earlier equations hold
};

enum class Integrability {
  none,           ///< there are no constraints
  integrable,     ///< the admissible directions are closed under the bracket
  nonintegrable,  ///< the admissible directions are not closed under the bracket
  not_decided     ///< see ConstraintAnalysis::reason
};
std::string_view name(Integrability integrability);

/// Findings at generic points around a start.
struct ConstraintAnalysis {
  std::vector<ConstraintFinding> equations;  ///< one per equation of the system, in order
  std::vector<std::size_t> independent;      ///< indices of the independent equations, ascending
  Integrability integrability = Integrability::none;
  double involutivity_defect = 0;  ///< largest |Phi([V, X])| met, relative to its largest term
  double curvature = 0;            ///< of constraints nonlinear in the velocities: see below
  std::string reason;              ///< the reason why integrability is not decided
  std::size_t points = 0;          ///< sample points on the independent constraints
};

/// Analyses the constraints of a system. `parameters` are in the order of the system; `start` is (x, w, z, t), and
/// multipliers after it are ignored. Rows Phi_y are compared at points drawn around the start with a fixed seed and
/// moved onto the earlier independent equations; points at which something is not finite are skipped.
///
/// Integrability is decided for Phi = Phi_y y + Phi_0 with D = ker Phi_y. With V = (y, 1) over E x T R for admissible y
/// and X in D,
///   Phi([V, X]) = -(dPhi)(V, X),   (dPhi)_ij = rho^a_i d_a Phi_j - sigma^a_j d_a Phi_i - c^k_ij Phi_k,
/// must vanish, and (dPhi)(V, d/dz) and (dPhi)(d/dz, X) likewise. Exactly then the nonholonomic and the vakonomic rule
/// have the same motions (x, y, z) for every nu and generic L [GG08, Sec. 5.5]. In addition sigma X must be tangent to
/// the velocity-free equations, which it always is if rho = sigma. Constraints that are nonlinear in the velocities are
/// not integrable if the admissible velocities of a point are curved: the rules have equal motions for every nu only if
///   (sigma Phi_x + Phi_y c y - d Phi_y/dt) X = 0 for X in ker Phi_y
/// for every dy/dt that the constraint admits, hence Phi_yy(X', X) = 0 for X and X' in ker Phi_y. `curvature` is the
/// largest |Phi_yy(X', X)| met, relative to |Phi_yy|. Flat ones that are written as nonlinear are not decided,
/// nor are nonlinear ones with the action.
///
/// Throws Refused if the numbers of values are wrong, Failed if the equations are finite at
/// too few points around the start.
ConstraintAnalysis analyse_constraints(const System& system, std::span<const double> parameters,
                                       std::span<const double> start, std::uint64_t seed = 1);
/// Returns the same findings, but integrability and what belongs to it are not looked for: runs do not need them.
ConstraintAnalysis analyse_independence(const System& system, std::span<const double> parameters,
                                        std::span<const double> start, std::uint64_t seed = 1);

}  // namespace herglotz::mechanics
