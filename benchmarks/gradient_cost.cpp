// Derivatives of a run beside the run itself, compiled once: the gradient in reverse mode by all parameters, and
// derivatives of all rows in forward mode. The goal is at most 5 runs, and at most 1 + P/3 for P directions.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/families/flat.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/sensitivity.hpp"

namespace {

using namespace herglotz;

/// Returns a model of the gallery, written out if it has an index.
simulate::Problem problem_of(const std::string& model) {
  const std::string file = HERGLOTZ_SOURCE_DIR "/models/" + model + ".toml";
  if (!model.starts_with("indexed/")) return io::read_model(file);
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  families::Model indexed = io::parse_family_model(text, file);
  return families::written_out(indexed);
}

/// A model of the gallery with a run of it, whose only rows are the first and the last.
struct Case {
  simulate::Problem problem;
  simulate::Simulator simulator;
  simulate::SensitivityRequest request;

  Case(const std::string& model, const std::string& method, double step, std::size_t directions)
      : problem(problem_of(model)),
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
    request.settings.project = simulator.equations().m() > 0;
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
  for (const char* model : {"damped-pendulum", "double-pendulum", "rigid-body", "sleigh-algebroid", "chaplygin-sleigh",
                            "rolling-disk", "double-pendulum-cartesian", "indexed/kuramoto"})
    for (const Method method : {Method{"reference", 0}, {"runge-kutta-8", 0.02}, {"contact-gauss-4", 0.02}}) {
      // Implicit steps with constraints, and positions of steps of one size, have differences of whole runs.
      const bool constrained =
          std::string_view(model) == "chaplygin-sleigh" || std::string_view(model) == "rolling-disk";
      const bool on_positions = std::string_view(model) == "double-pendulum-cartesian";
      if ((constrained || on_positions) && method.name == std::string_view("contact-gauss-4")) continue;
      if (on_positions && method.name == std::string_view("runge-kutta-8")) continue;
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
