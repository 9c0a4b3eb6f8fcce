// Derivatives of a run beside the run itself, compiled once: the gradient in reverse mode by all parameters, and
// derivatives of all rows in forward mode. The goal is at most 5 runs, and at most 1 + P/3 for P directions.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/sensitivity.hpp"

namespace {

using namespace herglotz;

/// A model of the gallery with a run of it, whose only rows are the first and the last.
struct Case {
  simulate::Problem problem;
  simulate::Simulator simulator;
  simulate::SensitivityRequest request;

  Case(const std::string& model, const std::string& method, double step, std::size_t directions)
      : problem(io::read_model(HERGLOTZ_SOURCE_DIR "/models/" + model + ".toml")),
        simulator(problem.system, {}, problem.initial),
        request{{}, problem.initial, problem.settings} {
    request.expressions = problem.expressions;
    request.settings.method = method;
    request.settings.step.reset();
    request.settings.tolerance.reset();
    if (step > 0)
      request.settings.step = step;
    else
      request.settings.tolerance = 1e-8;
    request.settings.t_end = 10;
    request.settings.output_every.reset();
    request.settings.output_step = 10;
    for (const auto& parameter : problem.system.parameters) request.wrt.emplace_back(parameter.symbol.name());
    for (const auto& [name, value] : problem.initial) request.wrt.push_back(name);
    request.wrt.resize(std::min(directions, request.wrt.size()));
  }
  [[nodiscard]] analyse::Trajectory run() const {
    return simulator.run(request.initial, request.settings, request.parameters);
  }
};

void run(benchmark::State& state, const char* model, const char* method, double step) {
  const Case one(model, method, step, 1);
  for (auto _ : state) benchmark::DoNotOptimize(one.run().columns.data());
}

void gradient(benchmark::State& state, const char* model, const char* method, double step) {
  const Case one(model, method, step, 8);
  simulate::Differentiator differentiator(one.simulator);
  simulate::Cotangents cotangents{{"energy"}, std::vector<double>(one.run().rows(), 0.0)};
  cotangents.values.back() = 1;
  const auto differentiate = [&] {
    auto again = one.run();
    benchmark::DoNotOptimize(differentiator.gradient(one.request, cotangents, again).by.data());
  };
  differentiate();  // compiles
  for (auto _ : state) differentiate();
}

void forward(benchmark::State& state, const char* model, const char* method, double step) {
  const Case one(model, method, step, 8);
  simulate::Differentiator differentiator(one.simulator);
  const auto differentiate = [&] {
    auto again = one.run();
    benchmark::DoNotOptimize(differentiator.differentiate(one.request, again).data());
  };
  differentiate();  // compiles
  for (auto _ : state) differentiate();
  state.counters["directions"] = static_cast<double>(one.request.wrt.size());
}

const int registered = [] {
  struct Method {
    const char* name;
    double step;
  };
  for (const char* model : {"damped-pendulum", "double-pendulum", "rigid-body", "sleigh-algebroid"})
    for (const Method method : {Method{"reference", 0}, {"runge-kutta-8", 0.02}, {"contact-gauss-4", 0.02}}) {
      const auto add = [&](const char* what, auto measure) {
        benchmark::RegisterBenchmark((std::string(model) + '/' + method.name + '/' + what).c_str(), measure, model,
                                     method.name, method.step);
      };
      add("run", run);
      add("gradient", gradient);
      add("forward", forward);
    }
  return 0;
}();

}  // namespace
