#pragma once
/// The constraint algorithm around the start of a problem.

#include <optional>
#include <vector>

#include "herglotz/mechanics/singular.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Values of (x, w, z, t, l) at the start of a problem; what it does not name is 0.
std::vector<double> start_values(const mechanics::Equations& equations, const InitialState& initial);

/// The final constraint set around the start; nothing for a Lagrangian that is regular there or at points near it, and
/// for a Hamiltonian. `equations` are those of the system. Throws mechanics::Undecided.
std::optional<mechanics::SingularAnalysis> singular_analysis(const mechanics::System& system,
                                                             const mechanics::Equations& equations,
                                                             const InitialState& initial);

/// The same for the system of a problem with its independent constraints only. Throws Refused for constraints that no
/// run can honour.
std::optional<mechanics::SingularAnalysis> singular_analysis(const Problem& problem);

/// A function of (x, p, z, y, multipliers) that is not zero at a start.
struct OffConstraint {
  std::size_t index = 0;  ///< of SingularAnalysis::constraints
  double value = 0;
};

/// The constraint that is farthest from zero, beside its terms, at (x, y, z, t, l) with the momenta of these
/// velocities; nothing where all hold to rounding. Those with a multiplier lambda, which no start gives, do not count.
std::optional<OffConstraint> off_final_set(const mechanics::System& system, const mechanics::Equations& equations,
                                           const mechanics::SingularAnalysis& analysis,
                                           const std::vector<double>& start);

/// "constraint 4 (level 2), x = 0, is 0.3 at the start".
std::string text_of(const mechanics::SingularAnalysis& analysis, const OffConstraint& off);
/// "its equations have no solution: level 2 of its constraints demands e*g = 0, which is 0.1".
std::string text_of(const mechanics::Contradiction& contradiction);

}  // namespace herglotz::simulate
