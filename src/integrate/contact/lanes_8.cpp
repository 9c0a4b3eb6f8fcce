// Compiled for registers of 8 doubles; called on machines that have them.
#include "contact/lanes_of_width.hpp"

namespace herglotz::integrate {

std::unique_ptr<ContactLanes> contact_lanes_8(const Dynamics& wide, const double* parameters, ContactScheme scheme) {
  return contact_lanes<8>(wide, parameters, scheme);
}

}  // namespace herglotz::integrate
