#pragma once
/// Progress of an ensemble: a bar on a terminal, else a line at intervals.

#include <chrono>
#include <string>

#include "herglotz/ensemble/ensemble.hpp"
#include "terminal/progress.hpp"

namespace herglotz::app {

class SweepProgress {
 public:
  explicit SweepProgress(const std::string& label);
  void show(const ensemble::MemberCounts& progress);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  ProgressBar bar_;
  bool lines_;  ///< true if lines are printed instead of the bar
  Clock::time_point began_;
  Clock::time_point next_line_;
  std::size_t first_ = 0;  ///< members that were done before
  bool started_ = false;
};

}  // namespace herglotz::app
