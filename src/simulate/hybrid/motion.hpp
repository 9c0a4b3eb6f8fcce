#pragma once
/// The motion between two jumps, and the rows of a run that goes through jumps.

#include <functional>
#include <string>
#include <vector>

#include "record/event_log.hpp"
#include "start.hpp"

namespace herglotz::simulate {

/// One law of motion, with what a part of a run needs of it.
struct Motion {
  const mechanics::System* system = nullptr;
  const mechanics::Equations* equations = nullptr;
  const std::vector<std::size_t>* independent = nullptr;  ///< indices of the constraints of `equations` in the system
  std::vector<std::size_t> contacts;  ///< events in rest contact, whose constraints come after those of the system
  const integrate::Dynamics* dynamics = nullptr;
  kernel::Kernel events;  ///< kernel of events_program
  kernel::Kernel hessian;
  kernel::Kernel sections;  ///< of the symmetries (r entries each); empty without symmetries
  RowMaker rows;
  std::function<integrate::Outcome(const Start& start, const integrate::Settings& settings, const integrate::Sink& sink,
                                   const integrate::Watch& watch)>
      integrate;
  /// Moves a state onto the constraints of the contacts, before a motion up to t_end; empty without contacts.
  std::function<integrate::Projection(const Start& start, double t_end)> project{};
};

/// Results of a run, or of a part of it between two jumps.
struct Pass {
  analyse::Trajectory made;  ///< rows and events; its facts are those that rows give
  integrate::Outcome outcome;
  std::string broken;  ///< RowMaker::broken()
  std::vector<std::string> notes{};

  [[nodiscard]] std::size_t rows() const { return made.rows(); }
};

/// Receives each sample; returning false stops the run.
using Tick = std::function<bool(const integrate::Sample& sample)>;

/// Follows the motion to settings.t_end, or to an event that ends it or changes the state. The last sample is left in
/// `last`, and what it leaves to the next part in `carried`.
Pass follow_part(const Motion& motion, const Start& start, const integrate::Settings& settings, Carried& carried,
                 const WatchChoice& choice, const Tick& tick, integrate::Sample& last);

/// Appends the rows and events of a part. Columns that the part lacks are 0 there; its other columns are left out.
void append(analyse::Trajectory& whole, analyse::Trajectory part);
/// Adds the residuals and notes of a part to facts.
void absorb(analyse::RunFacts& facts, const analyse::RunFacts& part);

}  // namespace herglotz::simulate
