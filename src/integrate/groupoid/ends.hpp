#pragma once
/// Start and samples of a run on an action groupoid: momenta in the frame from velocities, and velocities from momenta.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motion/rates.hpp"
#include "motion/run.hpp"
#include "motion/saddle_point.hpp"

namespace herglotz::integrate {

/// Conversion of `carried`, the state (x, mu, z, log factor, budgets) of GroupoidMotion. After any status but success,
/// reason() says why.
class GroupoidBoundary {
 public:
  GroupoidBoundary(const Dynamics& dynamics, std::span<const double> parameters);

  /// Writes the start of the motion: carried, xi (r) and multipliers (m).
  Status start(double t0, std::span<const double> state, double* carried, double* xi, double* multipliers);
  /// Declares that steps have been made, so that the stored state is an older one.
  void move_on() { velocity_known_ = false; }
  /// Computes the state and its multipliers at the end of the last step, with the w that belongs to mu on the
  /// constraints. `xi` is the best known xi there.
  Status arrive(double t, const double* carried, const double* xi);
  /// Writes the results of arrive() into the sample.
  void write(double t, const double* carried, Sample& sample) const;
  /// Returns (x, w, z) as far as it is known without arrive().
  std::span<const double> last_state(const double* carried, const double* xi);
  /// Takes over the state of another run.
  void follow(const GroupoidBoundary& leader);

  [[nodiscard]] const Reason& reason() const { return reason_; }

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
  std::vector<double> state_;  // (x, w, z) with the last known w
  std::vector<double> multipliers_;
  bool velocity_known_ = false;
  std::vector<double> v_;  // (x, w, z, t, l)
  std::vector<double> frame_values_;
  std::vector<double> balance_;
  std::vector<double> work_;
  Eigen::MatrixXd frame_;
  Reason reason_;
};

}  // namespace herglotz::integrate
