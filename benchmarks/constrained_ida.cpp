// Time at equal error: the constrained methods against SUNDIALS IDA, on the sleigh and the disk, one thread.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "constrained_models.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "ida_by_hand.hpp"

namespace {

using namespace herglotz;

constexpr double t_end = 10;

struct End {
  std::vector<double> state;  ///< (x, y, z) at t_end
  std::size_t steps = 0;
};

/// A constrained system with what it is integrated by, ours and the rival.
struct Case {
  bench::Constrained system;
  std::shared_ptr<simulate::Simulator> simulator;
  integrate::Dynamics dynamics;
  std::vector<double> reference;  ///< (x, y, z) at t_end
  double (*constraint)(const double* state) = nullptr;
  std::map<std::string, std::function<End(double tolerance)>> rivals;
};

/// A method and the steps or tolerances it is run with.
struct Method {
  std::string name;
  std::vector<double> settings;
};

/// One point of a work-precision curve.
struct Point {
  double setting = 0;
  double error = 0;       ///< max |state - reference| at t_end
  double constraint = 0;  ///< max |Phi| at t_end
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t steps = 0;
};

integrate::Outcome integrate_to(const Case& example, const std::string& method, double setting, double end) {
  integrate::Settings settings;
  settings.method = method;
  settings.t_end = end;
  (method == "reference" ? settings.tolerance : settings.step) = setting;
  return integrate::integrate(example.dynamics, example.system.parameters, 0, example.system.start, settings,
                              [](const integrate::Sample&) { return true; });
}

/// By the reference method at a tolerance of 1e-13. Throws where that fails.
std::vector<double> accurately_at(const Case& example, double end) {
  const auto outcome = integrate_to(example, "reference", 1e-13, end);
  if (outcome.status != integrate::Status::success) throw std::runtime_error(outcome.reason.text());
  return outcome.state;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < b.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

/// tolerances 10^(-first/per_decade), ..., 10^(-last/per_decade)
std::vector<double> powers_of_ten(int first, int last, int per_decade) {
  std::vector<double> values;
  for (int k = first; k <= last; ++k) values.push_back(std::pow(10.0, -static_cast<double>(k) / per_decade));
  return values;
}

/// Steps t_end/N, N growing by about a fifth.
std::vector<double> step_sizes(double fewest, double most) {
  std::vector<double> values;
  for (double count = fewest; count <= most; count *= 1.2) values.push_back(t_end / std::round(count));
  return values;
}

const std::vector<Method>& methods() {
  static const std::vector<Method> all{
      {"ida-index-1", powers_of_ten(6, 26, 2)},    {"ida-index-2", powers_of_ten(6, 26, 2)},
      {"ida-stabilised", powers_of_ten(6, 26, 2)}, {"contact-gauss-4", step_sizes(10, 4'000)},
      {"contact-gauss-6", step_sizes(4, 600)},     {"reference", powers_of_ten(2, 26, 2)}};
  return all;
}

/// (x_dot, y_dot, z_dot, lambda) at the start.
std::vector<double> flow_at_start(const Case& example) {
  const auto& kernel = example.dynamics.flow;
  std::vector<double> v = example.system.start;
  v.resize(kernel.variables());
  std::vector<double> flow(kernel.outputs());
  std::vector<double> work(kernel.work_size());
  kernel(v.data(), example.system.parameters.data(), flow.data(), work.data());
  return flow;
}

template <class System, bench::Form form>
std::function<End(double)> ida(const Case& example) {
  const auto dimension = example.system.start.size();
  const auto rival = std::make_shared<bench::Ida<System, form>>(example.system.start, flow_at_start(example));
  return [rival, dimension](double tolerance) {
    rival->run(tolerance, t_end);
    return End{{rival->unknowns(), rival->unknowns() + dimension}, static_cast<std::size_t>(rival->steps())};
  };
}

/// Throws where the motion misses the reference case, or where the equations by hand are not the derived ones.
template <class System>
Case make_case(bench::Constrained system) {
  Case example;
  example.simulator = std::make_shared<simulate::Simulator>(system.constrained);
  example.dynamics = example.simulator->dynamics();
  example.dynamics.laws = 0;
  example.dynamics.balance = {};
  example.system = std::move(system);
  example.constraint = System::constraint;
  if (!(distance(accurately_at(example, 5), example.system.at_5) < 1e-11)) {
    throw std::runtime_error("the motion is not that of the reference case");
  }
  example.reference = accurately_at(example, t_end);
  example.rivals["ida-index-1"] = ida<System, bench::Form::index_1>(example);
  example.rivals["ida-index-2"] = ida<System, bench::Form::index_2>(example);
  example.rivals["ida-stabilised"] = ida<System, bench::Form::stabilised>(example);
  return example;
}

const Case& sleigh_case() {
  static const Case example = make_case<bench::SleighByHand>(bench::sleigh());
  return example;
}
const Case& disk_case() {
  static const Case example = make_case<bench::DiskByHand>(bench::disk());
  return example;
}

/// Runs once more; keeps the fastest time.
void measure(const Case& example, const std::string& method, Point& point) {
  const auto rival = example.rivals.find(method);
  const auto began = std::chrono::steady_clock::now();
  End end;
  bool succeeded = true;
  if (rival != example.rivals.end()) {
    end = rival->second(point.setting);
  } else {
    auto outcome = integrate_to(example, method, point.setting, t_end);
    succeeded = outcome.status == integrate::Status::success;
    end = {std::move(outcome.state), outcome.steps};
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  point.seconds = std::min(point.seconds, took.count());
  point.error = succeeded ? distance(end.state, example.reference) : std::numeric_limits<double>::infinity();
  point.constraint = example.constraint(end.state.data());
  point.steps = end.steps;
}

/// The curve without the points that another one beats in time and error, by falling error.
std::vector<Point> frontier(std::vector<Point> points) {
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.seconds < b.seconds; });
  std::vector<Point> best;
  for (const Point& point : points) {
    if (std::isinf(point.error)) continue;
    if (best.empty() || point.error < best.back().error) best.push_back(point);
  }
  return best;
}

/// Logarithmic interpolation on the frontier; `constraint` is the larger of the two residuals. The fastest run counts
/// where it is more accurate already.
Point at_error(const std::vector<Point>& points, double error) {
  const auto best = frontier(points);
  if (!best.empty() && best.front().error <= error) return best.front();
  for (std::size_t k = 1; k < best.size(); ++k) {
    const Point& coarse = best[k - 1];
    const Point& fine = best[k];
    if (!(coarse.error >= error && fine.error <= error)) continue;
    const double part = std::log(coarse.error / error) / std::log(coarse.error / fine.error);
    Point point;
    point.error = error;
    point.seconds = coarse.seconds * std::pow(fine.seconds / coarse.seconds, part);
    point.constraint = std::max(coarse.constraint, fine.constraint);
    return point;
  }
  throw std::runtime_error(fmt::format("no two runs enclose an error of {:.0e}", error));
}

/// All runs of all methods, in turn, best of each; then how many times longer the fastest form of IDA takes.
void against_ida(benchmark::State& state, const Case& (*make)()) {
  try {
    const Case& example = make();
    const double error = std::pow(10.0, -static_cast<double>(state.range(0)));
    std::vector<std::vector<Point>> curves;
    for (const auto& method : methods()) {
      auto& curve = curves.emplace_back();
      for (const double setting : method.settings) curve.emplace_back().setting = setting;
    }
    for (auto iteration : state) {
      for (std::size_t k = 0; k < curves.size(); ++k) {
        for (Point& point : curves[k]) measure(example, methods()[k].name, point);
      }
    }
    double rival = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < curves.size(); ++k) {
      const std::string& name = methods()[k].name;
      const Point point = at_error(curves[k], error);
      state.counters[name + "/us"] = 1e6 * point.seconds;
      state.counters[name + "/constraint"] = point.constraint;
      if (example.rivals.contains(name)) {
        rival = std::min(rival, point.seconds);
      } else {
        state.counters[name + "/faster"] = rival / point.seconds;
      }
    }
  } catch (const std::exception& problem) {
    state.SkipWithError(problem.what());
  }
}

/// One point of the curves, for looking closer.
void curve(benchmark::State& state, const Case& (*make)(), const std::string& method, double setting) {
  try {
    const Case& example = make();
    Point point;
    point.setting = setting;
    for (auto iteration : state) measure(example, method, point);
    state.counters["error"] = point.error;
    state.counters["constraint"] = point.constraint;
    state.counters["steps"] = static_cast<double>(point.steps);
    state.counters["us"] = 1e6 * point.seconds;
  } catch (const std::exception& problem) {
    state.SkipWithError(problem.what());
  }
}

/// `curve/<system>/<method>/<setting>`.
bool register_curves() {
  const std::pair<const char*, const Case& (*)()> cases[] = {{"sleigh", sleigh_case}, {"disk", disk_case}};
  for (const auto& [system, make] : cases) {
    for (const auto& method : methods()) {
      for (const double setting : method.settings) {
        benchmark::RegisterBenchmark(fmt::format("curve/{}/{}/{:.3g}", system, method.name, setting).c_str(), curve,
                                     make, method.name, setting)
            ->Unit(benchmark::kMicrosecond)
            ->MinTime(0.01);
      }
    }
  }
  return true;
}
[[maybe_unused]] const bool curves_registered = register_curves();

BENCHMARK_CAPTURE(against_ida, sleigh, sleigh_case)->Arg(6)->Arg(9)->Unit(benchmark::kMillisecond)->MinTime(0.5);
BENCHMARK_CAPTURE(against_ida, disk, disk_case)->Arg(6)->Arg(9)->Unit(benchmark::kMillisecond)->MinTime(0.5);

}  // namespace
