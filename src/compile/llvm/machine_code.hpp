#pragma once
/// Tapes -> machine code through LLVM's ORC. No LLVM type leaves the translation unit behind this header.

#include <span>
#include <vector>

#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/embedded_pair.hpp"
#include "herglotz/kernel/kernel.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"
#include "herglotz/kernel/step_loop.hpp"
#include "tape/analytic_tape.hpp"
#include "tape/stage_tapes.hpp"
#include "tape/tape.hpp"

namespace herglotz::compile {

/// All tapes in one module; operations are cut into functions of about `chunk` of them, since the cost of code
/// generation grows faster than linearly with the size of a function.
std::vector<kernel::Kernel> generate(std::span<const Tape> tapes, int lanes, std::size_t chunk);

/// One function with the whole tape inside its loop; see kernel::StepLoop.
kernel::StepLoop generate_loop(const Tape& tape, std::size_t unread, int lanes);

/// Steps with error control; see kernel::AdaptiveLoop.
kernel::AdaptiveLoop generate_adaptive(const StageTapes& tapes, const kernel::LoopEntries& entries,
                                       const kernel::EmbeddedPair& pair, int lanes, std::size_t chunk);

/// Steps of one size; see kernel::RungeKuttaLoop.
kernel::RungeKuttaLoop generate_runge_kutta(const StageTapes& tapes, const kernel::LoopEntries& entries,
                                            const kernel::ExplicitTableau& tableau, int lanes, std::size_t chunk);

/// Steps by Taylor polynomials; see kernel::AdaptiveLoop.
kernel::AdaptiveLoop generate_taylor(const AnalyticTape& tape, const kernel::LoopEntries& entries, int lanes);

}  // namespace herglotz::compile
