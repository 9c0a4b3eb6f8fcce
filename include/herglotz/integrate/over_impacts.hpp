#pragma once
/// Runs by steps that go over impacts, with the forces of all contacts at once.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// A unilateral contact with Newton's restitution and Coulomb's friction.
struct Contact {
  std::string name;
  std::size_t gap = 0;    ///< place of the gap among the functions
  std::size_t first = 0;  ///< place of (restitution, friction, d gap/dt at rest, d rate/dy (r)), then (1 + r) per slip
  std::size_t slips = 0;  ///< 0, 1 in the plane or 2 in space
  std::size_t force = 0;  ///< place of its force among the parameters; those of friction along the slips follow
};

/// The contacts of a system, with kernels in the variables v = (x, w, z, t). The forces of the dynamics contain those
/// of the contacts, each constant over a step, as parameters.
struct ContactKernels {
  kernel::Kernel functions;
  kernel::Kernel mass;  ///< begins with W (r x r), row by row
  std::vector<Contact> contacts;
};

/// Receives each sample with five values of each contact: the force of friction (its size if there are two slips) and
/// the force of the contact, both in the step that ends there; the work of friction so far; the energy that the force
/// of the contact has taken so far; and the work so far of the motion of its surface. The last three follow the
/// integrating factor, as the energy does. Returning false stops the run.
using ContactSink = std::function<bool(const Sample& sample, std::span<const double> contacts)>;

/// A Watch whose crossings come with the values of the contacts.
struct ContactWatch {
  std::vector<Crossing> crossings{};
  kernel::Kernel values{};
  std::function<bool(std::size_t crossing, const Sample& sample, std::span<const double> contacts)> found{};
};

/// Energy that contacts gave to a run, which Newton's law with friction may do: J (u(0) + u(1))/2 > 0 in a step, for
/// the impulses J and the rates u of gaps and slips at its ends; or, beyond a tenth of its terms, along the rates in
/// its middle, as steps over an edge of a surface may do. What moving surfaces drive is not counted.
struct ContactGain {
  double energy = 0;      ///< sum of these works
  std::size_t steps = 0;  ///< steps in which they are beyond rounding, and beyond what other forces change
  double first = 0;       ///< start of the first of these steps
};

/// Contacts that carried loads of which only sums are determined, so that their forces are one of many choices. A
/// contact that sticks may have any force within its cone. A contact that slides has a force along its cone.
struct ContactChoice {
  std::vector<std::size_t> contacts;  ///< places of the contacts, in ascending order
  double first = 0;                   ///< start of the first step in which that was so
};

/// Steps that were made in parts, since the impulses of the whole step were not found.
struct ContactParts {
  std::size_t steps = 0;
  double first = 0;  ///< start of the first of these steps
};

/// End of a run over impacts, the energy that its contacts gained, those with chosen forces, and its steps in parts.
struct ContactOutcome {
  Outcome outcome;
  ContactGain gain;
  ContactChoice choice;
  ContactParts parts;
};

/// Follows a run as integrate() does, by a method whose steps go over impacts (moreau-2). The run ends with
/// Status::not_converged if the laws of the contacts are not obeyed to round-off, or to a relative 1e-10 where rounding
/// leaves more, even in a sixteenth of a step. If directions of slip do not settle within 20 corrections of a step,
/// they are held, and the laws hold for these.
ContactOutcome integrate_over_impacts(const ContactKernels& map, const Dynamics& dynamics,
                                      std::span<const double> parameters, double t0, std::span<const double> state,
                                      const Settings& settings, const ContactSink& sink,
                                      const ContactWatch& watch = {});

}  // namespace herglotz::integrate
