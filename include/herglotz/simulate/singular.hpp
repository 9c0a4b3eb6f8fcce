#pragma once
/// The constraint algorithm around the start of a problem.

#include <optional>
#include <string>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/singular.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Returns the values of (x, w, z, t, l) at the start of a problem; values that `initial` does not name are 0.
std::vector<double> start_values(const mechanics::Equations& equations, const InitialState& initial);

/// Returns the final constraint set of a problem around its start, for the system with its independent constraints
/// only; `std::nullopt` for a Lagrangian that is regular there or at points near it, and for a Hamiltonian. Throws
/// mechanics::Undecided, and Refused for constraints that no run can honour.
std::optional<mechanics::SingularAnalysis> singular_analysis(const Problem& problem);

/// A singular Lagrangian as it is followed: with its own constraints, and with the gauge conditions.
struct SingularMotion {
  mechanics::SingularAnalysis analysis;
  std::optional<mechanics::SingularAnalysis> fixed{};  ///< the analysis with the conditions of [gauge], if they fit
  integrate::Reason why_not{};                         ///< why there is no motion, or empty

  [[nodiscard]] const mechanics::SingularAnalysis& followed() const { return fixed ? *fixed : analysis; }
};

/// Returns `std::nullopt` for a Lagrangian that is regular around the start.
std::optional<SingularMotion> singular_motion(const mechanics::System& system, const mechanics::Equations& equations,
                                              const InitialState& initial);
/// Throws Refused if the Lagrangian of a problem without constraints is singular around its start and the method of its
/// settings does not follow such motions. This takes the Hessian alone; a Simulator runs the constraint algorithm,
/// which takes long for many coordinates. An unknown method is refused too, and a fixed step that is not given.
void require_singular_method(const Problem& problem);
/// Returns the refusal of the [gauge] conditions of a system whose Lagrangian is regular; `std::nullopt` if it has
/// none.
std::optional<Refused> needless_gauge(const mechanics::System& system);

/// Returns "least" or the conditions, such as "y - t = 0"; an empty string if every rate is determined.
std::string gauge_of(const mechanics::System& system, const SingularMotion& motion);

/// A function of (x, p, z, y, multipliers) that is not zero at a start.
struct OffConstraint {
  std::size_t index = 0;  ///< the place in SingularAnalysis::constraints
  double value = 0;
};

/// Returns the constraint that is farthest from zero, relative to its terms, at (x, y, z, t, l) with the momenta of
/// these velocities; `std::nullopt` if all hold to rounding. Constraints with a multiplier lambda, which no start
/// gives, do not count.
std::optional<OffConstraint> off_final_set(const mechanics::System& system, const mechanics::Equations& equations,
                                           const mechanics::SingularAnalysis& analysis,
                                           const std::vector<double>& start, const std::vector<double>& parameters);

/// Returns a text such as "constraint 4 (level 2), x = 0, is 0.3 at the start".
std::string text_of(const mechanics::SingularAnalysis& analysis, const OffConstraint& off);

}  // namespace herglotz::simulate
