#include "prepare/kernel_batch.hpp"

#include <utility>

#include "herglotz/compile/deferred.hpp"

namespace herglotz::simulate {

kernel::Pattern pattern_of(const mechanics::SparseProgram& sparse) {
  return {sparse.rows, sparse.cols, sparse.row, sparse.col};
}

void KernelBatch::add(symbolic::Program program, kernel::Kernel& kernel) {
  programs_.push_back(std::move(program));
  kernels_.push_back(&kernel);
}

void KernelBatch::compile(const compile::Options& options) {
  if (programs_.empty()) return;
  auto compiled = compile::compile_deferred(programs_, options);
  for (std::size_t k = 0; k < compiled.size(); ++k) *kernels_[k] = std::move(compiled[k]);
}

}  // namespace herglotz::simulate
