#include <fmt/format.h>

#include "method.hpp"

namespace herglotz::integrate {

MethodInfo contact_gauss_info(int stages) {
  return {.name = fmt::format("contact-gauss-{}", 2 * stages),
          .order = 2 * stages,
          .adaptive = false,
          .algebroids = {"any"},
          .constraints = {},
          .preserves = {"conformal contact structure on tangent bundles",
                        "dissipated momenta of sections affine in the base coordinates whose law has no source",
                        "quadratic Casimirs of lambda p on Lie algebras"},
          .summary = fmt::format("{}-stage Gauss collocation of the homogeneous lift, fixed step, order {}", stages,
                                 2 * stages)};
}

}  // namespace herglotz::integrate
