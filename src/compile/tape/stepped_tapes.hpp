#pragma once
/// Tapes of the stages of steps of one size.

#include <cstddef>
#include <span>

#include "herglotz/kernel/loop_entries.hpp"
#include "tape/stage_tapes.hpp"

namespace herglotz::compile {

/// Tapes that carry some entries of a motion, and these entries.
struct SteppedTapes {
  StageTapes tapes;
  kernel::StateLayout carried;
};

/// Returns the tapes of a motion, as compile_runge_kutta() takes it, for the entries at the places `kept`; if `kept` is
/// empty, for all entries.
SteppedTapes stepped_tapes(const symbolic::Program& motion, const kernel::StateLayout& entries,
                           std::span<const std::size_t> kept);

}  // namespace herglotz::compile
