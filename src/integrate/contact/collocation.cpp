#include "herglotz/integrate/collocation.hpp"

#include <fmt/format.h>

namespace herglotz::integrate {

std::optional<CollocationMethod> collocation_of(const MethodInfo& method) {
  using enum CollocationMethod::Nodes;
  if (method.name == fmt::format("contact-gauss-{}", method.order)) return CollocationMethod{gauss, method.order / 2};
  if (method.name == fmt::format("contact-lobatto-{}", method.order))
    return CollocationMethod{lobatto, method.order / 2 + 1};
  if (method.name == "radau-5") return CollocationMethod{radau, 3};
  return std::nullopt;
}

}  // namespace herglotz::integrate
