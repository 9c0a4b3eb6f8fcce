#pragma once
/// Start and ends of the steps of runs that carry momenta: momenta from velocities, and velocities from momenta.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motion/rates.hpp"
#include "motion/run.hpp"
#include "motion/saddle_point.hpp"
#include "motion/stage_layout.hpp"

namespace herglotz::integrate {

/// Conversion between `last` = (x, w, z, l) and `carried` = (x, p, z, log factor, budgets). After any status but
/// success, reason() says why.
class LegendreBoundary {
 public:
  LegendreBoundary(const Dynamics& dynamics, std::span<const double> parameters);

  /// Writes `last` and `carried` at the start of a run.
  Status start(double t0, std::span<const double> state, double* last, double* carried);
  /// Moves w and a differential l of `last`, which are guesses, until the momenta of `last` are the carried ones.
  Status recover(double t, double* last, const double* carried);
  /// Moves the end of a step onto the constraints: x onto the velocity-free ones, then the momenta that are constrained
  /// algebraically. `last` has guesses of w and l. The change of `carried` is written into `moves`, from which
  /// ContactStep::end_projection() reads it.
  Status project(double t, double* last, const double* carried, double* moves);
  /// Writes the l that belongs to the (x, w, z) of `last`.
  Status find_multipliers(double t, double* last);

  [[nodiscard]] const Reason& reason() const { return reason_; }

 private:
  void load(double t, const double* last);
  Status take_from_saddle(Status status, double* last);

  const Dynamics* dynamics_;
  std::span<const double> parameters_;
  StageLayout layout_;
  SaddlePoint saddle_;
  std::optional<Rates> rates_;
  std::vector<double> v_;
  std::vector<double> out_;
  std::vector<double> work_;
  Reason reason_;
};

}  // namespace herglotz::integrate
