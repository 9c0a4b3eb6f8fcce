#pragma once
/// The smooth pieces of a run, between switches, resets and impacts.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sensitivity/pieces/differentiated_run.hpp"

namespace herglotz::simulate {

/// The end of a piece: a time that moves with the motion, as a function of the state vanishes there. A jump and an
/// event that ends the run have rows of their own, whose time moves with it; a row that a switch meets stays at its
/// time.
struct PieceEnd {
  double t = 0;
  std::size_t function = 0;         ///< the place of the function among the outputs of events_program of the law
  std::optional<std::size_t> jump;  ///< the event that changes the state there
  bool has_rows = false;            ///< whether the rows at its time move with it
};

/// A piece of a run that has one smooth law of motion.
struct SmoothPiece {
  double t0 = 0;
  std::vector<double> state{};       ///< at t0
  std::vector<double> parameters{};  ///< of the law: those of the run, then the outcomes of comparisons
  mechanics::Holds holds{};          ///< of the switches, if there are any
  std::optional<PieceEnd> end{};     ///< none for the last piece, unless an event ended the run
};

/// Returns the pieces of a run in their order. Throws Refused if a piece has rest contact; RunFailed if events that
/// change the state happen at one time.
std::vector<SmoothPiece> smooth_pieces(const DifferentiatedRun& of);

/// Returns the switches at which a piece begins that they do not hold, and on whose other side the rates of its start
/// are others: the motion has derivatives to one side only along directions that leave them.
std::vector<std::size_t> one_sided_switches(const DifferentiatedRun& of, const SmoothPiece& piece);

/// Returns the event that ended the run, or `std::nullopt`.
std::optional<std::size_t> event_at_end(const DifferentiatedRun& of);

/// Returns the note of a run whose row at a fixed time lies on a switch, where the time of the switch moves.
std::string note_of_row_on_switch(double t);

/// Returns the times of rows that move with the ends of pieces.
std::vector<double> moving_times(const std::vector<SmoothPiece>& pieces);

}  // namespace herglotz::simulate
