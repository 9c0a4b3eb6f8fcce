#include <fmt/format.h>

#include "drive/method.hpp"
#include "herglotz/integrate/preserves.hpp"

namespace herglotz::integrate {

MethodInfo contact_lobatto_info(int stages) {
  return {.name = fmt::format("contact-lobatto-{}", 2 * stages - 2),
          .order = 2 * stages - 2,
          .adaptive = false,
          .algebroids = {"any"},
          .constraints = {},
          .preserves = texts_of({Preserves::contact_structure, Preserves::affine_momenta}),
          .summary = fmt::format("{}-stage Lobatto IIIA-IIIB pair in the homogeneous lift, fixed step, order {}",
                                 stages, 2 * stages - 2)};
}

}  // namespace herglotz::integrate
