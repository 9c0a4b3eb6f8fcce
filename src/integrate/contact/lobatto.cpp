#include <fmt/format.h>

#include "drive/method.hpp"

namespace herglotz::integrate {

MethodInfo contact_lobatto_info(int stages) {
  return {.name = fmt::format("contact-lobatto-{}", 2 * stages - 2),
          .order = 2 * stages - 2,
          .adaptive = false,
          .algebroids = {"any"},
          .constraints = {},
          .preserves = {"conformal contact structure on tangent bundles without forces",
                        "dissipated momenta of symmetries affine in the base coordinates"},
          .summary = fmt::format("{}-stage Lobatto IIIA-IIIB pair in the homogeneous lift, fixed step, order {}",
                                 stages, 2 * stages - 2)};
}

}  // namespace herglotz::integrate
