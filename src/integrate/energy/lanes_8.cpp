// Compiled for registers of 8 doubles; called on machines that have them.
#include "energy/lanes_of_width.hpp"

namespace herglotz::integrate {

std::unique_ptr<EnergyLanes> energy_lanes_8(const Dynamics& wide, const double* parameters,
                                            const std::vector<double>& fractions) {
  return std::make_unique<EnergyLanesOf<8>>(wide, parameters, fractions);
}

}  // namespace herglotz::integrate
