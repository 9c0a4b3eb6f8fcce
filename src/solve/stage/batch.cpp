#include "stage/batch.hpp"

#include <algorithm>
#include <array>

#include "herglotz/compile/compile.hpp"

namespace herglotz::solve {
namespace {

kernel::Pattern places(const control::Derivatives& derivatives, std::size_t rows, std::size_t cols) {
  return {rows, cols, derivatives.row, derivatives.col};
}

}  // namespace

Batch::Batch(const control::StagePrograms& programs, const std::vector<double>& parameters) {
  compile::Options options;
  options.lanes = compile::native_lanes();
  const std::array all{programs.values, programs.jacobian.program, programs.hessian.program};
  const auto kernels = compile::compile(all, options);
  values_ = kernels[0];
  jacobian_ = kernels[1];
  hessian_ = kernels[2];
  const auto lanes = static_cast<std::size_t>(values_.lanes());
  for (const double parameter : parameters) parameters_.insert(parameters_.end(), lanes, parameter);
  jacobian_places_ = places(programs.jacobian, functions(), inputs());
  hessian_places_ = places(programs.hessian, inputs(), inputs());
}

void Batch::run(const kernel::Kernel& kernel, std::span<const double> points, std::span<double> out) const {
  const auto lanes = static_cast<std::size_t>(kernel.lanes());
  const std::size_t in = kernel.variables();
  const std::size_t outputs = kernel.outputs();
  if (outputs == 0) return;
  const std::size_t count = points.size() / in;
  std::vector<double> u(in * lanes);
  std::vector<double> result(outputs * lanes);
  std::vector<double> work(kernel.work_size());
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t last = std::min(count, first + lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double* point = points.data() + std::min(first + lane, last - 1) * in;
      for (std::size_t i = 0; i < in; ++i) u[i * lanes + lane] = point[i];
    }
    kernel(u.data(), parameters_.data(), result.data(), work.data());
    for (std::size_t k = first; k < last; ++k)
      for (std::size_t i = 0; i < outputs; ++i) out[k * outputs + i] = result[i * lanes + (k - first)];
  }
}

}  // namespace herglotz::solve
