#pragma once
/// The motion from a state to a later time, with its derivative by that state.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "herglotz/simulate/orbits.hpp"
#include "herglotz/simulate/sensitivity.hpp"

namespace herglotz::simulate {

/// Motions of one system from many states.
class StateFlow {
 public:
  /// The simulator must outlive the flow. Throws Refused for a system with constraints.
  StateFlow(const Simulator& simulator, const MotionRequest& motion);

  /// The end of a motion.
  struct End {
    Eigen::VectorXd y;
    Eigen::MatrixXd by_start;
    analyse::Trajectory run;
  };

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] double t0() const { return t0_; }
  [[nodiscard]] const Eigen::VectorXd& start() const { return start_; }
  /// Returns the end of the motion of this duration from the state y at the time t. Throws RunFailed if it has none.
  End operator()(double t, const Eigen::VectorXd& y, double duration);
  /// Throws RunFailed if the motion of this duration from the start comes to no end at the pace of its first million
  /// steps: a flow in parts would go on without a word.
  void require_pace(double duration) const;
  /// Returns y' at a state.
  [[nodiscard]] Eigen::VectorXd rates(double t, const Eigen::VectorXd& y) const;

 private:
  void attend() const;

  const Simulator& simulator_;
  MotionRequest motion_;
  Differentiator differentiator_;
  std::vector<std::string> names_;
  std::vector<double> parameters_;
  Eigen::VectorXd start_;
  double t0_ = 0;
};

/// Throws Refused unless a time is positive.
void require_duration(const std::string& name, double value);

}  // namespace herglotz::simulate
