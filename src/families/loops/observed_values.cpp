#include "loops/observed_values.hpp"

#include "herglotz/compile/compile.hpp"
#include "herglotz/families/equations.hpp"

namespace herglotz::families {

ObservedValues::ObservedValues(Model& model) : parameters_(parameter_values(model)) {
  if (model.observables.empty()) return;
  symbolic::Program program{"observables", model.graph, {}, {}, {}};
  for (const Observable& observable : model.observables) {
    program.outputs.push_back(observable.value);
    for (const auto& [symbol, sum] : observable.sums) program.variables.push_back(symbol);
  }
  program.variables.push_back(model.z);
  program.variables.push_back(model.t);
  for (const auto& parameter : model.parameters) program.parameters.push_back(parameter.symbol);
  kernel_ = compile::compile(program);
  work_.resize(kernel_.work_size());
}

std::vector<double> ObservedValues::operator()(std::span<const double> sums, double z, double t) {
  if (!kernel_) return {};
  std::vector<double> at(sums.begin(), sums.end());
  at.push_back(z);
  at.push_back(t);
  std::vector<double> values(kernel_.outputs());
  kernel_(at.data(), parameters_.data(), values.data(), work_.data());
  return values;
}

}  // namespace herglotz::families
