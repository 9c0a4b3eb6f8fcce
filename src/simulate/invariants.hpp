#pragma once
/// Declared invariants: functions of base and time that every motion keeps, zero at the start.

#include <string>
#include <vector>

#include "start.hpp"

namespace herglotz::simulate {

/// Returns the largest |dI/dt| of an invariant over all velocities around the start, relative to its terms: dI/dt = I_t
/// + rho^i_a y^a dI/dx^i must vanish for every y. The result is exactly 0 if symbolic simplification shows that dI/dt
/// vanishes.
double conservation_defect(const mechanics::System& system, const mechanics::Invariant& invariant,
                           const InitialState& near);
/// Throws Refused, at "[invariants]", if some motion does not keep an invariant.
void require_conserved(const mechanics::System& system, const InitialState& near);

/// Returns the program of (I, its largest |term|, dI/dx) for each invariant of the system.
symbolic::Program invariants_program(const mechanics::System& system, const mechanics::Equations& equations);

/// Invariant that is not zero at a start.
struct OffInvariant {
  std::size_t index = 0;
  double value = 0;
};
/// Returns the first invariant whose value exceeds 1e-9 of its largest term, or `std::nullopt`. `invariants` is the
/// kernel of invariants_program.
std::optional<OffInvariant> off_invariant(const kernel::Kernel& invariants, const mechanics::System& system,
                                          const Start& start, std::span<const double> parameters);
/// Moves the base point of the start by the shortest way onto the zeros of all invariants (Newton's method), without a
/// change of the coordinates named in `fixed`. Returns an empty string, or the sentence that says why no such point was
/// found.
std::string move_onto_invariants(const kernel::Kernel& invariants, const mechanics::System& system,
                                 const std::vector<std::string>& fixed, Start& start,
                                 std::span<const double> parameters);

}  // namespace herglotz::simulate
