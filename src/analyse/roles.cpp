#include "herglotz/analyse/roles.hpp"

#include <algorithm>
#include <array>

namespace herglotz::analyse {
namespace {

// In the order of the roles.
constexpr std::array<const char*, 12> kRoles{"time",   "base",      "fibre",    "action",   "multiplier", "energy",
                                             "factor", "invariant", "residual", "momentum", "constraint", "observable"};

}  // namespace

const char* name_of(Role role) {
  return kRoles.at(static_cast<std::size_t>(role));
}

std::optional<Role> role_of(std::string_view name) {
  const auto* known = std::find(kRoles.begin(), kRoles.end(), name);
  if (known == kRoles.end()) return std::nullopt;
  return static_cast<Role>(known - kRoles.begin());
}

}  // namespace herglotz::analyse
