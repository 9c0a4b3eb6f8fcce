#pragma once
/// Progress bar of a run on standard error, if that is a terminal.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace herglotz::app {

/// Progress bar that is not drawn for very short runs; its destructor clears the line.
class ProgressBar {
 public:
  explicit ProgressBar(std::string_view label);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Shows the fraction done, in [0, 1], and a note before it. The time left is estimated from the progress since the
  /// first call.
  void show(double fraction, const std::string& note = {});

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool enabled_;
  bool drawn_ = false;
  Clock::time_point began_;
  Clock::time_point next_;
  std::optional<double> first_;
};

/// Returns a duration as minutes and seconds, such as "02:05".
std::string clock_text(double seconds);

}  // namespace herglotz::app
