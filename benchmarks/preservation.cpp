// What every method keeps, measured: order, contact structure, dissipated momenta, energy, coadjoint orbits,
// constraints.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "herglotz/analyse/contact_defect.hpp"
#include "herglotz/analyse/order.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;

constexpr std::size_t many_steps = 100'000;
constexpr double adaptive_tolerance = 1e-6;

/// Two degrees of freedom, nonlinear in position and action, with rotations as symmetries; p = v.
constexpr std::string_view central = R"toml(
[model]
name = "central"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[parameters]
gamma = 0.002
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 - (x^2 + y^2)/2 - (x^2 + y^2)^2/10 - gamma*z - gamma*z^2/10"
[symmetries]
rotation = ["-y", "x"]
)toml";
const std::vector<double> central_start{1.0, 0.2, -0.3, 0.9, 0.1};

constexpr std::string_view body = R"toml(
[model]
name = "body"
[algebroid]
kind = "lie-algebra"
group = "so3"
base = []
fibre = ["w1", "w2", "w3"]
[parameters]
gamma = 0.002
[dynamics]
lagrangian = "exp(gamma*z/4)*(w1^2 + 2*w2^2 + 3*w3^2)/2 - gamma*z"
)toml";
const std::vector<double> body_start{0.7, 0.5, 1.1, 0.25};

constexpr std::string_view sleigh = R"toml(
[model]
name = "sleigh"
[algebroid]
kind = "tangent"
base = ["x", "y", "phi"]
fibre = ["vx", "vy", "w"]
[parameters]
gamma = 0.02
[dynamics]
lagrangian = "(0.3*w + vy*cos(phi) - vx*sin(phi))^2/2 + (vx*cos(phi) + vy*sin(phi))^2/2 + w^2 - cos(x)/5 - gamma*z"
[constraints]
rule = "nonholonomic"
equations = ["vx*sin(phi) - vy*cos(phi)"]
)toml";
const std::vector<double> sleigh_start{0.1, 0.2, 0.0, 0.8, 0.0, 1.2, 0.3};

constexpr std::string_view bob = R"toml(
[model]
name = "bob"
[algebroid]
kind = "tangent"
base = ["x", "y", "u"]
fibre = ["vx", "vy", "vu"]
[parameters]
gamma = 0.02
[dynamics]
lagrangian = "(vx^2 + vy^2 + vu^2)/2 - u - gamma*z"
[constraints]
rule = "nonholonomic"
equations = ["(x^2 + y^2 + u^2 - 1)/2"]
)toml";
const std::vector<double> bob_start{0.6, 0.0, -0.8, 0.0, 0.9, 0.0, 0.0};

struct Subject {
  simulate::Simulator simulator;
  std::vector<double> parameters;
  std::vector<double> start;
};

Subject open(std::string_view text, std::vector<double> start) {
  const auto problem = io::parse_model(text);
  std::optional<discrete::DiscreteLagrangian> discrete;
  if (problem.system.constraints.equations.empty() && geometry::is_tangent(problem.system.algebroid))
    discrete = discrete::discretise(problem.system, discrete::PositionRule::midpoint, discrete::ActionRule::implicit);
  simulate::Simulator simulator(problem.system, {}, {}, discrete);
  auto parameters = simulator.parameter_values();
  return {std::move(simulator), std::move(parameters), std::move(start)};
}

/// One method on one subject.
class Trial {
 public:
  Trial(const Subject& subject, const integrate::MethodInfo& method)
      : subject_(subject), method_(method), dynamics_(subject.simulator.dynamics_for(method)) {
    dynamics_.laws = 0;
    dynamics_.balance = {};
  }

  /// Samples of a run; throws where it fails.
  void follow(std::span<const double> from, double t0, double t_end, double step,
              const std::function<void(const integrate::Sample&)>& visit, std::size_t every = 0) const {
    integrate::Settings settings;
    settings.method = method_.name;
    settings.t_end = t_end;
    settings.step = step;
    settings.tolerance = adaptive_tolerance;
    if (method_.adaptive) {
      settings.schedule.interval = every == 0 ? 0 : step * static_cast<double>(every);
    } else {
      settings.schedule.every = every;
    }
    const auto outcome =
        integrate::integrate(dynamics_, subject_.parameters, t0, from, settings, [&](const integrate::Sample& sample) {
          visit(sample);
          return true;
        });
    if (outcome.status != integrate::Status::success) throw std::runtime_error(outcome.reason.text());
  }

  /// The end of a run, or nothing where a step was too large for the method.
  std::optional<integrate::Sample> attempt(std::span<const double> from, double t_end, double step) const {
    try {
      return end(from, 0, t_end, step);
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }

  integrate::Sample end(std::span<const double> from, double t0, double t_end, double step) const {
    integrate::Sample last;
    follow(from, t0, t_end, step, [&](const integrate::Sample& sample) { last = sample; });
    return last;
  }

 private:
  const Subject& subject_;
  const integrate::MethodInfo& method_;
  integrate::Dynamics dynamics_;
};

double distance(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

/// Slope of the error at t = 2 (8 for high orders) over the steps where it is between 1e-2 (1e-5) and round-off,
/// against `reference`; nothing where fewer than three are, or they lie on no line.
std::optional<double> order(const Subject& subject, const Trial& trial, int declared) {
  integrate::Settings exactly;
  exactly.t_end = declared < 8 ? 2 : 8;
  exactly.tolerance = 1e-14;
  const auto exact = integrate::integrate(subject.simulator.dynamics(), subject.parameters, 0, subject.start, exactly,
                                          [](const integrate::Sample&) { return true; });
  std::vector<double> steps;
  std::vector<double> errors;
  for (const double count : {2., 3., 4., 5., 6., 7., 8., 9., 10., 12., 14., 17., 20., 24., 28., 40., 56.}) {
    const auto found = trial.attempt(subject.start, exactly.t_end, exactly.t_end / count);
    const double error = found ? distance(found->state, exact.state) : 1;
    if (error > (declared < 8 ? 1e-2 : 1e-5)) continue;
    steps.push_back(exactly.t_end / count);
    errors.push_back(error);
  }
  constexpr double straight = 0.3;  // decades
  try {
    const auto fit = analyse::fit_order(steps, errors, 1e-12);
    return fit.deviation < straight ? std::optional(fit.order) : std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// Largest |component| of Phi* eta - eta/R_1 at five states, h = 0.1.
double contact_defect(const Subject& subject, const Trial& trial) {
  double largest = 0;
  for (int k = 0; k < 5; ++k) {
    std::vector<double> state = subject.start;
    for (std::size_t i = 0; i < state.size(); ++i)
      state[i] += 0.3 * std::sin(1.7 * static_cast<double>(5 * k) + double(i));
    const double factor = std::exp(-trial.end(state, 0, 0.1, 0.1).log_factor);
    const auto map = [&](std::span<const double> from, std::span<double> to) {
      const auto there = trial.end(from, 0, 0.1, 0.1).state;
      std::copy(there.begin(), there.end(), to.begin());
    };
    largest = std::max(largest, analyse::contact_defect(map, state, factor));
  }
  return largest;
}

/// Distance from the start after a step of 0.1 forth and one back.
double asymmetry(const Subject& subject, const Trial& trial) {
  const auto there = trial.end(subject.start, 0, 0.1, 0.1);
  return distance(trial.end(there.state, 0.1, 0, 0.1).state, subject.start);
}

/// Largest relative change of lambda Q, or change of a value that has no factor, over many steps.
double change(const Subject& subject, const Trial& trial, double step, bool dissipated,
              const std::function<double(std::span<const double>)>& quantity) {
  const double t_end = step * static_cast<double>(many_steps);
  std::optional<double> first;
  double largest = 0;
  trial.follow(
      subject.start, 0, t_end, step,
      [&](const integrate::Sample& sample) {
        const double value = quantity(sample.state) * (dissipated ? std::exp(sample.log_factor) : 1.0);
        if (!first) first = value;
        largest = std::max(largest, dissipated ? std::abs(value / *first - 1) : std::abs(value));
      },
      many_steps / 100);
  return largest;
}

double rotation(std::span<const double> u) {
  return u[0] * u[3] - u[1] * u[2];
}
double central_energy(std::span<const double> u) {
  const double r2 = u[0] * u[0] + u[1] * u[1];
  return (u[2] * u[2] + u[3] * u[3]) / 2 + r2 / 2 + r2 * r2 / 10 + 0.002 * u[4] + 0.0002 * u[4] * u[4];
}
double body_casimir(std::span<const double> u) {
  const double scale = std::exp(0.0005 * u[3]);
  return scale * std::sqrt(u[0] * u[0] + 4 * u[1] * u[1] + 9 * u[2] * u[2]);
}
double sleigh_defect(std::span<const double> u) {
  return u[3] * std::sin(u[2]) - u[4] * std::cos(u[2]);
}
double bob_defect(std::span<const double> u) {
  return std::max(std::abs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1) / 2,
                  std::abs(u[0] * u[3] + u[1] * u[4] + u[2] * u[5]));
}

/// Adds the counters that the method allows on the subject; a refusal leaves them out.
void on(std::string_view model, const std::vector<double>& start, const integrate::MethodInfo& method,
        const std::function<void(const Subject&, const Trial&)>& measure) {
  const Subject subject = open(model, start);
  std::optional<Trial> trial;
  try {
    trial.emplace(subject, method);
  } catch (const std::invalid_argument&) {
    return;
  }
  measure(subject, *trial);
}

void put(benchmark::State& state, const char* name, std::optional<double> value) {
  if (value) state.counters[name] = *value;
}

void measure(benchmark::State& state, const integrate::MethodInfo& method) {
  auto& counters = state.counters;
  for (auto _ : state) {
    on(central, central_start, method, [&](const Subject& subject, const Trial& trial) {
      if (!method.adaptive) {
        put(state, "order", order(subject, trial, method.order));
        counters["symmetry"] = asymmetry(subject, trial);
      }
      counters["contact"] = contact_defect(subject, trial);
      counters["momentum"] = change(subject, trial, 0.05, true, rotation);
      counters["energy"] = change(subject, trial, 0.05, true, central_energy);
    });
    on(body, body_start, method, [&](const Subject& subject, const Trial& trial) {
      if (!method.adaptive) put(state, "order_on_so3", order(subject, trial, method.order));
      counters["orbit"] = change(subject, trial, 0.05, true, body_casimir);
    });
    on(sleigh, sleigh_start, method, [&](const Subject& subject, const Trial& trial) {
      if (!method.adaptive) put(state, "order_nonholonomic", order(subject, trial, method.order));
      counters["nonholonomic"] = change(subject, trial, 0.02, false, sleigh_defect);
    });
    on(bob, bob_start, method, [&](const Subject& subject, const Trial& trial) {
      if (!method.adaptive) put(state, "order_holonomic", order(subject, trial, method.order));
      counters["holonomic"] = change(subject, trial, 0.02, false, bob_defect);
    });
  }
}

const bool registered = [] {
  for (const auto& method : integrate::methods()) {
    if (method.name == "discrete-galerkin") continue;
    benchmark::RegisterBenchmark(fmt::format("keeps/{}", method.name).c_str(),
                                 [method](benchmark::State& state) { measure(state, method); })
        ->Iterations(1)
        ->Unit(benchmark::kSecond);
  }
  return true;
}();

}  // namespace
