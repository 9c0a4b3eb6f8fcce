// This file is compiled once for each width of registers, which CMake defines.
// It holds the samples of W lanes of a loop.

#include "runge_kutta/lane_entries.hpp"

#include "herglotz/kernel/exponential.hpp"

namespace herglotz::integrate {

template <int W>
void write_sample(const LaneEntries& entries, double* numbers) {
  using P = kernel::NumbersOf<W>;
  const auto row = [&](std::size_t i) { return kernel::load<P>(entries.rows + i * entries.stride); };
  for (std::size_t i = 0; i < entries.state; ++i) kernel::store(numbers + i * W, row(i));
  double* const log_factor = numbers + entries.state * W;
  double* const budgets = log_factor + W;
  std::size_t entry = entries.state;
  const P factor = entries.has_factor ? row(entry++) : -kernel::load<P>(entries.dissipation) * entries.elapsed;
  kernel::store(log_factor, factor);
  if (entries.carried_count < entries.laws) {
    const P decay = kernel::exponential(-factor);
    for (std::size_t k = 0; k < entries.laws; ++k)
      kernel::store(budgets + k * W, kernel::load<P>(entries.budgets + k * entries.stride) * decay);
  }
  for (std::size_t k = 0; k < entries.carried_count; ++k, ++entry)
    if (entries.carried[k] < entries.laws) kernel::store(budgets + entries.carried[k] * W, row(entry));
}

template void write_sample<HERGLOTZ_WIDTH>(const LaneEntries& entries, double* numbers);

}  // namespace herglotz::integrate
