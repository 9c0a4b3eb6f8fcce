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

/// What the motion of surfaces adds to the kinetic energy in an impact, by the names of their contacts.
using Drives = std::vector<std::pair<std::string, double>>;

/// Books the impulses of an impact: their work in the budget of the energy law and in work.<name>, loss.<name> and, of
/// every surface, drive.<name>, and the impulse along each of the sections (r entries each) in the budget of its
/// momentum. All of this follows from the impulses, and not from the quantities, so that the residuals of the laws say
/// whether these obey the laws through the impact. Dissipated functions are not linear functions of the momenta, and
/// change as they do.
void book_impact(Carried& carried, const std::string& name, const Strike& found, const Drives& drives,
                 std::span<const double> sections, const Quantities& quantities);

/// Books a change of the state that is no impulse by what it does to the quantities of the laws.
void book_change(Carried& carried, const std::string& name, const Quantities& quantities);

}  // namespace herglotz::simulate
