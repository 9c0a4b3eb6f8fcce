#include <benchmark/benchmark.h>

#include <array>
#include <cmath>

#include "herglotz/integrate/integrate.hpp"

namespace {

using namespace herglotz;

/// Damped pendulum, L = v^2/2 + cos q - z/10: kernels as a compiler would write them, without std::function in between.
integrate::Dynamics damped_pendulum() {
  integrate::Dynamics dynamics;
  dynamics.n = dynamics.r = 1;
  dynamics.stage = {"stage",
                    [](const void*, const double* u, const double*, double* out, double*) {
                      out[0] = u[1];
                      out[1] = u[1];
                      out[2] = -std::sin(u[0]);
                      out[3] = u[1] * u[1] / 2 + std::cos(u[0]) - 0.1 * u[2];
                      out[4] = -0.1;
                    },
                    nullptr,
                    4,
                    0,
                    5,
                    0,
                    1};
  dynamics.stage_pattern = {5, 3, {0, 1, 2, 3, 3, 3}, {1, 1, 0, 0, 1, 2}};
  dynamics.stage_jacobian = {"stage_jacobian",
                             [](const void*, const double* u, const double*, double* out, double*) {
                               out[0] = 1;
                               out[1] = 1;
                               out[2] = -std::cos(u[0]);
                               out[3] = -std::sin(u[0]);
                               out[4] = u[1];
                               out[5] = -0.1;
                             },
                             nullptr,
                             4,
                             0,
                             6,
                             0,
                             1};
  return dynamics;
}

/// Steps per second of a contact Gauss method, start and end samples only.
void contact_gauss_on_the_damped_pendulum(benchmark::State& state) {
  const auto dynamics = damped_pendulum();
  constexpr std::size_t steps = 100'000;
  integrate::Settings settings;
  settings.method = "contact-gauss-" + std::to_string(state.range(0));
  settings.step = 0.01;
  settings.t_end = settings.step * static_cast<double>(steps);
  const std::array<double, 3> start{1.0, 0.0, 0.0};
  std::size_t iterations = 0;
  for (auto _ : state) {
    const auto outcome =
        integrate::integrate(dynamics, {}, 0, start, settings, [](const integrate::Sample&) { return true; });
    if (outcome.status != integrate::Status::success) state.SkipWithError(outcome.message.c_str());
    iterations = outcome.newton_iterations;
    benchmark::DoNotOptimize(outcome.state.data());
  }
  state.counters["steps"] = benchmark::Counter(static_cast<double>(steps) * static_cast<double>(state.iterations()),
                                               benchmark::Counter::kIsRate);
  state.counters["newton_per_step"] = static_cast<double>(iterations) / static_cast<double>(steps);
}

BENCHMARK(contact_gauss_on_the_damped_pendulum)->Arg(2)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);

}  // namespace
