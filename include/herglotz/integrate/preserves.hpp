#pragma once
/// Properties that methods keep at any step size.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace herglotz::integrate {

/// Property that a method keeps exactly, that is to round-off.
enum class Preserves {
  constraints,                    ///< Phi = 0 at every step
  constraints_and_velocities,     ///< velocity-free constraints and their derivatives in time
  contact_structure,              ///< eta of T*Q x R up to a factor
  groupoid_contact_structure,     ///< the contact structure up to a factor on the dual of an action groupoid
  constrained_contact_structure,  ///< eta up to a factor on the phase space of velocity-free constraints without the
                                  ///< action
  affine_momenta,                 ///< lambda J of symmetries that are affine in the base coordinates
  linear_momenta,                 ///< lambda J of linear symmetries of both parts of H = T + U
  cyclic_momenta,                 ///< lambda p of a coordinate that L does not contain
  declared_momenta,               ///< lambda J of declared symmetries that are affine in the base coordinates
  group_momenta,                  ///< lambda J of symmetries that act by the group
  horizontal_momenta,             ///< lambda J of such symmetries along the constraints
  discrete_momenta,               ///< lambda J of symmetries of the discrete Lagrangian
  quadratic_casimirs,             ///< quadratic Casimirs of lambda p on a Lie algebra
  coadjoint_orbits,               ///< all Casimirs of lambda p on a Lie algebra
  group_orbits,                   ///< orbits of the group in the base
  energy_law,                     ///< the balance law of the energy
  time_reversal                   ///< steps of -h take steps of h back
};

struct MethodInfo;

/// Returns the property with its conditions, for people.
std::string_view text_of(Preserves property);
/// Returns the texts that a method declares as MethodInfo::preserves.
std::vector<std::string> texts_of(std::initializer_list<Preserves> properties);
/// Returns whether the method declares the property.
bool preserves(const MethodInfo& method, Preserves property);

}  // namespace herglotz::integrate
