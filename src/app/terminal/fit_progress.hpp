#pragma once
/// Progress of a fit: a line that changes on a terminal, else a line at intervals.

#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "terminal/progress.hpp"

namespace herglotz::app {

class FitProgress {
 public:
  explicit FitProgress(std::string_view label);
  /// Counts a trial with its chi squared.
  void tried(double chi_squared);
  /// Shows what was reached, now and then. To be called often, also during a trial.
  void show();

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::string text() const;

  std::string label_;
  StatusLine line_{};
  Clock::time_point began_;
  Clock::time_point next_line_;
  std::size_t trials_ = 0;
  double latest_ = std::numeric_limits<double>::infinity();  ///< chi squared
};

}  // namespace herglotz::app
