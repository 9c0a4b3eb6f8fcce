#include <fmt/format.h>

#include "drive/method.hpp"

namespace herglotz::integrate {

MethodInfo contact_gauss_info(int stages) {
  return {.name = fmt::format("contact-gauss-{}", 2 * stages),
          .order = 2 * stages,
          .adaptive = false,
          .algebroids = {"any"},
          .constraints = every_constraint(),
          .preserves = {"conformal contact structure on tangent bundles without forces and nonholonomic constraints",
                        "constraints to round-off", "dissipated momenta of symmetries affine in the base coordinates",
                        "quadratic Casimirs of lambda p on Lie algebras without forces"},
          .summary = fmt::format("{}-stage Gauss collocation of the homogeneous lift, fixed step, order {}", stages,
                                 2 * stages)};
}

}  // namespace herglotz::integrate
