// Compiled for registers of 4 doubles; called on machines that have them.
#include "variational/lanes_of_width.hpp"

namespace herglotz::integrate {

std::unique_ptr<VariationalLanes> variational_lanes_4(const Dynamics& wide, const double* parameters,
                                                      const GalerkinPolynomials* polynomials) {
  return variational_lanes<4>(wide, parameters, polynomials);
}

}  // namespace herglotz::integrate
