#include "prepare/kernel_batch.hpp"

#include <utility>

#include "herglotz/compile/deferred.hpp"

namespace herglotz::simulate {

void KernelBatch::add(symbolic::Program program, kernel::Kernel& kernel) {
  programs_.push_back(std::move(program));
  kernels_.push_back(&kernel);
}

void KernelBatch::add(mechanics::SparseProgram sparse, kernel::Kernel& kernel, kernel::Pattern& pattern) {
  add(std::move(sparse.program), kernel);
  pattern = {sparse.rows, sparse.cols, std::move(sparse.row), std::move(sparse.col)};
}

void KernelBatch::compile(const compile::Options& options, Lives lives) {
  if (programs_.empty()) return;
  const std::size_t many = lives == Lives::maybe_briefly ? 0 : compile::many_operations;
  auto compiled = compile::compile_deferred(programs_, options, many);
  for (std::size_t k = 0; k < compiled.size(); ++k) *kernels_[k] = std::move(compiled[k]);
}

}  // namespace herglotz::simulate
