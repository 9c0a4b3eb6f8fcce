// Members of a sweep, in one thread: what is left of their time outside of steps, and what rows cost beside steps.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/io/model_file.hpp"

namespace {

using namespace herglotz;

constexpr double step = 0.01;
constexpr std::size_t steps = 1000;

/// Damped pendulums of random damping and start.
ensemble::Ensemble pendulums(std::size_t members, std::size_t steps_of_member, ensemble::Output output) {
  ensemble::Plan plan;
  plan.problem = io::read_model(HERGLOTZ_SOURCE_DIR "/models/damped-pendulum.toml");
  plan.problem.settings.method = "runge-kutta-8";
  plan.problem.settings.step = step;
  plan.problem.settings.t_end = step * static_cast<double>(steps_of_member);
  plan.problem.settings.output_every = 1;
  using Kind = ensemble::ProbabilityDistribution::Kind;
  plan.sweep.quantities = {
      {ensemble::Target::parameter, "gamma", ensemble::ProbabilityDistribution{Kind::uniform, 0.1, 0.3}},
      {ensemble::Target::initial, "theta", ensemble::ProbabilityDistribution{Kind::normal, 1.0, 0.2}},
  };
  plan.sweep.samples = members;
  plan.output = std::move(output);
  return ensemble::Ensemble(std::move(plan), {1, 0});
}

/// Returns the time of a whole sweep in ns, divided by its members.
double time_per_member(const ensemble::Ensemble& sweep) {
  const auto began = std::chrono::steady_clock::now();
  sweep.run({}, [](ensemble::Block&& block) { benchmark::DoNotOptimize(block.steps); });
  const auto taken = std::chrono::steady_clock::now() - began;
  return std::chrono::duration<double, std::nano>(taken).count() / static_cast<double>(sweep.layout().members);
}

const ensemble::Output final_state{ensemble::Keep::final, {}, {"theta", "omega"}};

/// Final states of 1000 steps, against the same members with a single step: the rest is draws, starts and ends.
void final_states(benchmark::State& state) {
  const auto whole = pendulums(4096, steps, final_state);
  const auto first = pendulums(4096, 1, final_state);
  double of_all = std::numeric_limits<double>::infinity();
  double of_one = std::numeric_limits<double>::infinity();
  for (auto iteration : state) {
    of_all = std::min(of_all, time_per_member(whole));
    of_one = std::min(of_one, time_per_member(first));
  }
  const double of_step = (of_all - of_one) / static_cast<double>(steps - 1);
  state.counters["step_ns"] = of_step;
  state.counters["member_ns"] = of_one - of_step;
  state.counters["outside"] = 100 * (of_one - of_step) / of_all;
}

/// Rows of some kind in every step, against the steps of final states.
void rows(benchmark::State& state, ensemble::Output output) {
  const auto with_rows = pendulums(1024, steps, std::move(output));
  const auto without = pendulums(1024, steps, final_state);
  double time = std::numeric_limits<double>::infinity();
  double of_steps = std::numeric_limits<double>::infinity();
  for (auto iteration : state) {
    time = std::min(time, time_per_member(with_rows));
    of_steps = std::min(of_steps, time_per_member(without));
  }
  state.counters["row_ns"] = time / static_cast<double>(steps);
  state.counters["ratio"] = time / of_steps;
}

BENCHMARK(final_states)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rows, statistics, {ensemble::Keep::statistics, {}, {}})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rows, statistics_of_states, {ensemble::Keep::statistics, {}, {"theta", "omega"}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rows, residuals_at_the_end, {ensemble::Keep::final, {}, {}})->Unit(benchmark::kMillisecond);

}  // namespace
