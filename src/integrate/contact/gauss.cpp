#include <fmt/format.h>

#include "drive/method.hpp"
#include "herglotz/integrate/preserves.hpp"

namespace herglotz::integrate {

MethodInfo contact_gauss_info(int stages) {
  return {.name = fmt::format("contact-gauss-{}", 2 * stages),
          .order = 2 * stages,
          .adaptive = false,
          .algebroids = {"any"},
          .constraints = every_constraint(),
          .preserves = texts_of({Preserves::contact_structure, Preserves::constraints, Preserves::affine_momenta,
                                 Preserves::quadratic_casimirs}),
          .summary = fmt::format("{}-stage Gauss collocation of the homogeneous lift, fixed step, order {}", stages,
                                 2 * stages)};
}

}  // namespace herglotz::integrate
