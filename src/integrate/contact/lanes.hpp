#pragma once
/// Contact Runge-Kutta methods in lanes: runs that start together go through the same steps, with Newton's method in
/// lock step.

#include <memory>

#include "contact/scheme.hpp"
#include "drive/method.hpp"

namespace herglotz::integrate {

/// Interface to ContactStep in lanes. It passes plain numbers, since code for lanes is compiled for other registers.
/// Arrays are lane-minor, and sets of lanes are bits.
class ContactLanes {
 public:
  virtual ~ContactLanes() = default;
  [[nodiscard]] virtual std::unique_ptr<ContactLanes> copy() const = 0;
  virtual void follow(const ContactLanes& other) = 0;

  /// Returns (x, p, z, log factor, budgets).
  [[nodiscard]] virtual const double* state() const = 0;
  /// Returns (x, w, z, l).
  virtual double* last_state() = 0;
  /// Returns ContactStep::moves().
  virtual double* moves() = 0;
  /// Sets both states of a lane at the start of its run.
  virtual void start(int lane, const double* last, const double* carried) = 0;

  /// Makes one step. Returns the lanes in which it succeeded.
  virtual unsigned step(double t, double h, unsigned lanes) = 0;
  /// Brings the last state to the end of the last step. Returns true if its w and l are guesses.
  virtual bool show_end() = 0;
  /// Declares that w and l of the last state are guesses no longer.
  virtual void end_is_known() = 0;
  [[nodiscard]] virtual bool projects() const = 0;
  virtual void begin_projection() = 0;
  /// Projects by straight-line code. Returns the lanes in which this succeeded; LegendreBoundary projects the others.
  virtual unsigned project_directly(double t, unsigned lanes) = 0;
  virtual void end_projection() = 0;
};

/// Makes the steps of W lanes. Compiled for W = 4 and 8, for registers of that width.
template <int W>
std::unique_ptr<ContactLanes> make_contact_lanes(const Dynamics& wide, const double* parameters, ContactScheme scheme);

/// Returns the form of the scheme.
LaneForm contact_lanes(ContactScheme scheme);

}  // namespace herglotz::integrate
