#pragma once
/// Location of the zeros of the functions of events along a run in loops.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loops/motion.hpp"
#include "record/field_rows.hpp"

namespace herglotz::families {

/// One step of a motion, which can be taken again.
struct WatchedStep {
  double begin = 0;                       ///< the time where it begins
  std::function<double()> whole;          ///< takes the step; returns the time where it ends, or NaN if it failed
  std::function<void(double time)> part;  ///< takes a shorter step, to that time
};

/// The time of an event that ends the run, and its name.
struct Ended {
  std::string event;
  double time = 0;
};

/// Watch over the events of a model. A crossing is a change of sign from one step to the next; its time is located to
/// round-off on states of the method, which reaches them by a shorter step.
class EventWatch {
 public:
  /// `row` has the first row of the run. Crossings have its columns, without families that were not chosen.
  EventWatch(const Model& model, const FieldRows& row);

  /// Notes the signs at the start.
  void begin(double t, Motion& motion);
  /// Takes the step, and records what happens in it. If an event ends the run, the motion is where that event happens;
  /// otherwise it is at the end of the step. The bits of the step do not depend on the events.
  std::optional<Ended> take(Motion& motion, const WatchedStep& step);
  /// Returns the crossings of each event.
  std::vector<analyse::Crossings> finish() &&;

 private:
  struct Crossing {
    std::size_t event = 0;
    double time = 0;
  };

  [[nodiscard]] bool crosses(std::size_t event, double before, double after, bool forwards) const;
  double located(Motion& motion, const WatchedStep& step, std::size_t event, double end, double after);
  void note(const std::vector<double>& values);

  std::vector<Event> events_;
  std::vector<FieldRows> rows_;  // of each event
  std::vector<double> now_;      // the last values
  std::vector<double> before_;   // the last ones that were not zero
};

}  // namespace herglotz::families
