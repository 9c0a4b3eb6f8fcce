#pragma once
/// Program -> Kernel.

#include <span>
#include <stdexcept>
#include <vector>

#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/embedded_pair.hpp"
#include "herglotz/kernel/kernel.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"
#include "herglotz/kernel/step_loop.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::compile {

enum class Backend {
  interpreter,  ///< the oracle: one operation after the other, one or more lanes
  llvm,         ///< machine code; bitwise equal to the interpreter at every width and chunk size
};

struct Options {
  Backend backend = Backend::llvm;
  int lanes = 1;            ///< 1, 4 or 8
  std::size_t chunk = 200;  ///< operations per machine function: 500 run no faster and compile half as fast
};

class CompileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// All programs together (one module, one set-up), in order. Throws CompileError for a free symbol that is no input, a
/// lane width the machine does not have, or a failure of the back end.
std::vector<kernel::Kernel> compile(std::span<const symbolic::Program> programs, const Options& options = {});
kernel::Kernel compile(const symbolic::Program& program, const Options& options = {});

/// The loop around a program with variables (u without the last `unread` sums, t, h, constants) and the increments of u
/// as its outputs. The state stays in registers from step to step unless the program is long.
kernel::StepLoop compile_loop(const symbolic::Program& step, std::size_t unread, const Options& options = {});

/// The loop around y' = f(t, y): a program with variables (y, t) whose outputs are y' and then the scale of every
/// budget. A loop for lanes has twice as many where the program is short, for one half to work while the other waits.
/// Empty where there is no machine code with fused multiply-add.
kernel::AdaptiveLoop compile_adaptive(const symbolic::Program& motion, const kernel::LoopEntries& entries,
                                      const kernel::EmbeddedPair& pair, const Options& options = {});

/// The same by steps of one size. The loop carries the entries at the places `kept` only, all that they and the checks
/// depend on among them; all entries where that is empty. Each has the same bits, however many are carried.
kernel::RungeKuttaLoop compile_runge_kutta(const symbolic::Program& motion, const kernel::LoopEntries& entries,
                                           const kernel::ExplicitTableau& tableau, const Options& options = {},
                                           std::span<const std::size_t> kept = {});

/// Adaptive steps by Taylor polynomials of y(t). Throws CompileError where y' has kinks, or is too long.
kernel::AdaptiveLoop compile_taylor(const symbolic::Program& motion, const kernel::LoopEntries& entries,
                                    const Options& options = {});

/// The widest lane count this machine's vector unit serves well: 8, 4 or 1.
int native_lanes();

}  // namespace herglotz::compile
