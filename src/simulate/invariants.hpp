#pragma once
/// Declared invariants: functions of base and time that every motion keeps, zero at the start.

#include <string>
#include <vector>

#include "start.hpp"

namespace herglotz::simulate {

/// The largest |dI/dt| of an invariant over all velocities around the start, relative to its terms: dI/dt = I_t +
/// rho^i_a y^a dI/dx^i must vanish for every y. Zero exactly if that is seen symbolically.
double conservation_defect(const mechanics::System& system, const mechanics::Invariant& invariant,
                           const InitialState& near);
/// Throws std::invalid_argument that begins with "[invariants]" for an invariant that not every motion keeps.
void require_conserved(const mechanics::System& system, const InitialState& near);

/// (I, its largest |term|, dI/dx) of each invariant of the system.
symbolic::Program invariants_program(const mechanics::System& system, const mechanics::Equations& equations);

/// An invariant that is not zero at a start.
struct OffInvariant {
  std::size_t index = 0;
  double value = 0;
};
/// The first invariant that is off by more than 1e-9 of its largest term, by the kernel of invariants_program.
std::optional<OffInvariant> off_invariant(const kernel::Kernel& invariants, const mechanics::System& system,
                                          const Start& start, std::span<const double> parameters);
/// Moves the base point of the start by the shortest way onto the zeros of all invariants (Newton's method), without a
/// change of the coordinates named in `fixed`. Returns nothing, or the sentence that says why there is no way.
std::string move_onto_invariants(const kernel::Kernel& invariants, const mechanics::System& system,
                                 const std::vector<std::string>& fixed, Start& start,
                                 std::span<const double> parameters);

}  // namespace herglotz::simulate
