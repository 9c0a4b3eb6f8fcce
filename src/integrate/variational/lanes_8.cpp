// Compiled for registers of 8 doubles; called on machines that have them.
#include "variational/lanes_of_width.hpp"

namespace herglotz::integrate {

std::unique_ptr<VariationalLanes> variational_lanes_8(const Dynamics& wide, const double* parameters,
                                                      const GalerkinPolynomials* polynomials) {
  return variational_lanes<8>(wide, parameters, polynomials);
}

}  // namespace herglotz::integrate
