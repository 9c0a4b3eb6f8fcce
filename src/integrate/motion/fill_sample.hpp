#pragma once
/// The sample of a run from the numbers that a method carries.

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Entries of one lane among numbers in which the entries of all lanes stand beside each other.
struct LaneNumbers {
  const double* first;
  std::size_t lanes;

  double operator[](std::size_t i) const { return first[i * lanes]; }
};

/// Writes a sample, whose sizes are set: `state` has its entries, and `carried` log lambda and then the budgets.
template <class State, class Carried>
void fill_sample(Sample& sample, double t, const State& state, const Carried& carried) {
  sample.t = t;
  for (std::size_t i = 0; i < sample.state.size(); ++i) sample.state[i] = state[i];
  sample.log_factor = carried[0];
  for (std::size_t k = 0; k < sample.budget.size(); ++k) sample.budget[k] = carried[1 + k];
}

}  // namespace herglotz::integrate
