// Compiled for registers of 4 doubles; called on machines that have them.
#include "groupoid/lanes_of_width.hpp"

namespace herglotz::integrate {

std::unique_ptr<GroupoidLanes> groupoid_lanes_4(const Dynamics& wide, const double* parameters,
                                                const GroupoidScheme& scheme) {
  return std::make_unique<GroupoidLanesOf<4>>(wide, parameters, scheme);
}

}  // namespace herglotz::integrate
