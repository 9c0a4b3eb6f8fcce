#include "drive/error_control.hpp"

#include <algorithm>

namespace herglotz::integrate {

double local_error(double tolerance) {
  constexpr double local_share = 0.1;
  constexpr double least_local = 2e-15;
  return std::max(local_share * tolerance, least_local);
}

ErrorControl error_control(const Dynamics& dynamics, double tolerance) {
  const std::size_t z = dynamics.n + dynamics.r;
  return {{0, dynamics.n, z, z + 1, dynamics.dimension()}, dynamics.laws, local_error(tolerance)};
}

}  // namespace herglotz::integrate
