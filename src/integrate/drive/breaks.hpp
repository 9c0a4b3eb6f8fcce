#pragma once
/// The times inside a run at which the equations of motion are not smooth.

#include <cstddef>
#include <span>

#include "motion/run.hpp"

namespace herglotz::integrate {

/// Follower of settings.breaks, in the order of the run. A step ends at `arrival()` and the next one begins at
/// `departure()`. Both are the time of the break, unless the rates jump there: then the step ends so shortly before it
/// that no stage reads what holds after it.
class Breaks {
 public:
  explicit Breaks(const Run& run);

  /// Returns whether a break is left.
  [[nodiscard]] bool left() const { return index_ < breaks_.size(); }
  [[nodiscard]] bool jump() const { return next().jump; }
  [[nodiscard]] double arrival() const;
  [[nodiscard]] double departure() const;
  /// Returns whether a run at time t has reached the next break.
  [[nodiscard]] bool reached(double t) const { return left() && (t - arrival()) * direction_ >= 0; }
  /// Returns t_stop, or the arrival at the next break if that comes first.
  [[nodiscard]] double before(double t_stop) const;
  void pass() { ++index_; }

 private:
  [[nodiscard]] const Break& next() const {
    return direction_ > 0 ? breaks_[index_] : breaks_[breaks_.size() - 1 - index_];
  }

  std::span<const Break> breaks_;
  double t_end_;
  double direction_;
  double margin_;
  std::size_t index_ = 0;
};

}  // namespace herglotz::integrate
