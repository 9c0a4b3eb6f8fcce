#pragma once
/// Motions that are made of smooth pieces, each with equations of its own.

#include <span>
#include <string>
#include <vector>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// A function that is positive along a piece.
struct Condition {
  std::string text;  ///< what it compares, for messages; the two sides of one boundary have one text
  /// False if the piece begins where the function is zero, to second order perhaps: it counts once it has been
  /// positive.
  bool begun = true;
};

/// The pieces of a motion. A piece ends where one of its conditions ceases to hold, and the object then says which
/// piece follows. The state (x, w, z) and the number of balance laws are those of all pieces.
class Pieces {
 public:
  virtual ~Pieces() = default;
  [[nodiscard]] virtual const Dynamics& dynamics() const = 0;
  [[nodiscard]] virtual std::span<const double> parameters() const = 0;
  /// Returns the kernel of the watched functions of the caller, then of the conditions of the current piece, which are
  /// positive as long as they hold.
  [[nodiscard]] virtual const kernel::Kernel& functions() const = 0;
  [[nodiscard]] virtual std::vector<Condition> conditions() const = 0;
  /// Returns the tolerance of the current piece, which begins at a state, of a run with the tolerance `asked`.
  [[nodiscard]] virtual double tolerance(double asked, std::span<const double> state) const {
    static_cast<void>(state);
    return asked;
  }
  /// Returns the step of the current piece, which begins at time t and a state, of a run whose steps have the size
  /// `asked`.
  [[nodiscard]] virtual double step(double asked, double t, const std::vector<double>& state) const {
    static_cast<void>(t);
    static_cast<void>(state);
    return asked;
  }
  /// Goes on to the piece behind a condition that ceases to hold. It may move the state by round-off. Returns the
  /// reason why there is no such piece, or an empty one.
  [[nodiscard]] virtual Reason pass(std::size_t condition, double t, std::vector<double>& state) = 0;
  /// Returns whether pass() has found no piece because the constraints of the caller jump there, and the caller goes on
  /// behind that.
  [[nodiscard]] virtual bool leaves_jump_to_caller() const { return false; }
  /// Changes a sample of the current piece to that of the whole motion.
  virtual void show(Sample& sample) const = 0;
};

/// Returns the reason why a motion does not go on from a zero of a function, from both sides of which it leads back.
Reason leading_back(const std::string& function);

/// Runs as integrate() does, through all pieces. Each piece ends on its condition, located as events are, so that a
/// method has its order over the ends of pieces. Integrating factor and budgets go on from piece to piece. If the
/// pieces on both sides of a condition lead back to it, the run ends with Status::step_too_small and a message that
/// names it. A run whose caller goes on behind a jump of its constraints ends with success there, stopped by a crossing
/// whose number is that of the caller's crossings.
Outcome integrate_pieces(Pieces& pieces, double t0, std::span<const double> state, const Settings& settings,
                         const Sink& sink, const Watch& watch = {});

}  // namespace herglotz::integrate
