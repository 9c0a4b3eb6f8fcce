#include "herglotz/mechanics/events/contact_forces.hpp"

#include <string>

namespace herglotz::mechanics {

std::vector<Expr> contact_force(const System& system, const Event& event) {
  std::vector<Expr> force{system.graph().symbol("force of contact " + event.name)};
  for (std::size_t s = 1; s <= event.impact->slip.size(); ++s)
    force.push_back(system.graph().symbol("friction " + std::to_string(s) + " of contact " + event.name));
  return force;
}

System with_contact_forces(const System& system) {
  System result = system;
  for (const Event& event : system.events) {
    if (!event.impact) continue;
    const auto force = contact_force(system, event);
    for (std::size_t k = 0; k < force.size(); ++k) {
      const auto& along = k == 0 ? event.impact->gap_by_velocity : event.impact->slip_by_velocity[k - 1];
      for (std::size_t a = 0; a < system.r(); ++a)
        if (!along[a].is_zero()) result.forces[a] += force[k] * along[a];
      result.parameters.push_back({force[k], 0.0});
    }
  }
  return result;
}

}  // namespace herglotz::mechanics
