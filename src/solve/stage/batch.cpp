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

StageKernels::StageKernels(const control::StagePrograms& programs)
    : programs_{programs.values, programs.jacobian.program, programs.hessian.program} {
  // The interpreter takes about `interpreted` seconds for an operation at one point; the compiler takes `first`
  // seconds, and `more` for an operation of all lanes.
  constexpr double interpreted = 1.5e-9;
  constexpr double first = 0.010;
  constexpr double more = 50e-6;
  compile::Options options;
  options.backend = compile::Backend::interpreter;
  options.lanes = compile::native_lanes();
  kernels_ = compile::compile(programs_, options);
  double all = 0;
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    operations_[k] = kernels_[k].work_size() / static_cast<std::size_t>(options.lanes);
    all += static_cast<double>(operations_[k]);
  }
  budget_ = (first + more * all) / interpreted;
  // Behind the wide kernels are those for single points.
  options.lanes = 1;
  for (auto& kernel : compile::compile(programs_, options)) kernels_.push_back(std::move(kernel));
}

const kernel::Kernel& StageKernels::kernel(std::size_t which, std::size_t points) {
  if (compiled_) return kernels_[which];
  constexpr std::size_t few = 3;
  const auto lanes = static_cast<std::size_t>(kernels_[which].lanes());
  const bool single = points <= few && lanes > few;
  const std::size_t evaluated = single ? points : (points + lanes - 1) / lanes * lanes;
  budget_ -= static_cast<double>(operations_[which] * evaluated);
  if (budget_ >= 0) return kernels_[single ? programs_.size() + which : which];
  compile::Options options;
  options.lanes = compile::native_lanes();
  auto compiled = compile::compile(programs_, options);
  std::move(compiled.begin(), compiled.end(), kernels_.begin());
  compiled_ = true;
  return kernels_[which];
}

Batch::Batch(const control::StagePrograms& programs, const std::vector<double>& parameters)
    : kernels_(std::make_shared<StageKernels>(programs)), parameters_(parameters) {
  const auto plain = [](std::size_t number, const symbolic::Program& program) {
    return Function{number, std::vector<double>(program.variables.size(), 1.0),
                    std::vector<double>(program.outputs.size(), 1.0)};
  };
  values_ = plain(0, programs.values);
  jacobian_ = plain(1, programs.jacobian.program);
  hessian_ = plain(2, programs.hessian.program);
  jacobian_places_ = places(programs.jacobian, functions(), inputs());
  hessian_places_ = places(programs.hessian, inputs(), inputs());
}

Batch Batch::in_units(const std::vector<double>& of_inputs, const std::vector<double>& of_functions) const {
  Batch result = *this;
  result.values_.in = of_inputs;
  result.jacobian_.in = of_inputs;
  result.hessian_.in = of_inputs;
  for (const double unit : of_functions) result.hessian_.in.push_back(1 / unit);
  result.hessian_.in.resize(hessian_.in.size());
  for (std::size_t i = 0; i < functions(); ++i) result.values_.out[i] = 1 / of_functions[i];
  for (std::size_t e = 0; e < jacobian_places_.row.size(); ++e)
    result.jacobian_.out[e] = of_inputs[jacobian_places_.col[e]] / of_functions[jacobian_places_.row[e]];
  for (std::size_t e = 0; e < hessian_places_.row.size(); ++e)
    result.hessian_.out[e] = of_inputs[hessian_places_.row[e]] * of_inputs[hessian_places_.col[e]];
  return result;
}

void Batch::run(const Function& function, std::span<const double> points, std::span<double> out) const {
  const std::size_t in = function.in.size();
  const std::size_t outputs = function.out.size();
  if (outputs == 0) return;
  const std::size_t count = points.size() / in;
  const kernel::Kernel& kernel = kernels_->kernel(function.number, count);
  const auto lanes = static_cast<std::size_t>(kernel.lanes());
  // Few points are evaluated often, so that one piece of memory holds everything.
  const std::size_t size = (parameters_.size() + in + outputs) * lanes + kernel.work_size();
  const auto memory = std::make_unique_for_overwrite<double[]>(size);
  double* const parameters = memory.get();
  double* const u = parameters + parameters_.size() * lanes;
  double* const result = u + in * lanes;
  double* const work = result + outputs * lanes;
  for (std::size_t i = 0; i < parameters_.size(); ++i) std::fill_n(parameters + i * lanes, lanes, parameters_[i]);
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t last = std::min(count, first + lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double* point = points.data() + std::min(first + lane, last - 1) * in;
      for (std::size_t i = 0; i < in; ++i) u[i * lanes + lane] = function.in[i] * point[i];
    }
    kernel(u, parameters, result, work);
    for (std::size_t k = first; k < last; ++k)
      for (std::size_t i = 0; i < outputs; ++i)
        out[k * outputs + i] = function.out[i] * result[i * lanes + (k - first)];
  }
}

}  // namespace herglotz::solve
