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

/// The states of all runs and the numbers of tries that they have made.
struct RunProgress {
  std::span<const double> states;
  std::span<const double> tries;
};

/// Returns the runs whose state is `running`.
std::vector<std::uint64_t> running(std::span<const double> states);
/// Returns how many tries each run of a list has made.
std::vector<double> tries_of(const std::vector<std::uint64_t>& list, const RunProgress& progress);
/// Throws Failed if a run of the list is under way and has made no try since it had made `before`: it would not arrive.
void require_tries(const std::vector<std::uint64_t>& list, const std::vector<double>& before,
                   const RunProgress& progress);

/// Calls launch(list, control) for the runs that are under way, with bounded tries, until no more than
/// control.min_running of them are left, or once if the tries of `control` are bounded already. `launch` moves the runs
/// of the list and brings `progress` up to date. Throws Failed if it does not move them.
template <class Launch>
void follow_running(const RunProgress& progress, const kernel::AdaptiveLoop::Control& control, Launch&& launch) {
  kernel::AdaptiveLoop::Control each = control;
  each.min_running = 0;
  each.tries = control.tries > 0 ? control.tries : tries_of_a_call;
  std::vector<std::uint64_t> list = running(progress.states);
  while (list.size() > static_cast<std::size_t>(control.min_running)) {
    const std::vector<double> before = tries_of(list, progress);
    launch(list, each);
    require_tries(list, before, progress);
    if (control.tries > 0) return;
    list = running(progress.states);
  }
}

}  // namespace herglotz::compile
