#pragma once
/// Start and samples of a run on an action groupoid: momenta in the frame from velocities, and back.

#include <Eigen/Dense>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motion/rates.hpp"
#include "motion/run.hpp"
#include "motion/saddle_point.hpp"

namespace herglotz::integrate {

/// `carried` is the state (x, mu, z, log factor, budgets) of GroupoidMotion. Anything but success: reason() says why.
class GroupoidEnds {
 public:
  GroupoidEnds(const Dynamics& dynamics, std::span<const double> parameters);

  /// What the motion starts with: carried, xi (r) and multipliers (m).
  Status start(double t0, std::span<const double> state, double* carried, double* xi, double* multipliers);
  /// Steps have been taken: the state at hand is an older one.
  void move_on() { velocity_known_ = false; }
  /// The state and its multipliers at the end of the last step, w being the one that belongs to mu on the constraints;
  /// xi is the best that is known there.
  Status arrive(double t, const double* carried, const double* xi);
  /// What arrive() found.
  void write(double t, const double* carried, Sample& sample) const;
  /// (x, w, z) as far as they can be known without arrive().
  std::span<const double> last_state(const double* carried, const double* xi);
  /// Takes over the state of another one.
  void follow(const GroupoidEnds& leader);

  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  void take_frame(const double* x);
  void load(double t);
  void guess(const double* carried, const double* xi);
  Status find_velocity(double t, const double* carried, const double* xi);

  const Dynamics* dynamics_;
  std::span<const double> parameters_;
  std::size_t n_;
  std::size_t r_;
  std::size_t m_;
  std::size_t base_;  // n + r + 1
  SaddlePoint saddle_;
  std::optional<Rates> rates_;
  std::vector<double> state_;  // (x, w, z), w being the last one known
  std::vector<double> multipliers_;
  bool velocity_known_ = false;
  std::vector<double> v_;  // (x, w, z, t, l)
  std::vector<double> frame_values_;
  std::vector<double> balance_;
  std::vector<double> work_;
  Eigen::MatrixXd frame_;
  std::string reason_;
};

}  // namespace herglotz::integrate
