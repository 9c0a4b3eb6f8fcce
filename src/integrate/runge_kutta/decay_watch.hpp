#pragma once
/// Finds steps of an explicit method that a decay keeps short, which the motion no longer shows.

#include <cstddef>
#include <optional>
#include <string>

#include "drive/adaptive.hpp"
#include "motion/right_side.hpp"

namespace herglotz::integrate {

/// Looks at the rates of y' = f(t, y) every few thousand steps. A component that decays as e^{-rt} is gone after a few
/// times 1/r, but explicit steps stay stable only below a small multiple of 1/r. If steps of several 1/r have been made
/// for thousands of steps, they are as long as stability allows and shorter than accuracy would ask for: the motion is
/// stiff (E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.2, where the rate is estimated from the
/// stages of a step; here by power iteration with the Jacobian, or with differences of f). So is an oscillation that is
/// damped, whose eigenvalues -r +- i w the last three directions of the iteration give. One that is not damped is never
/// gone, and its steps are those that it needs.
class DecayWatch {
 public:
  /// Counts `made` steps, the last of which ended at (t, y).
  void count(RightSide& right_side, std::size_t made, double t, const double* y);
  /// Gives a run that did not fail the rate of the decay that keeps its steps short as a reason, if one does.
  void explain(Outcome& outcome) const;
  [[nodiscard]] const std::optional<Decay>& decay() const { return decay_; }

 private:
  /// Returns r > 0 and w if the eigenvalues of df/dy that are largest by modulus are about -r, or -r +- i w.
  static std::optional<Decay> fastest_decay(RightSide& right_side, double t, const double* y);

  std::size_t steps_ = 0;
  std::size_t looked_at_ = 0;  // the number of steps at the last look
  std::optional<double> t_looked_;
  int looks_ = 0;  // looks in a row that found short steps
  std::optional<Decay> decay_;
};

}  // namespace herglotz::integrate
