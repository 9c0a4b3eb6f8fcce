#pragma once
/// Changes of the budgets of the balance laws by jumps.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hybrid/strike.hpp"
#include "record/recorder.hpp"

namespace herglotz::simulate {

/// Quantities of the balance laws before and after a jump, that of the energy first.
struct Quantities {
  std::span<const double> before, after;
};

/// Kinetic energy that each moving surface adds in an impact, with the name of its contact.
using Drives = std::vector<std::pair<std::string, double>>;

/// Books the impulses of an impact. Their work goes into the budget of the energy law and into work.<name>, loss.<name>
/// and, for each surface, drive.<name>. The impulse along each section (r entries) goes into the budget of its
/// momentum. These entries are computed from the impulses and not from the change of the quantities, so that the
/// residuals test the laws across the impact. Dissipated functions are not linear in the momenta; for them the change
/// itself is booked.
void book_impact(Carried& carried, const std::string& name, const Strike& found, const Drives& drives,
                 std::span<const double> sections, const Quantities& quantities);

/// Books a change of the state that is no impulse by what it does to the quantities of the laws.
void book_change(Carried& carried, const std::string& name, const Quantities& quantities);

}  // namespace herglotz::simulate
