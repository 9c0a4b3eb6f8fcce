#pragma once
/// Programs that are compiled together.

#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/mechanics/equations.hpp"

namespace herglotz::simulate {

/// Returns the places of the outputs of a program for a sparse matrix.
kernel::Pattern pattern_of(const mechanics::SparseProgram& sparse);

/// Compiles programs in one set-up, each into the kernel that it was added for.
class KernelBatch {
 public:
  /// Adds a program. compile() writes its kernel to `kernel`, which must stay where it is until then.
  void add(symbolic::Program program, kernel::Kernel& kernel);
  /// Compiles all programs, if there are any. Throws as compile::compile does.
  void compile(const compile::Options& options);

 private:
  std::vector<symbolic::Program> programs_;
  std::vector<kernel::Kernel*> kernels_;
};

}  // namespace herglotz::simulate
