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

Batch::Batch(const control::StagePrograms& programs, const std::vector<double>& parameters, bool compiled) {
  compile::Options options;
  if (compiled)
    options.lanes = compile::native_lanes();
  else
    options.backend = compile::Backend::interpreter;
  const std::array all{programs.values, programs.jacobian.program, programs.hessian.program};
  const auto kernels = compile::compile(all, options);
  const auto plain = [](const kernel::Kernel& kernel) {
    return Function{kernel, std::vector<double>(kernel.variables(), 1.0), std::vector<double>(kernel.outputs(), 1.0)};
  };
  values_ = plain(kernels[0]);
  jacobian_ = plain(kernels[1]);
  hessian_ = plain(kernels[2]);
  const auto lanes = static_cast<std::size_t>(values_.kernel.lanes());
  for (const double parameter : parameters) parameters_.insert(parameters_.end(), lanes, parameter);
  jacobian_places_ = places(programs.jacobian, functions(), inputs());
  hessian_places_ = places(programs.hessian, inputs(), inputs());
}

Batch Batch::in_units(const std::vector<double>& of_inputs, const std::vector<double>& of_functions) const {
  Batch result = *this;
  result.values_.in = of_inputs;
  result.jacobian_.in = of_inputs;
  result.hessian_.in = of_inputs;
  for (const double unit : of_functions) result.hessian_.in.push_back(1 / unit);
  result.hessian_.in.resize(hessian_.kernel.variables());
  for (std::size_t i = 0; i < functions(); ++i) result.values_.out[i] = 1 / of_functions[i];
  for (std::size_t e = 0; e < jacobian_places_.row.size(); ++e)
    result.jacobian_.out[e] = of_inputs[jacobian_places_.col[e]] / of_functions[jacobian_places_.row[e]];
  for (std::size_t e = 0; e < hessian_places_.row.size(); ++e)
    result.hessian_.out[e] = of_inputs[hessian_places_.row[e]] * of_inputs[hessian_places_.col[e]];
  return result;
}

void Batch::run(const Function& function, std::span<const double> points, std::span<double> out) const {
  const kernel::Kernel& kernel = function.kernel;
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
      for (std::size_t i = 0; i < in; ++i) u[i * lanes + lane] = function.in[i] * point[i];
    }
    kernel(u.data(), parameters_.data(), result.data(), work.data());
    for (std::size_t k = first; k < last; ++k)
      for (std::size_t i = 0; i < outputs; ++i)
        out[k * outputs + i] = function.out[i] * result[i * lanes + (k - first)];
  }
}

}  // namespace herglotz::solve
