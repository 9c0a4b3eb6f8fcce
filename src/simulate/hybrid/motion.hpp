#pragma once
/// The motion between two jumps, and the rows of a run that goes through jumps.

#include <functional>
#include <optional>
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
  /// Events in rest contact. Their constraints come after those of the system. If some gaps depend on
  /// others, the contacts that come first carry the load.
  std::vector<std::size_t> contacts;
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

  /// Returns the event in rest contact that row A of the multipliers belongs to, or `std::nullopt` for a constraint of
  /// the system.
  [[nodiscard]] std::optional<std::size_t> contact_of(std::size_t A) const;
  /// Returns the contacts that carry no load, in ascending order: the others imply their gaps.
  [[nodiscard]] std::vector<std::size_t> idle_contacts() const;
};

/// Returns the rows of Phi_y that an impact does not change: those of constraints and of the given contacts. `blocks`
/// are the values of the kernel of the Hessian.
std::vector<double> held_rows(const Motion& motion, const std::vector<std::size_t>& contacts,
                              const std::vector<double>& blocks);
/// Returns the contact of each of these rows, or `std::nullopt` for a constraint of the system.
std::vector<std::optional<std::size_t>> held_contacts(const Motion& motion, const std::vector<std::size_t>& contacts);
/// Returns whether the force of a contact is a pull, beyond the rounding of all contact forces.
bool pulls(double force, const std::vector<double>& forces);
/// Share of the size of all contact forces by which rounding may make one of them a pull.
constexpr double pull_by_rounding = 1e-13;

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
