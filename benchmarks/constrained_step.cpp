// A step under constraints against the same step without them: the sleigh and the disk, contact Gauss, one lane, one
// thread.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

#include "constrained_models.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;

constexpr double step = 0.01;
constexpr std::size_t steps = 1000;

struct Timed {
  double nanoseconds = std::numeric_limits<double>::infinity();  ///< of the fastest run, per step
  double newton_iterations = 0;                                  ///< per step
};

/// One run, sampled at its ends only; what it took goes into `timed`.
bool run(benchmark::State& state, const integrate::Dynamics& dynamics, const bench::Constrained& system,
         const integrate::Settings& settings, Timed& timed) {
  const auto began = std::chrono::steady_clock::now();
  const auto outcome = integrate::integrate(dynamics, system.parameters, 0, system.start, settings,
                                            [](const integrate::Sample&) { return true; });
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
  if (outcome.status != integrate::Status::success) {
    state.SkipWithError(outcome.reason.text().c_str());
    return false;
  }
  constexpr auto per_step = 1.0 / static_cast<double>(steps);
  timed.nanoseconds = std::min(timed.nanoseconds, took.count() * per_step);
  timed.newton_iterations = static_cast<double>(outcome.newton_iterations) * per_step;
  return true;
}

/// Both in one run, alternating, best of each: the ratio is what counts.
void ratio(benchmark::State& state, const bench::Constrained& system, bool with_laws) {
  const simulate::Simulator constrained_simulator(system.constrained);
  const simulate::Simulator free_simulator(system.free);
  integrate::Dynamics constrained = constrained_simulator.dynamics();
  integrate::Dynamics free = free_simulator.dynamics();
  if (!with_laws) {
    for (integrate::Dynamics* dynamics : {&constrained, &free}) {
      dynamics->laws = 0;
      dynamics->balance = {};
    }
  }
  integrate::Settings settings;
  settings.method = "contact-gauss-" + std::to_string(state.range(0));
  settings.step = step;
  settings.t_end = step * static_cast<double>(steps);
  Timed under;
  Timed without;
  for (auto iteration : state) {
    if (!run(state, constrained, system, settings, under) || !run(state, free, system, settings, without)) return;
  }
  state.counters["constrained_ns"] = under.nanoseconds;
  state.counters["unconstrained_ns"] = without.nanoseconds;
  state.counters["constrained_newton"] = under.newton_iterations;
  state.counters["unconstrained_newton"] = without.newton_iterations;
  state.counters["ratio"] = under.nanoseconds / without.nanoseconds;
}

void sleigh(benchmark::State& state) {
  ratio(state, bench::sleigh(), false);
}
void sleigh_with_balance_laws(benchmark::State& state) {
  ratio(state, bench::sleigh(), true);
}
void disk(benchmark::State& state) {
  ratio(state, bench::disk(), false);
}
void disk_with_balance_laws(benchmark::State& state) {
  ratio(state, bench::disk(), true);
}

BENCHMARK(sleigh)->Arg(2)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);
BENCHMARK(sleigh_with_balance_laws)->Arg(2)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);
BENCHMARK(disk)->Arg(2)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);
BENCHMARK(disk_with_balance_laws)->Arg(2)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);

}  // namespace
