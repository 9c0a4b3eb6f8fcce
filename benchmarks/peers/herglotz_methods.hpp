#pragma once
/// The methods of Herglotz that are measured, and where their settings begin.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/integrate/integrate.hpp"
#include "protocol.hpp"

/// Every registered method but those for constraints, for stiff systems and of the model's own discrete Lagrangian, and
/// those that are variants of a measured one which cost the same or more.
inline std::vector<herglotz::integrate::MethodInfo> measured_methods() {
  constexpr std::string_view left_out[] = {"stiff",
                                           "contact-rattle",
                                           "contact-dla",
                                           "discrete-",
                                           "lie-hph-2",
                                           "lie-hph-cayley",
                                           "contact-energy",
                                           "moreau",
                                           "contact-galerkin",
                                           "contact-gauss-10",
                                           "contact-lobatto-6",
                                           "contact-lobatto-8"};
  std::vector<herglotz::integrate::MethodInfo> kept;
  for (const auto& method : herglotz::integrate::methods()) {
    const bool out = std::any_of(std::begin(left_out), std::end(left_out),
                                 [&](std::string_view start) { return method.name.starts_with(start); });
    if (!out) kept.push_back(method);
  }
  return kept;
}

/// Tolerances, or numbers of steps from few to many.
inline std::vector<double> settings_of(const herglotz::integrate::MethodInfo& method) {
  if (method.adaptive) return protocol::tolerances();
  return protocol::step_counts(method.order <= 2 ? 32 : method.order <= 6 ? 16 : 8, 65536);
}
