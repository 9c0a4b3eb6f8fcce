#include "loops/observed_values.hpp"

#include <algorithm>

#include "herglotz/compile/compile.hpp"

namespace herglotz::families {

ObservedValues::ObservedValues(Model& model) : observables_(model.observables.size()) {
  const std::vector<Observable> watched = model.watched();
  if (watched.empty()) return;
  symbolic::Program program{"observables", model.graph, {}, {}, {}};
  // A sum, such as the coordinate of one site, may have the same symbol in several observables.
  std::size_t sums = 0;
  const auto read = [&](Expr symbol) {
    if (std::find(program.variables.begin(), program.variables.end(), symbol) == program.variables.end()) {
      program.variables.push_back(symbol);
      read_.push_back(sums);
    }
    ++sums;
  };
  for (const Observable& observable : watched) {
    program.outputs.push_back(observable.value);
    for (const auto& [symbol, sum] : observable.sums) read(symbol);
    for (const auto& [symbol, sum] : observable.graph_sums) read(symbol);
  }
  program.variables.insert(program.variables.end(), {model.z, model.t, model.energy});
  for (const auto& parameter : model.parameters) program.parameters.push_back(parameter.symbol);
  kernel_ = compile::compile(program);
  work_.resize(kernel_.work_size());
}

void ObservedValues::put(Observed& row, std::span<const double> sums, double t) {
  if (!kernel_) return;
  std::vector<double> at;
  for (const std::size_t sum : read_) at.push_back(sums[sum]);
  at.insert(at.end(), {row.z, t, row.laws.front().quantity});
  std::vector<double> values(kernel_.outputs());
  kernel_(at.data(), parameters_.data(), values.data(), work_.data());
  const auto events = values.begin() + static_cast<std::ptrdiff_t>(observables_);
  row.observables.assign(values.begin(), events);
  row.events.assign(events, values.end());
}

}  // namespace herglotz::families
