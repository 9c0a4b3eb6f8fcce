#pragma once
/// Derivatives of the jumps of a state at events.

#include <Eigen/Core>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::simulate {

/// The state after a jump, with its derivatives by the state before it and by the values of functions there.
struct JumpSlopes {
  std::vector<double> state;        ///< after the jump
  Eigen::MatrixXd by_state;         ///< n x n
  std::vector<std::size_t> values;  ///< places of the functions, among those that jump_slopes() was given
  Eigen::MatrixXd by_values;

  /// Returns the derivative of the state after the jump along those of the state and of all functions before it.
  [[nodiscard]] std::vector<double> along(std::span<const double> d_state, std::span<const double> d_functions) const;
  /// Returns the cotangents of the state before the jump and of the functions at `values`, for that of the state after
  /// it.
  [[nodiscard]] std::pair<std::vector<double>, std::vector<double>> pulled_back(
      std::span<const double> cotangent) const;
};

/// Returns what an event makes of a state, whose entries have these names. `functions` are the values of events_program
/// there, and then the mass matrix if the system has impacts. Throws Failed if the jump has no derivative.
JumpSlopes jump_slopes(const mechanics::System& system, std::size_t event, std::span<const double> functions,
                       std::span<const std::string> names, std::span<const double> state);

}  // namespace herglotz::simulate
