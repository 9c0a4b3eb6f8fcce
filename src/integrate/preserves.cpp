#include "herglotz/integrate/preserves.hpp"

#include <algorithm>
#include <stdexcept>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

std::string_view text_of(Preserves property) {
  switch (property) {
    case Preserves::constraints:
      return "constraints to round-off";
    case Preserves::constraints_and_velocities:
      return "constraints and their velocities to round-off";
    case Preserves::contact_structure:
      return "conformal contact structure on tangent bundles without forces and nonholonomic constraints";
    case Preserves::groupoid_contact_structure:
      return "conformal contact structure of the action groupoid without forces";
    case Preserves::constrained_contact_structure:
      return "conformal contact structure of the constrained phase space without forces, for constraints that do not "
             "depend on the action";
    case Preserves::affine_momenta:
      return "dissipated momenta of symmetries affine in the base coordinates";
    case Preserves::linear_momenta:
      return "dissipated momenta of linear symmetries of both parts of H";
    case Preserves::cyclic_momenta:
      return "dissipated momenta of cyclic coordinates on tangent bundles without forces";
    case Preserves::declared_momenta:
      return "dissipated momenta of declared symmetries affine in the base coordinates, without forces";
    case Preserves::group_momenta:
      return "dissipated momenta of symmetries that act by the group";
    case Preserves::horizontal_momenta:
      return "dissipated momenta of horizontal symmetries that act by the group";
    case Preserves::discrete_momenta:
      return "dissipated momenta of discrete symmetries";
    case Preserves::quadratic_casimirs:
      return "quadratic Casimirs of lambda p on Lie algebras without forces";
    case Preserves::coadjoint_orbits:
      return "coadjoint orbits of lambda p on Lie algebras without forces, so all Casimirs";
    case Preserves::group_orbits:
      return "orbits of the group in the base to round-off";
    case Preserves::energy_law:
      return "the energy balance law to round-off: lambda E is constant where its source is zero";
    case Preserves::time_reversal:
      return "time reversal";
  }
  throw std::logic_error("a property of methods without a text");
}

std::vector<std::string> texts_of(std::initializer_list<Preserves> properties) {
  std::vector<std::string> texts;
  for (const Preserves property : properties) texts.emplace_back(text_of(property));
  return texts;
}

bool preserves(const MethodInfo& method, Preserves property) {
  return std::find(method.preserves.begin(), method.preserves.end(), text_of(property)) != method.preserves.end();
}

}  // namespace herglotz::integrate
