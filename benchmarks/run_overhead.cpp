// Simulator::run of a compiled model as C++ calls it: what benchmarks/python_overhead.py weighs the package against.

#include <benchmark/benchmark.h>

#include <cstddef>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;

/// The damped pendulum, every step stored.
void bare_run(benchmark::State& state) {
  auto problem = io::read_model(HERGLOTZ_SOURCE_DIR "/models/damped-pendulum.toml");
  const simulate::Simulator simulator(problem.system, {}, problem.initial);
  problem.settings.method = "contact-gauss-2";
  problem.settings.step = 0.005;
  problem.settings.t_end = 0.005 * static_cast<double>(state.range(0));
  for (auto _ : state) {
    const auto trajectory = simulator.run(problem.initial, problem.settings);
    benchmark::DoNotOptimize(trajectory.columns.data());
  }
}

BENCHMARK(bare_run)->Arg(10)->Arg(1000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

}  // namespace
