#pragma once
/// Machine code of tapes through LLVM's ORC. No LLVM type leaves the translation unit behind this header.

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

/// Compiles all tapes in one module. Operations are cut into functions of about `chunk` operations, since the cost of
/// code generation grows faster than linearly with the size of a function.
std::vector<kernel::Kernel> generate(std::span<const Tape> tapes, int lanes, std::size_t chunk);

/// Compiles one function with the whole tape inside its loop; see kernel::StepLoop.
kernel::StepLoop generate_loop(const Tape& tape, std::size_t unread, int lanes);

/// Compiles steps with error control; see kernel::AdaptiveLoop.
kernel::AdaptiveLoop generate_adaptive(const StageTapes& tapes, const kernel::StateLayout& entries,
                                       const kernel::EmbeddedPair& pair, int lanes, std::size_t chunk);

/// Compiles steps of one size; see kernel::RungeKuttaLoop.
kernel::RungeKuttaLoop generate_runge_kutta(const StageTapes& tapes, const kernel::StateLayout& entries,
                                            const kernel::ExplicitTableau& tableau, int lanes, std::size_t chunk);

/// Compiles steps by Taylor polynomials; see kernel::AdaptiveLoop.
kernel::AdaptiveLoop generate_taylor(const AnalyticTape& tape, const kernel::StateLayout& entries, int lanes);

}  // namespace herglotz::compile
