// Compiled right-hand sides against hand-written C++ at -O3, both with the C library's sine and with the joint sine and
// cosine of SLEEF that the compiled code calls.

#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/symbolic/graph.hpp"

extern "C" {
struct HandWrittenSineCosine {
  double sine;
  double cosine;
};
HandWrittenSineCosine Sleef_finz_sincosd1_u10purecfma(double);
}

namespace {

using namespace herglotz;

using RightHandSide = void (*)(const void* context, const double* u, const double* p, double* out, double* work);

// Damped pendulum, L = m l^2 omega^2/2 + m g l cos(theta) - gamma z. u = (theta, omega, z), p = (m, g, l, gamma).
symbolic::Program pendulum() {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto theta = graph->symbol("theta");
  const auto omega = graph->symbol("omega");
  const auto z = graph->symbol("z");
  const auto m = graph->symbol("m");
  const auto g = graph->symbol("g");
  const auto l = graph->symbol("l");
  const auto gamma = graph->symbol("gamma");
  return {"pendulum",
          graph,
          {theta, omega, z},
          {m, g, l, gamma},
          {omega, -g / l * sin(theta) - gamma * omega,
           m * l * l * omega * omega / 2.0 + m * g * l * cos(theta) - gamma * z}};
}

template <class SineCosine>
void pendulum_by_hand(const double* u, const double* p, double* out, SineCosine sine_cosine) {
  const double theta = u[0];
  const double omega = u[1];
  const double z = u[2];
  const double m = p[0];
  const double g = p[1];
  const double l = p[2];
  const double gamma = p[3];
  const auto [sine, cosine] = sine_cosine(theta);
  out[0] = omega;
  out[1] = -g / l * sine - gamma * omega;
  out[2] = 0.5 * m * l * l * omega * omega + m * g * l * cosine - gamma * z;
}

[[gnu::noinline]] void pendulum_std(const void* /*context*/, const double* u, const double* p, double* out,
                                    double* /*work*/) {
  pendulum_by_hand(u, p, out, [](double x) { return HandWrittenSineCosine{std::sin(x), std::cos(x)}; });
}

[[gnu::noinline]] void pendulum_sleef(const void* /*context*/, const double* u, const double* p, double* out,
                                      double* /*work*/) {
  pendulum_by_hand(u, p, out, Sleef_finz_sincosd1_u10purecfma);
}

// Dissipative rigid body on so(3), l = w.I w/2 - gamma z. u = (w1, w2, w3, z), p = (I1, I2, I3, gamma).
symbolic::Program rigid_body() {
  auto graph = std::make_shared<symbolic::Graph>();
  const std::array w{graph->symbol("w1"), graph->symbol("w2"), graph->symbol("w3")};
  const std::array inertia{graph->symbol("I1"), graph->symbol("I2"), graph->symbol("I3")};
  const auto z = graph->symbol("z");
  const auto gamma = graph->symbol("gamma");
  symbolic::Program program{
      "rigid-body", graph, {w[0], w[1], w[2], z}, {inertia[0], inertia[1], inertia[2], gamma}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto j = (i + 1) % 3;
    const auto k = (i + 2) % 3;
    program.outputs.push_back((inertia[j] - inertia[k]) * w[j] * w[k] / inertia[i] - gamma * w[i]);
  }
  program.outputs.push_back((inertia[0] * w[0] * w[0] + inertia[1] * w[1] * w[1] + inertia[2] * w[2] * w[2]) / 2.0 -
                            gamma * z);
  return program;
}

[[gnu::noinline]] void rigid_body_by_hand(const void* /*context*/, const double* u, const double* p, double* out,
                                          double* /*work*/) {
  const double w1 = u[0];
  const double w2 = u[1];
  const double w3 = u[2];
  const double gamma = p[3];
  out[0] = (p[1] - p[2]) * w2 * w3 / p[0] - gamma * w1;
  out[1] = (p[2] - p[0]) * w3 * w1 / p[1] - gamma * w2;
  out[2] = (p[0] - p[1]) * w1 * w2 / p[2] - gamma * w3;
  out[3] = 0.5 * (p[0] * w1 * w1 + p[1] * w2 * w2 + p[2] * w3 * w3) - gamma * u[3];
}

/// Nanoseconds a call takes inside an explicit Euler loop, where each call waits for the one before.
template <class Call>
double time_per_call(const Call& call, std::size_t dimension) {
  constexpr int calls = 20000;
  std::array<double, 4> u{0.4, 0.3, 0.2, 0.1};
  std::array<double, 4> out{};
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) {
    call(u.data(), out.data());
    for (std::size_t k = 0; k < dimension; ++k) {
      u[k] += 1e-4 * out[k];
      benchmark::DoNotOptimize(u[k]);  // one entry at a time: a vector load of scalar stores would stall
    }
  }
  benchmark::DoNotOptimize(u);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / calls;
}

/// Both in one run, alternating, best of each: the ratio is what counts.
void ratio(benchmark::State& state, const symbolic::Program& program, RightHandSide by_hand) {
  const auto kernel = compile::compile(program);
  const std::array p{1.0, 2.0, 3.0, 0.1};
  std::vector<double> work(kernel.work_size());
  double compiled = 1e300;
  double written = 1e300;
  RightHandSide hidden = by_hand;
  benchmark::DoNotOptimize(hidden);
  for (auto iteration : state) {
    compiled =
        std::min(compiled, time_per_call([&](const double* u, double* out) { kernel(u, p.data(), out, work.data()); },
                                         program.outputs.size()));
    written = std::min(written,
                       time_per_call([&](const double* u, double* out) { hidden(nullptr, u, p.data(), out, nullptr); },
                                     program.outputs.size()));
  }
  state.counters["compiled_ns"] = compiled;
  state.counters["by_hand_ns"] = written;
  state.counters["ratio"] = compiled / written;
}

void pendulum_against_std(benchmark::State& state) {
  ratio(state, pendulum(), pendulum_std);
}
void pendulum_against_sleef(benchmark::State& state) {
  ratio(state, pendulum(), pendulum_sleef);
}
void rigid_body_against_hand(benchmark::State& state) {
  ratio(state, rigid_body(), rigid_body_by_hand);
}

BENCHMARK(pendulum_against_std);
BENCHMARK(pendulum_against_sleef);
BENCHMARK(rigid_body_against_hand);

}  // namespace
