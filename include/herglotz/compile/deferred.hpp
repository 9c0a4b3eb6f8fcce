#pragma once
/// Kernels of long programs that become machine code once they have been called often.

#include <span>
#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/kernel/kernel.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::compile {

/// Compiles all programs as compile() does. Kernels of one lane with thousands of operations are run by the interpreter
/// until that has taken about as long as generating their machine code takes, and by machine code from then on: that of
/// large systems takes longer to generate than a short run takes, and no method calls all kernels. Both have the same
/// bits. Of threads that share a kernel one generates the code, while the others go on with the interpreter. Calls of
/// such kernels throw CompileError if the back end fails.
std::vector<kernel::Kernel> compile_deferred(std::span<const symbolic::Program> programs, const Options& options = {});

}  // namespace herglotz::compile
