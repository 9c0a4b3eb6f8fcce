#pragma once
/// Record of the states at which the events of a system happen.

#include "record/recorder.hpp"

namespace herglotz::simulate {

class EventLog {
 public:
  /// Copies the recorder, which must have no rows yet, once for each event.
  EventLog(const mechanics::System& system, kernel::Kernel values, const Recorder& recorder);
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  /// Returns the watch for a run. The log must outlive the run.
  [[nodiscard]] const integrate::Watch& watch() const { return watch_; }
  std::vector<analyse::Crossings> finish() &&;

 private:
  integrate::Watch watch_;
  std::vector<Recorder> recorders_;
};

}  // namespace herglotz::simulate
