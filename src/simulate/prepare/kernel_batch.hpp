#pragma once
/// Programs that are compiled together.

#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/mechanics/equations.hpp"

namespace herglotz::simulate {

/// How long kernels are used: all along a run, or perhaps for a few calls. The latter are run by the interpreter at
/// first, whatever their length.
enum class Lives { long_enough, maybe_briefly };

/// Compiles programs in one set-up, each into the kernel that it was added for.
class KernelBatch {
 public:
  /// Adds a program. compile() writes its kernel to `kernel`, which must stay where it is until then.
  void add(symbolic::Program program, kernel::Kernel& kernel);
  /// Adds the program of a sparse matrix likewise, and writes the places of its entries to `pattern`.
  void add(mechanics::SparseProgram sparse, kernel::Kernel& kernel, kernel::Pattern& pattern);
  /// Compiles all programs, if there are any. Throws as compile::compile does.
  void compile(const compile::Options& options, Lives lives = Lives::long_enough);

 private:
  std::vector<symbolic::Program> programs_;
  std::vector<kernel::Kernel*> kernels_;
};

}  // namespace herglotz::simulate
