// Steps per second of the contact Gauss methods on the damped pendulum of the gallery, one lane, one thread.

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;

constexpr std::size_t steps = 100'000;
constexpr double step = 0.005;
constexpr std::array<double, 3> start{2.5, 0.4, 0.0};

/// L = m l^2 omega^2/2 + m g l cos(theta) - gamma z, p = (m, l, g, gamma): kernels as one would write them by hand,
/// without std::function in between.
integrate::Dynamics written_by_hand() {
  integrate::Dynamics dynamics;
  dynamics.n = dynamics.r = 1;
  dynamics.stage = {"stage",
                    [](const void*, const double* u, const double* p, double* out, double*) {
                      const double inertia = p[0] * p[1] * p[1];
                      const double weight = p[0] * p[2] * p[1];
                      out[0] = u[1];
                      out[1] = inertia * u[1];
                      out[2] = -weight * std::sin(u[0]);
                      out[3] = inertia * u[1] * u[1] / 2 + weight * std::cos(u[0]) - p[3] * u[2];
                      out[4] = -p[3];
                    },
                    nullptr,
                    4,
                    4,
                    5,
                    0,
                    1};
  dynamics.stage_pattern = {5, 3, {0, 1, 2, 3, 3, 3}, {1, 1, 0, 0, 1, 2}};
  dynamics.stage_jacobian = {"stage_jacobian",
                             [](const void*, const double* u, const double* p, double* out, double*) {
                               const double inertia = p[0] * p[1] * p[1];
                               const double weight = p[0] * p[2] * p[1];
                               out[0] = 1;
                               out[1] = inertia;
                               out[2] = -weight * std::cos(u[0]);
                               out[3] = -weight * std::sin(u[0]);
                               out[4] = inertia * u[1];
                               out[5] = -p[3];
                             },
                             nullptr,
                             4,
                             4,
                             6,
                             0,
                             1};
  return dynamics;
}

simulate::Problem damped_pendulum() {
  return io::read_model(HERGLOTZ_SOURCE_DIR "/models/damped-pendulum.toml");
}

std::string method(const benchmark::State& state) {
  return "contact-gauss-" + std::to_string(state.range(0));
}

void count_steps(benchmark::State& state, std::size_t newton_iterations) {
  state.counters["steps"] = benchmark::Counter(static_cast<double>(steps) * static_cast<double>(state.iterations()),
                                               benchmark::Counter::kIsRate);
  state.counters["newton_per_step"] = static_cast<double>(newton_iterations) / static_cast<double>(steps);
}

/// The integrator alone; samples at the start and the end.
void follow(benchmark::State& state, const integrate::Dynamics& dynamics) {
  const std::vector<double> parameters{1.0, 1.0, 9.81, 0.2};
  integrate::Settings settings;
  settings.method = method(state);
  settings.step = step;
  settings.t_end = step * static_cast<double>(steps);
  std::size_t iterations = 0;
  for (auto _ : state) {
    const auto outcome =
        integrate::integrate(dynamics, parameters, 0, start, settings, [](const integrate::Sample&) { return true; });
    if (outcome.status != integrate::Status::success) state.SkipWithError(outcome.reason.text().c_str());
    iterations = outcome.newton_iterations;
    benchmark::DoNotOptimize(outcome.state.data());
  }
  count_steps(state, iterations);
}

void hand_written_kernels(benchmark::State& state) {
  follow(state, written_by_hand());
}

void compiled_kernels(benchmark::State& state) {
  const simulate::Simulator simulator(damped_pendulum().system);
  integrate::Dynamics dynamics = simulator.dynamics();
  dynamics.laws = 0;
  dynamics.balance = {};
  follow(state, dynamics);
}

void compiled_kernels_and_balance_laws(benchmark::State& state) {
  const simulate::Simulator simulator(damped_pendulum().system);
  follow(state, simulator.dynamics());
}

/// What `herglotz simulate` does once the model is compiled: balance laws, observables and a thousand rows.
void verified_run(benchmark::State& state) {
  auto problem = damped_pendulum();
  const simulate::Simulator simulator(problem.system);
  problem.settings.method = method(state);
  problem.settings.step = step;
  problem.settings.t_end = step * static_cast<double>(steps);
  std::size_t iterations = 0;
  for (auto _ : state) {
    const auto trajectory = simulator.run(problem.initial, problem.settings);
    iterations = trajectory.facts.newton_iterations;
    benchmark::DoNotOptimize(trajectory.rows());
  }
  count_steps(state, iterations);
}

BENCHMARK(hand_written_kernels)->Arg(2)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);
BENCHMARK(compiled_kernels)->Arg(2)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);
BENCHMARK(compiled_kernels_and_balance_laws)->Arg(2)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);
BENCHMARK(verified_run)->Arg(2)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);

}  // namespace
