#pragma once
/// Compilation of a motion to WebAssembly, for pages that follow it themselves.

#include <cstddef>
#include <span>
#include <string>
#include <variant>

#include "herglotz/kernel/embedded_pair.hpp"
#include "herglotz/kernel/loop_entries.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::compile {

/// The steps of a motion: by Taylor polynomials, by a pair with error control, or of one size.
struct TaylorSteps {};
using WebSteps = std::variant<TaylorSteps, kernel::EmbeddedPair, kernel::ExplicitTableau>;

/// A WebAssembly module. It exports `loop`, with the parameters of kernel::AdaptiveLoop::Entry or
/// kernel::RungeKuttaLoop::Entry, and `kernel0`, `kernel1`, .., with those of kernel::Kernel::Entry, for one lane;
/// pointers are addresses of 32 bits. It imports the memory `env.__linear_memory`, whose first `data` bytes it fills,
/// the pointer `env.__stack_pointer` to the end of a stack, and `env.fused_rest`, a fused multiply-add for numbers near
/// the least and the largest ones.
struct WebModule {
  std::string bytes;
  std::size_t data = 0;
  std::size_t work = 0;  ///< the doubles of scratch that every function is content with
};

/// Compiles the steps of a motion, as `compile_adaptive`, `compile_runge_kutta` and `compile_taylor` do, and kernels
/// beside it. Every operation is that of the machine code, so that results have the same bits; only sines, cosines and
/// tangents of angles beyond 2^30 are NaN. Throws CompileError if LLVM has no WebAssembly target, if the loops of this
/// machine have other operations because it has no fused multiply-add, or if there is no Taylor polynomial.
WebModule compile_web(const symbolic::Program& motion, const kernel::StateLayout& entries, const WebSteps& steps,
                      std::span<const symbolic::Program> kernels);

}  // namespace herglotz::compile
