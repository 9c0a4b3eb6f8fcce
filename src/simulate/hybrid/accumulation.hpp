#pragma once
/// Recognition of jumps that accumulate at a time (Zeno's paradox).

#include <cstddef>
#include <deque>
#include <map>
#include <optional>

namespace herglotz::simulate {

/// An impact as the end of a hop.
struct Landing {
  std::size_t impact = 0;
  double speed = 0;  ///< at which the gap closes
  double size = 0;   ///< of the terms of the gap
};

/// Times of the jumps of a run, which looks whether they approach a limit.
class Accumulation {
 public:
  /// `span` is the time by which short times are measured.
  explicit Accumulation(double span) : span_(span) {}

  /// Adds the time of a jump. Returns the time at which jumps accumulate if it is about to be reached: the times
  /// between the last jumps have become shorter each time, and the rest of them, as a geometric series, is below 1e-11
  /// of the span; or many jumps in a row were at one time, or ended hops that are lost in rounding. A hop with the
  /// acceleration a ends at the speed v = a T/2 behind the time T since the impact before, so that it is v T/4 high. At
  /// 8 units of round-off of the terms of its gap, steps see where rounding put the surfaces and not the hop: times and
  /// speeds of further impacts, which need not become smaller, follow from that.
  std::optional<double> add(double t, const std::optional<Landing>& landing = std::nullopt);
  /// Forgets all jumps.
  void restart();
  /// Returns the number of jumps that are looked at.
  static constexpr std::size_t looks = 8;

 private:
  double span_;
  std::deque<double> times_;
  std::size_t standing_ = 0;              // jumps in a row at the time of the last one
  std::map<std::size_t, double> landed_;  // times of the last landings by impact
  std::size_t flat_ = 0;                  // hops in a row that were lost in rounding
};

}  // namespace herglotz::simulate
