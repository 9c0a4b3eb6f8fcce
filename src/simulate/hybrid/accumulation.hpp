#pragma once
/// Recognition of jumps that accumulate at a time (Zeno's paradox).

#include <deque>
#include <optional>

namespace herglotz::simulate {

/// Times of the jumps of a run, which looks whether they approach a limit.
class Accumulation {
 public:
  /// `span` is the time by which short times are measured.
  explicit Accumulation(double span) : span_(span) {}

  /// Adds the time of a jump. Returns the time at which jumps accumulate if it is about to be reached: the times
  /// between the last jumps have become shorter each time, and the rest of them, as a geometric series, is below 1e-11
  /// of the span; or many jumps in a row were at one time.
  std::optional<double> add(double t);
  /// Forgets all jumps.
  void restart() { times_.clear(); }
  /// Returns the number of jumps that are looked at.
  static constexpr std::size_t looks = 8;

 private:
  double span_;
  std::deque<double> times_;
  std::size_t standing_ = 0;  // jumps in a row at the time of the last one
};

}  // namespace herglotz::simulate
