#include "roles.hpp"

#include <algorithm>
#include <array>

namespace herglotz::io {
namespace {

constexpr std::array<const char*, 12> kRoles{"time",   "base",      "fibre",    "action",   "multiplier", "energy",
                                             "factor", "invariant", "residual", "momentum", "constraint", "observable"};

}  // namespace

const char* name_of(analyse::Role role) {
  return kRoles.at(static_cast<std::size_t>(role));
}

std::optional<analyse::Role> role_of(const std::string& name) {
  const auto* known = std::find(kRoles.begin(), kRoles.end(), name);
  if (known == kRoles.end()) return std::nullopt;
  return static_cast<analyse::Role>(known - kRoles.begin());
}

}  // namespace herglotz::io
