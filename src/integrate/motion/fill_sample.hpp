#pragma once
/// The sample of a run from the numbers that a method carries.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

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

/// Writes NaN for those entries of (x, w, z, nu) that a motion of chosen entries does not follow.
inline void leave_unknown(const CompiledLoops& motion, std::span<double> state) {
  if (motion.kept.empty()) return;
  std::size_t e = 0;
  for (std::size_t i = 0; i < state.size(); ++i)
    if (e < motion.kept.size() && motion.kept[e] == i)
      ++e;
    else
      state[i] = std::numeric_limits<double>::quiet_NaN();
}

/// Does the same for a sample, whose integrating factor and budgets are not followed either.
inline void leave_unknown(const CompiledLoops& motion, Sample& sample) {
  if (motion.kept.empty()) return;
  leave_unknown(motion, std::span(sample.state));
  sample.log_factor = std::numeric_limits<double>::quiet_NaN();
  std::fill(sample.budget.begin(), sample.budget.end(), sample.log_factor);
}

}  // namespace herglotz::integrate
