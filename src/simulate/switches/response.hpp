#pragma once
/// Response of the velocities of frictions at rest to forces on them.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "switches/rest_programmes.hpp"
#include "switches/switched_motion.hpp"

namespace herglotz::simulate {

/// Rates D of the velocities of frictions by their forces, the discs of forces that hold them, the largest forces with
/// which they slip, and the forces that hold them now.
struct SwitchedMotion::Response {
  Eigen::MatrixXd D;
  Discs discs;
  Eigen::VectorXd slid;
  std::vector<std::optional<double>> kinetic;  // share of the largest force with which one on two velocities slips
  Eigen::VectorXd force;
  Eigen::MatrixXd free;                  // changes of the forces that change no rate, in orthonormal columns
  Eigen::VectorXd least;                 // change of the forces along these to those of the least load
  std::optional<Eigen::VectorXd> limit;  // forces of a load that has just become too large

  /// Returns which entries of the forces belong to frictions that have a force while they slip.
  [[nodiscard]] std::vector<bool> powerful() const;
};

}  // namespace herglotz::simulate
