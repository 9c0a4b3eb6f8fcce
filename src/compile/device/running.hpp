#pragma once
/// Adaptive steps of many runs, of which fewer and fewer are under way.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "herglotz/kernel/adaptive_loop.hpp"

namespace herglotz::compile {

/// Tries of a step after which the runs that are still under way are counted again.
constexpr std::int64_t tries_of_a_call = 64;

/// Returns the runs whose state is `running`.
std::vector<std::uint64_t> running(std::span<const double> states);

/// Calls launch(list, control) for the runs that are under way, with bounded tries, until no more than control.still of
/// them are left, or once if the tries of `control` are bounded already. `launch` moves the runs of the list and
/// returns the states of all runs.
template <class Launch>
void follow_running(std::span<const double> states, const kernel::AdaptiveLoop::Control& control, Launch&& launch) {
  kernel::AdaptiveLoop::Control each = control;
  each.still = 0;
  each.tries = control.tries > 0 ? control.tries : tries_of_a_call;
  std::vector<std::uint64_t> list = running(states);
  while (list.size() > static_cast<std::size_t>(control.still)) {
    list = running(launch(list, each));
    if (control.tries > 0) return;
  }
}

}  // namespace herglotz::compile
