#pragma once
/// Records the states at which the events of a system happen.

#include "record/recorder.hpp"

namespace herglotz::simulate {

class EventLog {
 public:
  /// One copy of the recorder, which has no rows yet, for each event.
  EventLog(const mechanics::System& system, kernel::Kernel values, const Recorder& recorder);
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  /// What the run watches; this must outlive the run.
  [[nodiscard]] const integrate::Watch& watch() const { return watch_; }
  std::vector<analyse::Crossings> finish() &&;

 private:
  integrate::Watch watch_;
  std::vector<Recorder> recorders_;
};

}  // namespace herglotz::simulate
