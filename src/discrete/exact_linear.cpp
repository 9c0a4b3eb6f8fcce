#include <algorithm>
#include <cmath>

#include "herglotz/discrete/exact.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::discrete {
namespace {

/// L = m v^2/2 + b q v + a v - k q^2/2 + f q, the part of one coordinate.
struct Oscillator {
  Expr m, b, a, k, f;
};

/// L as a sum of oscillators with c + gamma z.
struct LinearSystem {
  std::vector<Oscillator> part;
  Expr gamma;
  Expr c;
};

/// Values of expressions in the parameters, at the parameters of the system.
class AtParameters {
 public:
  explicit AtParameters(const mechanics::System& system) {
    for (const auto& parameter : system.parameters) {
      symbols_.push_back(parameter.symbol);
      values_.push_back(parameter.value);
    }
  }
  double operator()(Expr f) const { return symbolic::evaluate(f, symbols_, values_); }

 private:
  std::vector<Expr> symbols_;
  std::vector<double> values_;
};

std::vector<Expr> variables_of(const mechanics::System& system) {
  std::vector<Expr> all = system.algebroid.x;
  all.insert(all.end(), system.algebroid.y.begin(), system.algebroid.y.end());
  all.insert(all.end(), {system.z, system.t});
  return all;
}

std::optional<LinearSystem> linear_system(const mechanics::System& system) {
  const auto acts = [](const Expr& force) { return !force.is_zero(); };
  if (system.formulation == mechanics::Formulation::hamiltonian || !system.constraints.equations.empty() ||
      std::any_of(system.forces.begin(), system.forces.end(), acts))
    return std::nullopt;
  const Expr L = symbolic::expand_lets(system.generator);
  const std::vector<Expr> variables = variables_of(system);
  const auto constant = [&](const Expr& f) {
    return std::none_of(variables.begin(), variables.end(), [&](const Expr& v) { return depends_on(f, v); });
  };
  const std::vector<Expr> zeros(variables.size(), system.graph().number(0));
  const std::vector<Expr> slopes = symbolic::gradient(L, variables);
  std::vector<Expr> values = slopes;
  values.push_back(L);
  const std::vector<Expr> at_zero = symbolic::substitute(values, variables, zeros);

  const std::size_t n = system.n();
  const std::size_t action = 2 * n;
  LinearSystem linear{{}, slopes[action], at_zero.back()};
  if (!constant(linear.gamma) || !slopes.back().is_zero()) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i) {
    const auto by_q = symbolic::gradient(slopes[i], variables);
    const auto by_v = symbolic::gradient(slopes[n + i], variables);
    for (std::size_t j = 0; j < action; ++j) {
      const bool own = j == i || j == n + i;
      if (own ? !constant(by_q[j]) || !constant(by_v[j]) : !by_q[j].is_zero() || !by_v[j].is_zero())
        return std::nullopt;
    }
    linear.part.push_back({by_v[n + i], by_v[i], at_zero[n + i], -by_q[i], at_zero[i]});
  }
  return linear;
}

/// C = cos(theta h) and S = sin(theta h)/theta, or their hyperbolic forms. The motion of q'' = gamma q' - kappa q is
/// exp(gamma t/2) (A C(t) + B S(t)) with theta^2 = kappa - gamma^2/4.
struct Harmonics {
  Expr C, S;
};

std::optional<Harmonics> harmonics(Expr gamma, Expr kappa, Expr h, const AtParameters& at) {
  const auto hyperbolic = [&](Expr rate) { return Harmonics{cosh(rate * h), sinh(rate * h) / rate}; };
  if (kappa.is_zero() && gamma.is_zero()) return Harmonics{gamma + 1.0, h};
  if (kappa.is_zero()) return at(gamma) == 0 ? std::nullopt : std::optional(hyperbolic(gamma / 2.0));
  const Expr square = kappa - pow(gamma, 2.0) / 4.0;
  const double value = at(square);
  if (value > 0) {
    const Expr theta = sqrt(square);
    return Harmonics{cos(theta * h), sin(theta * h) / theta};
  }
  return value < 0 ? std::optional(hyperbolic(sqrt(-square))) : std::nullopt;
}

}  // namespace

std::optional<DiscreteLagrangian> exact_in_closed_form(const mechanics::System& system) {
  DiscreteLagrangian step = discrete_symbols(system);
  step.rule = exact_rule;
  const auto linear = linear_system(system);
  if (!linear) return std::nullopt;
  const AtParameters at(system);
  const auto& [parts, gamma, c] = *linear;
  const Expr h = step.h;
  const Expr growth = exp(gamma * h);
  // J = int_0^h exp(gamma (h - t)) dt has no value as a formula where gamma is a parameter that is 0.
  const bool zero_over_zero = !gamma.is_zero() && at(gamma) == 0;
  const Expr J = gamma.is_zero() ? h : (growth - 1.0) / gamma;
  if (zero_over_zero && !c.is_zero()) return std::nullopt;
  step.ell = step.z0 * (growth - 1.0) + c * J;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [m, b, a, k, f] = parts[i];
    if (at(m) == 0) return std::nullopt;
    const Expr kappa = (k - gamma * b) / m;
    const Expr push = (f + gamma * a) / m;
    const auto waves = harmonics(gamma, kappa, h, at);
    const bool pushed = !push.is_zero();
    if (!waves || (pushed && (kappa.is_zero() || zero_over_zero))) return std::nullopt;
    const Expr q0 = step.q0[i];
    const Expr q1 = step.q1[i];
    const Expr rest = pushed ? push / kappa : system.graph().number(0);
    const Expr u0 = q0 - rest;
    const Expr u1 = q1 - rest;
    // Velocities at both ends of the motion between them.
    const Expr v0 = gamma * u0 / 2.0 + (exp(-gamma * h / 2.0) * u1 - waves->C * u0) / waves->S;
    const Expr v1 = gamma * u1 / 2.0 + (waves->C * u1 - exp(gamma * h / 2.0) * u0) / waves->S;
    // int exp(gamma (h - t)) (L - gamma z) dt, by parts: along a motion the quadratic terms are boundary terms.
    step.ell += m * (q1 * v1 - growth * q0 * v0) / 2.0 + b * (pow(q1, 2.0) - growth * pow(q0, 2.0)) / 2.0 +
                a * (q1 - growth * q0);
    if (pushed) step.ell += m * push * (push * J - (v1 - growth * v0)) / (2.0 * kappa);
  }
  return step;
}

DiscreteLagrangian exact_by_motion(const mechanics::System& system) {
  DiscreteLagrangian step;
  step.ell = system.graph().number(std::int64_t{0});
  step.rule = exact_motion_rule;
  return step;
}

bool is_followed(const DiscreteLagrangian& lagrangian) {
  return lagrangian.rule == exact_motion_rule;
}

}  // namespace herglotz::discrete
