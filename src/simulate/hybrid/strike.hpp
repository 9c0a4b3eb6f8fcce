#pragma once
/// The impulse of an impact.

#include <span>
#include <string>
#include <vector>

namespace herglotz::simulate {

/// Values of impacts_program for one impact.
struct ImpactValues {
  double restitution = 0;
  double friction = 0;
  double gap_time = 0;                               ///< the rate of the gap at rest
  std::span<const double> gap;                       ///< derivatives of its rate by the velocities (r)
  std::vector<double> slip{};                        ///< slip velocities
  std::vector<std::span<const double>> slip_rows{};  ///< their derivatives by the velocities (r)
};

/// Returns the values of an impact, which refer to `functions`: its jump_functions, and whatever follows them.
ImpactValues impact_values(std::span<const double> functions, std::size_t r, std::size_t slips);

/// Returns the rate of the gap of an impact at these velocities.
double rate_of_gap(const ImpactValues& impact, std::span<const double> velocity);

/// Throws Failed if the restitution of an impact is not between 0 and 1, or its friction is negative.
void require_coefficients(const std::string& name, const ImpactValues& impact);

/// Outcome of an impact.
struct Strike {
  std::vector<double> velocity;  ///< after the impact
  bool moved = false;            ///< false if the surfaces do not approach each other, so that nothing happens
  double friction_work = 0;      ///< what the impulses along the slip add to the kinetic energy
  std::vector<double> held{};    ///< impulses of the rows that are held
  double normal = 0;             ///< impulse along the gap
  std::vector<double> along{};   ///< impulses along the slip; empty if there is no friction
  bool sticks = false;           ///< whether friction stops the slip
  double drive = 0;              ///< what the motion of the surface adds to the kinetic energy
  double loss = 0;               ///< what the other impulses take from the kinetic energy
  /// What the surfaces lose to each other: their impulses times the mean rates of gap and slip. Without moving
  /// slips and constraints it is loss - friction_work; with them the impulses also do the work of what moves these.
  double dissipated = 0;
  std::vector<double> impulse{};  ///< the whole impulse, which the momenta change by (r)
};

/// Computes the velocities after an impact with the mass matrix W (r x r, row by row). The impulse acts along the rows
/// `held` (m x r), whose rates do not change, along the gap, whose rate is multiplied by minus the restitution
/// (Newton's law), and along the slip. There it stops the slip if it stays within Coulomb's cone |J_t| <= mu J_n, and
/// else has the size mu J_n against the slip behind the impact, as in Moreau's law. If several directions of slip are
/// possible there, it is the nearest to that before. A slip that the rows `held` keep at its rate has no impulse; one
/// that the rate of the gap gives behind the impact is slid along, and has none if it is zero there. Throws Failed if
/// the impulse is not determined.
Strike strike(std::span<const double> W, std::span<const double> held, const ImpactValues& impact,
              std::span<const double> velocity);

/// Throws Failed if surfaces gain energy from each other in an impact, beyond the rounding of an energy of this size,
/// as Newton's law with friction may let them. What moves surfaces or constraints may give any energy.
void require_dissipation(const Strike& strike, double energy);

/// Returns whether the rows `held` keep the rate of the gap of an impact, as three feet of a table keep that of the
/// fourth one.
bool holds_gap(std::span<const double> W, std::span<const double> held, const ImpactValues& impact);

/// Returns how a unit force of a contact that slides accelerates the gap: G P (G - mu s T) with the rows G of the gap
/// and T of the slip, whose sign is s, and the inverse P of W on velocities that keep the rows `held`. Where it is not
/// positive, friction presses the surfaces together more than the force of the contact parts them, and there is no
/// motion that slides on: Painleve's paradox [GB99]. It is without friction if there is no slip.
double opening(std::span<const double> W, std::span<const double> held, const ImpactValues& impact);

}  // namespace herglotz::simulate
