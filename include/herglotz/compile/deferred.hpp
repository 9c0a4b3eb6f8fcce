#pragma once
/// Kernels of long programs that become machine code once they have been called often.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/kernel/kernel.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::compile {

/// Number of operations of a kernel whose machine code takes tens of milliseconds to generate.
constexpr std::size_t many_operations = 2000;

/// Compiles all programs as compile() does. Kernels of one lane with more than `many` operations are run by the
/// interpreter until that has taken about as long as generating their machine code takes, and by machine code from then
/// on: that of large systems takes longer to generate than a short run takes, and no method calls all kernels. Both
/// have the same bits. Of threads that share a kernel one generates the code, while the others go on with the
/// interpreter. Calls of such kernels throw CompileError if the back end fails.
std::vector<kernel::Kernel> compile_deferred(std::span<const symbolic::Program> programs, const Options& options = {},
                                             std::size_t many = many_operations);

/// While it lives, callers of deferred kernels do not wait for machine code. A thread of its own, which yields the
/// processor to all others, generates the code of a kernel that has been called `early` times, and the interpreter runs
/// the kernel until the code is there. It serves all kernels of the process, one lives at a time, and it outlives the
/// calls. A kernel whose code cannot be generated throws CompileError at a later call.
class CodeThread {
 public:
  explicit CodeThread(std::size_t early = 100);
  /// Waits for the code that is being generated.
  ~CodeThread();
  /// Returns whether one lives that generates code, or is to.
  static bool busy();
  CodeThread(const CodeThread&) = delete;
  CodeThread& operator=(const CodeThread&) = delete;

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::compile
