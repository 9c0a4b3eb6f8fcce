#pragma once
/// The action of a given path, its first variation, and the force that the path needs, as numbers. [ASC25, Sec. 3;
/// GG08, Sec. 4].

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "herglotz/mechanics/variation.hpp"

namespace herglotz::simulate {

/// A path by its values: writes (x, y, dx/dt, dy/dt) at a time, n + r + n + r numbers.
using PathJet = std::function<void(double t, std::span<double> jet)>;

/// Returns the jet of a path that is given by expressions. `parameters` are in the order of the system.
PathJet jet_of(const mechanics::System& system, const mechanics::AlgebroidPath& path,
               const std::vector<double>& parameters);

/// Rows of a path: ascending times, and (x, y) at each, row by row.
struct PathRows {
  std::vector<double> times;
  std::vector<double> values;  ///< (times x (n + r))
};

/// Returns the jet of polynomials through the nine rows nearest to a time, and of their derivatives. Throws
/// Refused for fewer than two rows, times that do not ascend, and values that are not finite.
PathJet jet_of(PathRows rows);

/// Action, variations and forces of one path of a Lagrangian system. Methods throw Failed if a value is not
/// finite or if the action cannot be followed.
class PathFunctional {
 public:
  /// Compiles what is needed. `section` has r components in time, base coordinates and parameters, or none. Throws
  /// Refused for a Hamiltonian.
  PathFunctional(const mechanics::System& system, PathJet jet, std::vector<double> parameters,
                 const std::vector<symbolic::Expr>& section = {});
  ~PathFunctional();
  PathFunctional(PathFunctional&&) noexcept;
  PathFunctional& operator=(PathFunctional&&) noexcept;

  struct Action {
    double z = 0;          ///< dz/dt = L(x(t), y(t), z, t)
    double variation = 0;  ///< d(delta z)/dt = L_x delta x + L_y delta y + L_z delta z, from delta z = 0
  };
  /// Follows the action from z0 at the first of `times` (monotone), and returns it at each of them. Gauss collocation
  /// of order 12 on intervals that are halved until two halves agree with the whole to 1e-13.
  [[nodiscard]] std::vector<Action> follow(double z0, std::span<const double> times) const;
  /// Returns the rows of mechanics::euler_lagrange along the path (times x r), with the action from z0 at the first
  /// time.
  [[nodiscard]] std::vector<double> forces(double z0, std::span<const double> times) const;
  /// Returns (delta x, delta y) of the section along the path (times x (n + r)).
  [[nodiscard]] std::vector<double> variation(std::span<const double> times) const;
  /// Returns the largest |dx/dt - rho y| at the times, relative to the larger of 1 and the largest |dx/dt|.
  [[nodiscard]] double admissibility_defect(std::span<const double> times) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::simulate
