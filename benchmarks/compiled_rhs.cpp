// Right-hand sides derived from a model file and compiled, against hand-written C++ at -O3: with the C library's sine,
// as one would write it, and with the joint sine and cosine of SLEEF that the compiled code calls.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/mechanics/equations.hpp"

extern "C" {
struct HandWrittenSineCosine {
  double sine;
  double cosine;
};
HandWrittenSineCosine Sleef_finz_sincosd1_u10purecfma(double);
}

namespace {

using namespace herglotz;

using RightHandSide = void (*)(const double* u, const double* p, double* out);

/// Damped pendulum of the gallery. u = (theta, omega, z, t), p = (m, l, g, gamma).
template <class SineCosine>
void pendulum_by_hand(const double* u, const double* p, double* out, SineCosine sine_cosine) {
  const double theta = u[0];
  const double omega = u[1];
  const double z = u[2];
  const double m = p[0];
  const double l = p[1];
  const double g = p[2];
  const double gamma = p[3];
  const auto [sine, cosine] = sine_cosine(theta);
  out[0] = omega;
  out[1] = -g / l * sine - gamma * omega;
  out[2] = 0.5 * m * l * l * omega * omega + m * g * l * cosine - gamma * z;
}

[[gnu::noinline]] void pendulum_std(const double* u, const double* p, double* out) {
  pendulum_by_hand(u, p, out, [](double x) { return HandWrittenSineCosine{std::sin(x), std::cos(x)}; });
}

[[gnu::noinline]] void pendulum_sleef(const double* u, const double* p, double* out) {
  pendulum_by_hand(u, p, out, Sleef_finz_sincosd1_u10purecfma);
}

/// Damped rigid body of the gallery. u = (w1, w2, w3, z, t), p = (I1, I2, I3, gamma), all read before the first write.
[[gnu::noinline]] void rigid_body_by_hand(const double* u, const double* p, double* out) {
  const double w1 = u[0];
  const double w2 = u[1];
  const double w3 = u[2];
  const double z = u[3];
  const double i1 = p[0];
  const double i2 = p[1];
  const double i3 = p[2];
  const double gamma = p[3];
  out[0] = (i2 - i3) * w2 * w3 / i1 - gamma * w1;
  out[1] = (i3 - i1) * w3 * w1 / i2 - gamma * w2;
  out[2] = (i1 - i2) * w1 * w2 / i3 - gamma * w3;
  out[3] = 0.5 * (i1 * w1 * w1 + i2 * w2 * w2 + i3 * w3 * w3) - gamma * z;
}

constexpr std::size_t most_variables = 5;
constexpr std::array<double, most_variables> start{0.4, 0.3, 0.2, 0.1, 0.0};

/// Nanoseconds a call takes inside an explicit Euler loop, where each call waits for the one before.
template <class Call>
double time_per_call(const Call& call, std::size_t dimension) {
  constexpr int calls = 20000;
  std::array<double, most_variables> u = start;
  std::array<double, most_variables> out{};
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) {
    call(u.data(), out.data());
    for (std::size_t k = 0; k < dimension; ++k) {
      u[k] += 1e-4 * out[k];
      benchmark::DoNotOptimize(u[k]);  // one entry at a time: a vector load of scalar stores would stall
    }
  }
  benchmark::DoNotOptimize(u);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count() / calls;
}

/// The largest relative difference of two right-hand sides at one state: they must be the same function.
double difference(const std::array<double, most_variables>& a, const std::array<double, most_variables>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]) / (1 + std::abs(b[k])));
  return largest;
}

/// Both in one run, alternating, best of each: the ratio is what counts.
void ratio(benchmark::State& state, const std::string& model, RightHandSide by_hand) {
  const auto problem = io::read_model(HERGLOTZ_SOURCE_DIR "/models/" + model + ".toml");
  const auto kernel = compile::compile(mechanics::flow_program(problem.system, mechanics::derive(problem.system)));
  std::vector<double> p;
  for (const auto& parameter : problem.system.parameters) p.push_back(parameter.value);
  std::vector<double> work(kernel.work_size());
  const volatile RightHandSide opaque = by_hand;  // so that nothing of it is inlined or specialised
  const RightHandSide hidden = opaque;
  const auto call_compiled = [&](const double* u, double* out) { kernel(u, p.data(), out, work.data()); };
  const auto call_written = [&](const double* u, double* out) { hidden(u, p.data(), out); };

  std::array<double, most_variables> from_compiled{};
  std::array<double, most_variables> from_written{};
  call_compiled(start.data(), from_compiled.data());
  call_written(start.data(), from_written.data());
  if (!(difference(from_compiled, from_written) < 1e-14)) {
    state.SkipWithError("the compiled and the hand-written right-hand side differ");
    return;
  }
  double compiled = std::numeric_limits<double>::infinity();
  double written = std::numeric_limits<double>::infinity();
  for (auto iteration : state) {
    compiled = std::min(compiled, time_per_call(call_compiled, kernel.outputs()));
    written = std::min(written, time_per_call(call_written, kernel.outputs()));
  }
  state.counters["compiled_ns"] = compiled;
  state.counters["by_hand_ns"] = written;
  state.counters["ratio"] = compiled / written;
}

void pendulum_against_std(benchmark::State& state) {
  ratio(state, "damped-pendulum", pendulum_std);
}
void pendulum_against_sleef(benchmark::State& state) {
  ratio(state, "damped-pendulum", pendulum_sleef);
}
void rigid_body_against_hand(benchmark::State& state) {
  ratio(state, "rigid-body", rigid_body_by_hand);
}

BENCHMARK(pendulum_against_std);
BENCHMARK(pendulum_against_sleef);
BENCHMARK(rigid_body_against_hand);

}  // namespace
