#pragma once
/// Progress of a run on standard error, if that is a terminal.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace herglotz::app {

/// A line that is written over and over; its destructor clears it.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  [[nodiscard]] bool enabled() const { return enabled_; }
  /// Returns whether another text is due: not for very short runs, and not too often.
  [[nodiscard]] bool is_due();
  void write(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool drawn_ = false;
  Clock::time_point next_;
};

/// Progress bar that is not drawn for very short runs.
class ProgressBar {
 public:
  explicit ProgressBar(std::string_view label);

  /// Shows the fraction done, in [0, 1], and a note before it. The time left is estimated from the progress since the
  /// first call.
  void show(double fraction, const std::string& note = {});

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  StatusLine line_{};
  Clock::time_point began_;
  std::optional<double> first_;
};

/// Returns a duration as minutes and seconds, such as "02:05".
std::string clock_text(double seconds);

}  // namespace herglotz::app
