#pragma once
/// The motion compiled together with the steps of the adaptive explicit method.

#include <cstddef>
#include <vector>

#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/embedded_pair.hpp"

namespace herglotz::integrate {

/// Its entries are (x, w, z, nu where multipliers are differential, log lambda, g_k of these laws); log lambda only
/// where L_z is no constant, and g_k only where law k has a source. What is left out is known in closed form.
struct AdaptiveMotion {
  kernel::AdaptiveLoop loop;
  std::vector<std::size_t> laws;

  explicit operator bool() const { return static_cast<bool>(loop); }
};

/// The pair of the method `reference`, to compile such a loop with.
kernel::EmbeddedPair reference_pair();

}  // namespace herglotz::integrate
