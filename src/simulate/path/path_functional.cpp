#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "herglotz/compile/compile.hpp"
#include "herglotz/error.hpp"
#include "herglotz/kernel/quadrature.hpp"
#include "herglotz/simulate/path.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::simulate {

using mechanics::System;
using symbolic::Expr;
using Action = PathFunctional::Action;

namespace {

constexpr double kTolerance = 1e-13;
constexpr int kHalvings = 48;
constexpr int kPieces = 8;  ///< equal intervals between two times, before any is halved
/// Halvings along a whole path. A kink needs about 50; a path whose values are noise needs more than can be made.
constexpr std::size_t kAllHalvings = std::size_t{1} << 18;

struct Rates {
  double L = 0;
  double L_z = 0;
  double source = 0;
};

}  // namespace

struct PathFunctional::Impl {
  std::size_t n = 0;
  std::size_t r = 0;
  PathJet jet;
  std::vector<double> parameters;
  kernel::Kernel action;                 ///< (L, L_z, source)
  kernel::Kernel operator_;              ///< rows of euler_lagrange
  kernel::Kernel variation;              ///< (delta x, delta y)
  kernel::Kernel defects;                ///< x_dot - rho y
  mutable std::vector<double> inputs{};  ///< (x, y, x_dot, y_dot, z, t)
  mutable std::vector<double> work{};
  mutable std::size_t halved = 0;  ///< intervals of the path that were halved so far

  void evaluate(const kernel::Kernel& kernel, double t, double z, std::span<double> out) const {
    jet(t, std::span(inputs).first(2 * (n + r)));
    inputs[2 * (n + r)] = z;
    inputs.back() = t;
    kernel(inputs.data(), parameters.data(), out.data(), work.data());
  }

  [[nodiscard]] Rates rates(double t, double z) const {
    std::array<double, 3> out{};
    evaluate(action, t, z, out);
    return {out[0], out[1], out[2]};
  }

  /// Takes one step of Gauss collocation from `from`; the result is not finite if the iteration does not converge.
  [[nodiscard]] Action step(const Action& from, double t, double h) const {
    constexpr std::size_t s = 6;
    static const auto gauss = kernel::rounded<s>(kernel::gauss_quadrature(s));
    std::array<double, s> k{};
    std::array<double, s> l{};
    k.fill(rates(t, from.z).L);
    for (int iteration = 0; iteration < 60; ++iteration) {
      double change = 0;
      double size = std::abs(from.z) + std::abs(from.variation) + 1;
      for (std::size_t i = 0; i < s; ++i) {
        double z = from.z;
        double delta = from.variation;
        for (std::size_t j = 0; j < s; ++j) {
          z += h * gauss.A[i][j] * k[j];
          delta += h * gauss.A[i][j] * l[j];
        }
        const Rates at = rates(t + gauss.c[i] * h, z);
        const double rate = at.L_z * delta + at.source;
        change = std::max({change, std::abs(h * (at.L - k[i])), std::abs(h * (rate - l[i]))});
        size = std::max({size, std::abs(z), std::abs(delta)});
        k[i] = at.L;
        l[i] = rate;
        if (!std::isfinite(at.L) || !std::isfinite(rate)) return not_finite();
      }
      if (change > 4 * std::numeric_limits<double>::epsilon() * size) continue;
      Action to = from;
      for (std::size_t i = 0; i < s; ++i) {
        to.z += h * gauss.b[i] * k[i];
        to.variation += h * gauss.b[i] * l[i];
      }
      return to;
    }
    return not_finite();
  }

  static Action not_finite() {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }

  /// Follows the action from t over h. An interval is halved until its halves agree with it; a kink of the path ends in
  /// intervals that are too short to matter.
  [[nodiscard]] Action over(const Action& from, double t, double h, int halvings) const {
    const Action whole = step(from, t, h);
    const Action middle = step(from, t, h / 2);
    const Action halves = step(middle, t + h / 2, h / 2);
    const double size = 1 + std::abs(halves.z) + std::abs(halves.variation);
    const double error = std::abs(whole.z - halves.z) + std::abs(whole.variation - halves.variation);
    if (error <= kTolerance * size) return halves;
    if (halvings == 0) {
      if (std::isfinite(error)) return halves;
      throw Failed("the action of the path cannot be followed at t = " + std::to_string(t) +
                   ": a value is not finite there");
    }
    if (++halved > kAllHalvings)
      throw Failed("the action of the path cannot be followed beyond t = " + std::to_string(t) +
                   ": it varies too fast, or its values have too few digits");
    return over(over(from, t, h / 2, halvings - 1), t + h / 2, h / 2, halvings - 1);
  }
};

PathFunctional::PathFunctional(const System& system, PathJet jet, std::vector<double> parameters,
                               const std::vector<Expr>& section)
    : impl_(std::make_unique<Impl>()) {
  impl_->n = system.n();
  impl_->r = system.r();
  impl_->jet = std::move(jet);
  impl_->parameters = std::move(parameters);
  const auto operator_ = mechanics::euler_lagrange(system);
  auto& graph = system.graph();
  std::vector<Expr> x_dot;
  for (const Expr& x : system.algebroid.x) x_dot.push_back(graph.symbol(std::string(x.name()) + " dot"));
  std::vector<Expr> variables = system.algebroid.x;
  for (const auto& list : {system.algebroid.y, x_dot, operator_.y_dot})
    variables.insert(variables.end(), list.begin(), list.end());
  variables.insert(variables.end(), {system.z, system.t});
  symbolic::Program program{"path", system.algebroid.graph, variables, {}, {}};
  for (const auto& parameter : system.parameters) program.parameters.push_back(parameter.symbol);
  const auto compiled = [&](std::vector<Expr> outputs) {
    program.outputs = std::move(outputs);
    return compile::compile(program);
  };
  Expr source = graph.number(std::int64_t{0});
  if (!section.empty()) {
    std::vector<Expr> along = system.algebroid.x;
    along.push_back(system.t);
    std::vector<Expr> speed = x_dot;
    speed.push_back(graph.number(std::int64_t{1}));
    auto varied = mechanics::variation(system, section, symbolic::directional_derivative(section, along, speed));
    source = mechanics::varied(system, system.generator, varied);
    varied.x.insert(varied.x.end(), varied.y.begin(), varied.y.end());
    impl_->variation = compiled(varied.x);
  }
  impl_->action = compiled({system.generator, derivative(system.generator, system.z), source});
  impl_->operator_ = compiled(operator_.rows);
  impl_->defects = compiled(mechanics::admissibility_defects(system, x_dot));
  impl_->inputs.resize(variables.size());
  for (const auto* kernel : {&impl_->action, &impl_->operator_, &impl_->variation, &impl_->defects})
    impl_->work.resize(std::max(impl_->work.size(), kernel->work_size()));
}

PathFunctional::~PathFunctional() = default;
PathFunctional::PathFunctional(PathFunctional&&) noexcept = default;
PathFunctional& PathFunctional::operator=(PathFunctional&&) noexcept = default;

std::vector<Action> PathFunctional::follow(double z0, std::span<const double> times) const {
  std::vector<Action> actions;
  impl_->halved = 0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (k == 0) {
      actions.push_back({z0, 0});
      continue;
    }
    Action at = actions.back();
    const double h = (times[k] - times[k - 1]) / kPieces;
    for (int piece = 0; piece < kPieces; ++piece) at = impl_->over(at, times[k - 1] + piece * h, h, kHalvings);
    actions.push_back(at);
  }
  return actions;
}

std::vector<double> PathFunctional::forces(double z0, std::span<const double> times) const {
  const auto actions = follow(z0, times);
  std::vector<double> forces(times.size() * impl_->r);
  for (std::size_t k = 0; k < times.size(); ++k)
    impl_->evaluate(impl_->operator_, times[k], actions[k].z, std::span(forces).subspan(k * impl_->r, impl_->r));
  return forces;
}

std::vector<double> PathFunctional::variation(std::span<const double> times) const {
  const std::size_t width = impl_->n + impl_->r;
  std::vector<double> values(times.size() * width);
  for (std::size_t k = 0; k < times.size(); ++k)
    impl_->evaluate(impl_->variation, times[k], 0, std::span(values).subspan(k * width, width));
  return values;
}

double PathFunctional::admissibility_defect(std::span<const double> times) const {
  double largest = 0;
  double scale = 1;
  std::vector<double> defects(impl_->n);
  for (const double t : times) {
    if (impl_->n == 0) break;
    impl_->evaluate(impl_->defects, t, 0, defects);
    for (std::size_t i = 0; i < impl_->n; ++i) {
      largest = std::max(largest, std::isfinite(defects[i]) ? std::abs(defects[i]) : HUGE_VAL);
      scale = std::max(scale, std::abs(impl_->inputs[impl_->n + impl_->r + i]));
    }
  }
  return largest / scale;
}

}  // namespace herglotz::simulate
