#pragma once
/// Record of the states at which the events of a system happen.

#include <utility>
#include <vector>

#include "record/recorder.hpp"

namespace herglotz::simulate {

/// Choices for a part of a run that goes through jumps. Events are meant by their place in System::events.
struct WatchChoice {
  std::vector<std::size_t> silent{};  ///< events whose crossings are not recorded
  /// Signs that some events have at the start, where their functions are zero but for round-off.
  std::vector<std::pair<std::size_t, int>> signs{};
  double t0 = 0;  ///< the start
  /// Small numbers by which the functions of some events are raised: where these fall below zero only by rounding,
  /// nothing happens.
  std::vector<std::pair<std::size_t, double>> raised{};
};

/// Log of the crossings of the events of a system. Events that change the state end the run.
class EventLog {
 public:
  /// Copies the recorder, which must have no rows yet, once for each event. `values` is the kernel of events_program,
  /// and `choice` says which events are watched.
  EventLog(const mechanics::System& system, const kernel::Kernel& values, const Recorder& recorder,
           const WatchChoice& choice = {});
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  /// Returns the watch for a run. The log must outlive the run.
  [[nodiscard]] const integrate::Watch& watch() const { return watch_; }
  std::vector<analyse::Crossings> finish() &&;

 private:
  integrate::Watch watch_;
  std::vector<Recorder> recorders_;
  std::vector<std::size_t> silent_;
};

}  // namespace herglotz::simulate
