#pragma once
/// Compilation of programs to kernels and loops.

#include <span>
#include <vector>

#include "herglotz/error.hpp"
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

/// Error of a program that cannot become machine code.
class CompileError : public Failed {
 public:
  using Failed::Failed;
};

/// Compiles all programs together (one module, one set-up), in order. Throws CompileError for a free symbol that is not
/// an input, a lane width the machine does not have, or a failure of the back end.
std::vector<kernel::Kernel> compile(std::span<const symbolic::Program> programs, const Options& options = {});
kernel::Kernel compile(const symbolic::Program& program, const Options& options = {});

/// Compiles the loop around a program. Its variables are (u without the last `unread` sums, t, h, constants); its
/// outputs are the increments of u. The state stays in registers from step to step unless the program is long.
kernel::StepLoop compile_loop(const symbolic::Program& step, std::size_t unread, const Options& options = {});

/// Compiles the loop around y' = f(t, y), a program with variables (y, t) whose outputs are y' and then the scale of
/// every budget. If the program is short, a loop for lanes has twice as many, so that one half works while the other
/// waits. Returns an empty loop if there is no machine code with fused multiply-add.
kernel::AdaptiveLoop compile_adaptive(const symbolic::Program& motion, const kernel::StateLayout& entries,
                                      const kernel::EmbeddedPair& pair, const Options& options = {});

/// Compiles the loop around y' = f(t, y) with steps of one size. The loop carries only the entries at the places
/// `kept`, which must include all entries that these and the checks depend on; if `kept` is empty, it carries all
/// entries. Each entry has the same bits, however many are carried.
kernel::RungeKuttaLoop compile_runge_kutta(const symbolic::Program& motion, const kernel::StateLayout& entries,
                                           const kernel::ExplicitTableau& tableau, const Options& options = {},
                                           std::span<const std::size_t> kept = {});

/// Compiles the loop of adaptive steps by Taylor polynomials of y(t). Throws CompileError if y' has kinks or is too
/// long.
kernel::AdaptiveLoop compile_taylor(const symbolic::Program& motion, const kernel::StateLayout& entries,
                                    const Options& options = {});

/// Returns the widest lane count that this machine's vector unit serves well: 8, 4 or 1.
int native_lanes();

}  // namespace herglotz::compile
