// Steps per second of every fixed-step method, one thread, one lane: on the damped oscillator, and on a rigid body.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "herglotz/discrete/discrete_lagrangian.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;

constexpr std::size_t steps = 200'000;
constexpr double step = 0.01;

struct Subject {
  simulate::Problem problem;
  simulate::Simulator simulator;
  std::vector<double> parameters;
  std::vector<double> start;
};

Subject open(const std::string& model) {
  auto problem = io::read_model(HERGLOTZ_SOURCE_DIR "/models/" + model + ".toml");
  std::vector<double> start;
  const auto push = [&](symbolic::Expr symbol) {
    const auto at = problem.initial.find(symbol.name());
    start.push_back(at == problem.initial.end() ? 0.0 : at->second);
  };
  for (const auto& x : problem.system.algebroid.x) push(x);
  for (const auto& w : problem.system.w()) push(w);
  push(problem.system.z);
  std::optional<discrete::DiscreteLagrangian> discrete;
  if (geometry::is_tangent(problem.system.algebroid))
    discrete = discrete::discretise(problem.system, discrete::PositionRule::midpoint, discrete::ActionRule::implicit);
  simulate::Simulator simulator(problem.system, {}, {}, discrete);
  auto parameters = simulator.parameter_values();
  return {std::move(problem), std::move(simulator), std::move(parameters), std::move(start)};
}

void follow(benchmark::State& state, const std::string& model, const std::string& method) {
  const Subject subject = open(model);
  integrate::Dynamics dynamics;
  try {
    dynamics = subject.simulator.dynamics_for(*integrate::find_method(method));
  } catch (const std::invalid_argument& refusal) {
    return state.SkipWithError((std::string("skipped: ") + refusal.what()).c_str());
  }
  dynamics.laws = 0;
  dynamics.balance = {};
  integrate::Settings settings;
  settings.method = method;
  settings.step = step;
  settings.t_end = step * static_cast<double>(steps);
  for (auto _ : state) {
    const auto outcome = integrate::integrate(dynamics, subject.parameters, 0, subject.start, settings,
                                              [](const integrate::Sample&) { return true; });
    if (outcome.status != integrate::Status::success) return state.SkipWithError(outcome.reason.text().c_str());
    benchmark::DoNotOptimize(outcome.state.data());
  }
  state.counters["steps"] = benchmark::Counter(static_cast<double>(steps) * static_cast<double>(state.iterations()),
                                               benchmark::Counter::kIsRate);
}

const bool registered = [] {
  for (const std::string model : {"damped-oscillator", "rigid-body"}) {
    for (const auto& method : integrate::methods()) {
      if (method.adaptive || method.name == "discrete-galerkin") continue;
      benchmark::RegisterBenchmark(fmt::format("steps/{}/{}", model, method.name).c_str(),
                                   [model, name = method.name](benchmark::State& state) { follow(state, model, name); })
          ->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
