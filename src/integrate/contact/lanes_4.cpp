// Compiled for registers of 4 doubles; called on machines that have them.
#include "contact/lanes_of_width.hpp"

namespace herglotz::integrate {

std::unique_ptr<ContactLanes> contact_lanes_4(const Dynamics& wide, const double* parameters, ContactScheme scheme) {
  return contact_lanes<4>(wide, parameters, scheme);
}

}  // namespace herglotz::integrate
