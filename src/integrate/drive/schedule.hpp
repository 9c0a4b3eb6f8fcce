#pragma once
/// Times at which samples are due along a run, forwards or backwards.

#include <cstddef>
#include <span>

#include "herglotz/integrate/counts.hpp"
#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Times of a schedule, then t_end: the listed times, or t0 + k * interval strictly before t_end. They are multiplied
/// out, never accumulated. A time within 1e-9 of an interval from t_end is t_end itself.
class SampleTimes {
 public:
  SampleTimes(double t0, double t_end, const Schedule& schedule);

  [[nodiscard]] double next() const;  ///< the next time due; t_end if no other is left
  void pass() { ++index_; }           ///< marks the next time as served
  /// Returns whether no sample but the end is left.
  [[nodiscard]] bool only_end_left() const { return index_ > interior_; }

 private:
  std::span<const double> listed_;
  double t0_;
  double t_end_;
  double interval_;  // with the sign of t_end - t0
  std::size_t interior_ = 0;
  std::size_t index_ = 1;
};

}  // namespace herglotz::integrate
