#pragma once
/// Measured runs cut into shots for multiple shooting.

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "problem.hpp"

namespace herglotz::fit {

/// A piece of a measured run, from one time of its data to another. The first shot of a run begins as the run does, the
/// others with states of their own, which are moved onto constraints and invariants if the model has some. Where shots
/// meet, their states are on these already.
struct Shot {
  std::size_t run = 0;
  std::size_t first = 0;               ///< row of the data at its start; 0 for the first shot
  std::size_t last = 0;                ///< row of the data at its end
  std::optional<std::size_t> state{};  ///< number of its own state
  bool is_followed = false;            ///< whether the next shot continues this one
  std::vector<std::size_t> places{};   ///< of its residuals, numbered as those of all runs
};

/// What a shot is at the values of the variables and at its state.
struct ShotResult {
  Eigen::VectorXd residuals;
  Eigen::MatrixXd by_variables;  ///< derivatives of the residuals
  Eigen::MatrixXd by_state;
  Eigen::VectorXd end;  ///< state at the end of the shot
  Eigen::MatrixXd end_by_variables;
  Eigen::MatrixXd end_by_state;
};

/// The shots of all runs.
class Shots {
 public:
  /// Cuts each run at the times of its data into `count` shots with equally many times. Throws Refused if the data have
  /// too few times, and for motions whose state at a time does not determine what follows: those with friction, impacts
  /// or resets, of singular Lagrangians, and discrete ones.
  Shots(const simulate::Simulator& simulator, const Request& request, const Residuals& residuals, std::size_t count);

  [[nodiscard]] const std::vector<Shot>& list() const { return shots_; }
  /// Returns the number of shots with a state of their own.
  [[nodiscard]] std::size_t states() const { return states_; }
  /// Returns the number of entries of a state (x, y, z), or (x, p, z) of a Hamiltonian system; with the multipliers of
  /// vakonomic constraints.
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  /// Returns a shot at the values of the variables, and at its state if it has one. Throws simulate::RunFailed.
  [[nodiscard]] ShotResult at(const Shot& shot, const Eigen::VectorXd& values, const Eigen::VectorXd& state) const;
  /// Returns the state with those entries replaced that are measured at the start of a shot.
  [[nodiscard]] Eigen::VectorXd with_measured(const Shot& shot, Eigen::VectorXd state) const;

 private:
  void require_states() const;
  /// Returns a result of zeros.
  [[nodiscard]] ShotResult empty_result(const Shot& shot, Eigen::Index variables) const;
  /// Follows a shot.
  [[nodiscard]] ShotResult followed(const Shot& shot, const Eigen::VectorXd& values,
                                    const Eigen::VectorXd& state) const;
  /// Returns the run of a shot as it is asked for.
  [[nodiscard]] simulate::SensitivityRequest request_of(const Shot& shot, const Eigen::VectorXd& values,
                                                        const Eigen::VectorXd& state) const;

  const simulate::Simulator& simulator_;
  const Request& request_;
  const Residuals& residuals_;
  std::vector<std::string> names_;  ///< of the state
  std::vector<Shot> shots_;
  std::size_t states_ = 0;
};

}  // namespace herglotz::fit
