#pragma once
/// Sequences of positions that are given as texts or as rows of a file, and what they are to a discrete Lagrangian.
/// [ASMLL20, Sec. 3].

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/discrete/sequences.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Positions q_0, ..., q_N at t0, t0 + h, ..., with the action z0 at the first.
struct Sequence {
  discrete::Components q;
  double z0 = 0;
  double t0 = 0;
  double h = 0;
};

/// Reads a value for each base coordinate and position: `given` has for each base coordinate a list of expressions in
/// parameters, with commas between them. `what` is what they are called in errors. Throws Refused for unknown
/// coordinates, one that is missing, lists of different lengths, and values that are not finite.
discrete::Components read_components(const mechanics::System& system, const std::map<std::string, std::string>& given,
                                     const std::string& what);

/// Reads a value for each fibre coordinate, one for each arrow of a groupoid or end of one, likewise.
discrete::Components read_fibre_components(const mechanics::System& system,
                                           const std::map<std::string, std::string>& given, const std::string& what);

/// Returns the two positions of a start, [initial] and [initial.next], with its time and action. Throws Refused if
/// there is no second position.
Sequence starting_sequence(const Problem& problem);

/// Returns the sequence of the rows of a run of one step size, which has columns of the time and of all base
/// coordinates; z0 is 0 without a column of the action. Throws Refused for a column that is missing, and for times that
/// are not equally far apart.
Sequence sequence_of_rows(const mechanics::System& system, const std::vector<analyse::Column>& columns);

/// Returns the sequence whose first two positions are those of `start`, continued as a motion of the discrete
/// Lagrangian over this number of steps, for any sign of sigma_d. [ASMLL20, Eq. 39]. Throws as
/// discrete::discrete_motion does.
Sequence continued(const Problem& problem, const Sequence& start, std::size_t steps);

/// Action, first variation and discrete Herglotz rows of a sequence.
struct SequenceFacts {
  double z_end = 0;                 ///< the discrete action: z_N
  std::optional<double> variation;  ///< dz_N along dq, if there is one
  double least_sigma = 0;           ///< smallest sigma_d of a step
  double largest_sigma = 0;
  double largest_row = 0;  ///< largest |row| of the discrete Herglotz equations; 0, but for rounding, for a motion
  /// Columns over the positions: time, base coordinates, action, sigma_d of the step that begins there, momenta
  /// `minus.<p>` = F- of that step and `plus.<p>` = F+ of the step that ends there, and `row.<fibre>`. What a position
  /// at an end does not have is nan.
  analyse::Trajectory along;
};

/// Computes them for the discrete Lagrangian of the problem, or with `exact` for the exact one with the exact discrete
/// forces, whose critical sequences are the samples of motions [ASMLL20, Thm 4.4]. `dq` may be empty. Throws Refused if
/// the problem has no discrete Lagrangian with a formula, and as discrete::steps_along, discrete::action_variation and
/// analyse::exact_discrete_lagrangian do.
SequenceFacts facts_of_sequence(const Problem& problem, const Sequence& sequence, const discrete::Components& dq,
                                bool exact);

}  // namespace herglotz::simulate
