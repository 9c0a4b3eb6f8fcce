// Error against time of every method on six dissipative problems over long times, one thread, one lane.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;

/// A model of the gallery, how far it is followed, and the steps that fixed-step methods take.
struct Example {
  std::string model;
  double t_end;
  double longest_step;
  double shortest_step;
  std::vector<std::string> methods;
};

const std::vector<Example>& examples() {
  static const std::vector<std::string> separable{"reference",           "contact-gauss-4",     "contact-gauss-8",
                                                  "contact-lobatto-2",   "contact-lobatto-4",   "contact-splitting-2",
                                                  "contact-splitting-4", "contact-splitting-6", "contact-splitting-8",
                                                  "contact-galerkin-4",  "contact-gauss-12"};
  static const std::vector<std::string> coupled{"reference",         "contact-gauss-2",    "contact-gauss-4",
                                                "contact-gauss-8",   "contact-gauss-12",   "contact-lobatto-4",
                                                "contact-lobatto-8", "contact-galerkin-4", "contact-energy-4"};
  static const std::vector<std::string> on_groups{"reference", "contact-gauss-4",  "contact-gauss-8", "lie-hph-2",
                                                  "lie-hph-4", "lie-hph-cayley-4", "contact-energy-4"};
  static const std::vector<Example> all{
      {"damped-pendulum", 200, 0.2, 0.002, separable}, {"kepler-drag", 100, 0.2, 0.002, separable},
      {"nonlinear-action", 100, 0.2, 0.002, coupled},  {"double-pendulum", 20, 0.1, 0.001, coupled},
      {"rigid-body", 100, 0.2, 0.005, on_groups},      {"heavy-top", 50, 0.1, 0.002, on_groups}};
  return all;
}

constexpr std::size_t samples = 50;  ///< along a run, at which errors are taken

/// A compiled problem and its accurate motion.
struct Case {
  std::unique_ptr<simulate::Simulator> simulator;
  std::vector<double> parameters;
  std::vector<double> start;
  std::vector<std::vector<double>> motion;  ///< (x, w, z) at the samples
  std::string unavailable;                  ///< why nothing can be measured
};

/// Steps per sample, or a tolerance.
using Setting = double;

integrate::Outcome run(const integrate::Dynamics& dynamics, const Case& with, const std::string& method,
                       Setting setting, double t_end, std::vector<std::vector<double>>& motion) {
  integrate::Settings settings;
  settings.method = method;
  settings.t_end = t_end;
  if (integrate::find_method(method)->adaptive) {
    settings.tolerance = setting;
    settings.schedule.interval = t_end / samples;
  } else {
    settings.step = t_end / samples / setting;
    settings.schedule.every = static_cast<std::size_t>(setting);
  }
  motion.clear();
  return integrate::integrate(dynamics, with.parameters, 0, with.start, settings, [&](const integrate::Sample& sample) {
    motion.push_back(sample.state);
    return true;
  });
}

integrate::Dynamics without_laws(integrate::Dynamics dynamics) {
  dynamics.laws = 0;
  dynamics.balance = {};
  return dynamics;
}

std::vector<double> start_of(const simulate::Problem& problem) {
  std::vector<double> state;
  const auto push = [&](symbolic::Expr symbol) {
    const auto at = problem.initial.find(symbol.name());
    state.push_back(at == problem.initial.end() ? 0.0 : at->second);
  };
  for (const auto& x : problem.system.algebroid.x) push(x);
  for (const auto& w : problem.system.w()) push(w);
  push(problem.system.z);
  return state;
}

Case make_case(const Example& example) {
  const auto problem = io::read_model(HERGLOTZ_SOURCE_DIR "/models/" + example.model + ".toml");
  Case made;
  made.simulator = std::make_unique<simulate::Simulator>(problem.system);
  made.parameters = made.simulator->parameter_values();
  made.start = start_of(problem);
  const auto accurate =
      run(without_laws(made.simulator->dynamics()), made, "reference", 1e-14, example.t_end, made.motion);
  if (accurate.status != integrate::Status::success) made.unavailable = accurate.reason.text();
  return made;
}

/// Largest error of an entry of (x, w, z) at a sample, relative to its size where that is above 1.
double error_of(const std::vector<std::vector<double>>& motion, const std::vector<std::vector<double>>& exact) {
  if (motion.size() != exact.size()) throw std::logic_error("runs were sampled at different times");
  double largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    for (std::size_t k = 0; k < exact[i].size(); ++k)
      largest = std::max(largest, std::abs(motion[i][k] - exact[i][k]) / std::max(1.0, std::abs(exact[i][k])));
  return largest;
}

void measure(benchmark::State& state, const Case& with, const std::string& method, Setting setting, double t_end) {
  if (!with.unavailable.empty()) return state.SkipWithError(with.unavailable.c_str());
  const auto dynamics = without_laws(with.simulator->dynamics_for(*integrate::find_method(method)));
  integrate::Outcome outcome;
  std::vector<std::vector<double>> motion;
  for (auto _ : state) {
    outcome = run(dynamics, with, method, setting, t_end, motion);
    benchmark::DoNotOptimize(outcome.state.data());
  }
  if (outcome.status != integrate::Status::success)
    return state.SkipWithError(("skipped: " + outcome.reason.text()).c_str());
  state.counters["error"] = error_of(motion, with.motion);
  state.counters["steps"] = static_cast<double>(outcome.steps);
}

std::vector<Setting> settings_of(const Example& example, const integrate::MethodInfo& method) {
  std::vector<Setting> settings;
  if (method.adaptive) {
    for (int digits = 3; digits <= 13; ++digits) settings.push_back(std::pow(10.0, -digits));
    return settings;
  }
  const double interval = example.t_end / samples;
  for (double step = example.longest_step; step >= 0.999 * example.shortest_step; step /= std::pow(10.0, 0.25))
    settings.push_back(std::round(interval / step));
  return settings;
}

/// Every point is a benchmark `curve/<model>/<method>/<setting>`; docs/images/work_precision.py draws them.
const bool registered = [] {
  for (const Example& example : examples()) {
    const auto shared = std::make_shared<std::pair<std::once_flag, Case>>();
    for (const auto& name : example.methods) {
      const auto* method = integrate::find_method(name);
      if (method == nullptr) throw std::logic_error("unknown method " + name);
      for (const Setting setting : settings_of(example, *method)) {
        benchmark::RegisterBenchmark(fmt::format("curve/{}/{}/{:.3g}", example.model, name, setting).c_str(),
                                     [&example, shared, name, setting](benchmark::State& state) {
                                       std::call_once(shared->first, [&] { shared->second = make_case(example); });
                                       measure(state, shared->second, name, setting, example.t_end);
                                     })
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  return true;
}();

}  // namespace
