#include "herglotz/mechanics/power.hpp"

#include <algorithm>

#include "derive/energy_source.hpp"
#include "generator.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {
namespace {

/// Returns the sum of the summands that depend on z.
Expr part_with_action(const System& system, const Expr& generator) {
  Expr part = system.graph().number(0);
  for (const Expr& term : summands(generator))
    if (symbolic::depends_on(term, system.z)) part += term;
  return part;
}

/// Returns the name of a coordinate that L1 must not depend on but does, or "".
std::string coordinate_in(const System& system, const Expr& part) {
  for (const auto* list : {&system.algebroid.x, &system.w()})
    for (const Expr& symbol : *list)
      if (symbolic::depends_on(part, symbol)) return std::string(symbol.name());
  return {};
}

}  // namespace

PowerLedger power_ledger(const System& system, const Equations& q) {
  if (q.rule == Rule::vakonomic)
    throw Refused("mechanical_energy is not defined under the vakonomic rule, whose momenta are those of L - nu Phi",
                  "leave the column out");
  const bool lagrangian = system.formulation == Formulation::lagrangian;
  Expr part = part_with_action(system, system.generator);
  if (!coordinate_in(system, part).empty())
    part = part_with_action(system, symbolic::expand(symbolic::expand_lets(system.generator)));
  if (const std::string name = coordinate_in(system, part); !name.empty())
    throw Refused("mechanical_energy cannot be split off: the part of the " +
                      std::string(lagrangian ? "Lagrangian" : "Hamiltonian") + " with the action has '" + name +
                      "' in it",
                  "leave the column out, or write an observable");
  const Expr sign = system.graph().number(lagrangian ? 1 : -1);
  const Generator d = generator_of(system);
  // Friction in contacts acts along their multipliers, but it is a term of its own.
  Equations apart = q;
  if (lagrangian) apart.Phi_y = q.Phi_w;
  const Expr pairing = paired(system, q.p, q.y);
  PowerLedger ledger;
  ledger.mechanical_energy = symbolic::simplify(symbolic::expand(q.energy + sign * part));
  const auto& smooth = system.frictions.empty() ? d.F : system.smooth_forces;
  Expr force = system.graph().number(0);
  for (std::size_t a = 0; a < system.r(); ++a) force += smooth[a] * q.y[a];
  // The force of a contact has no power but that of its surface's motion.
  Expr constraints = constraint_power(system, apart, q.y);
  std::vector<PowerTerm> drives;
  for (const auto& [name, power] : driven_contacts(system)) {
    constraints = constraints - power;
    drives.push_back({"drive." + name, power});
  }
  ledger.terms = {{"action", q.L_z * pairing},
                  {"force", force},
                  {"constraint", constraints},
                  {"time", sign * symbolic::derivative(part, system.t) - d.L_t}};
  for (const FrictionWork& work : friction_works(system)) ledger.terms.push_back({work.name, work.power()});
  ledger.terms.insert(ledger.terms.end(), drives.begin(), drives.end());
  Expr bracket = system.graph().number(0);
  add_bracket_power(bracket, system, q, d);
  bracket = symbolic::simplify(bracket);
  if (!bracket.is_zero()) ledger.terms.push_back({"bracket", bracket});
  return ledger;
}

std::vector<std::string> power_columns(const System& system) {
  std::vector<std::string> names{"mechanical_energy", "power.action", "power.force", "power.constraint", "power.time"};
  for (std::size_t k = 0; k < system.frictions.size(); ++k)
    if (!is_second_velocity(system, k)) names.push_back("power." + system.frictions[k].name);
  for (const Event& event : system.events)
    if (event.impact && !event.impact->friction.is_zero()) names.push_back("power." + event.name);
  for (const Event& event : system.events)
    if (is_driven(event)) names.push_back("power.drive." + event.name);
  names.emplace_back("power.bracket");
  return names;
}

}  // namespace herglotz::mechanics
