#pragma once
/// Paths and sections that are given as texts or as rows of a file, and what they are to a system. [ASC25, Sec. 3].

#include <map>
#include <optional>
#include <string>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/simulate/path.hpp"

namespace herglotz::simulate {

/// Reads a path: for each coordinate an expression in time and parameters. Fibre coordinates that are not given follow
/// from dx/dt = rho y. Throws Refused for unknown coordinates, a base coordinate that is missing, and as
/// mechanics::complete_path does.
mechanics::AlgebroidPath read_path(const mechanics::System& system, const std::map<std::string, std::string>& given);

/// Reads the section of a variation: for each fibre coordinate an expression in time, base coordinates and parameters.
/// Components that are not given are 0. Throws Refused for unknown fibre coordinates.
std::vector<symbolic::Expr> read_section(const mechanics::System& system,
                                         const std::map<std::string, std::string>& given);

/// Returns the rows of a path in ascending time from columns of time, of all base and of all fibre coordinates. Throws
/// Refused for a column that is missing.
PathRows path_rows(const mechanics::System& system, const std::vector<analyse::Column>& columns);

/// What a path is to a system.
struct PathFacts {
  double admissibility_defect = 0;  ///< largest |dx/dt - rho y| at the times, relative to the velocities
  bool admissible = false;
  double z_end = 0;                 ///< action at the last time
  std::optional<double> variation;  ///< delta z at the last time along the section, if there is one
  /// Columns over the times: time, base and fibre coordinates, action, and `force.<fibre>`, the rows of
  /// mechanics::euler_lagrange: the force that the path needs in addition to those of the model. [GG08, Eq. 4.13].
  analyse::Trajectory along;
  /// The largest |force|. It is 0, but for the errors of derivatives, exactly along the motions without constraints.
  double largest_force = 0;
};

/// Follows the action from z0 along a path. `times` ascend. If the path is not admissible, only its defect is computed.
/// Throws Failed if a value is not finite, and Refused for a Hamiltonian.
PathFacts facts_of_path(const mechanics::System& system, const PathJet& jet, const std::vector<double>& parameters,
                        const std::vector<symbolic::Expr>& section, double z0, const std::vector<double>& times);

/// Largest relative defect of a path that counts as admissible.
inline constexpr double admissible_defect = 1e-8;

}  // namespace herglotz::simulate
