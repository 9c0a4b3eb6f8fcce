#include "herglotz/integrate/collocation.hpp"

#include <fmt/format.h>

namespace herglotz::integrate {

std::optional<Collocation> collocation_of(const MethodInfo& method) {
  using enum Collocation::Nodes;
  if (method.name == fmt::format("contact-gauss-{}", method.order)) return Collocation{gauss, method.order / 2};
  if (method.name == fmt::format("contact-lobatto-{}", method.order)) return Collocation{lobatto, method.order / 2 + 1};
  if (method.name == "radau-5") return Collocation{radau, 3};
  return std::nullopt;
}

}  // namespace herglotz::integrate
