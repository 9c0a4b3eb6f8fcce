#pragma once
/// Vector fields and motions of a system as numbers.

#include <vector>

#include "samples.hpp"

namespace herglotz::mechanics::samples {

using Values = std::vector<double>;

inline std::vector<Expr> joined(std::vector<Expr> first, const std::vector<Expr>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

inline Values joined(Values first, const Values& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// The flow of a system at v = (x, w, z, t, l).
class Flow {
 public:
  explicit Flow(System s) : system(std::move(s)), q(derive(system)), rates(flow_program(system, q).outputs) {
    names = joined(q.u, q.l);
    for (const auto& parameter : system.parameters) {
      names.push_back(parameter.symbol);
      parameters.push_back(parameter.value);
    }
    ell.assign(rates.end() - static_cast<std::ptrdiff_t>(q.m()), rates.end());
    along = joined(std::vector<Expr>(q.u.begin(), q.u.end()), q.rule == Rule::vakonomic ? q.l : std::vector<Expr>{});
    speed.assign(rates.begin(), rates.end() - static_cast<std::ptrdiff_t>(q.m()));
    speed.push_back(system.graph().number(std::int64_t{1}));
    if (q.rule == Rule::vakonomic) speed = joined(speed, ell);
  }

  [[nodiscard]] Values evaluate(const std::vector<Expr>& f, const Values& v) const {
    return symbolic::evaluate(f, names, joined(v, parameters));
  }
  /// (x_dot, w_dot, z_dot, ell).
  [[nodiscard]] Values operator()(const Values& v) const { return evaluate(rates, v); }
  /// v with the l that the flow gives, under the nonholonomic rule.
  [[nodiscard]] Values with_lambda(Values v) const {
    const Values lambda = evaluate(ell, v);
    std::copy(lambda.begin(), lambda.end(), v.end() - static_cast<std::ptrdiff_t>(q.m()));
    return v;
  }
  /// df/dt along the flow; f may depend on nu.
  [[nodiscard]] std::vector<Expr> rate(const std::vector<Expr>& f) const {
    return symbolic::directional_derivative(f, along, speed);
  }

  System system;
  Equations q;
  std::vector<Expr> names;  ///< v, then the parameters
  Values parameters;
  std::vector<Expr> rates;
  std::vector<Expr> ell;
  std::vector<Expr> along;  ///< what moves: u, and nu under the vakonomic rule
  std::vector<Expr> speed;
};

inline Values random_values(std::size_t size, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> uniform(0.15, 0.9);
  Values v(size);
  for (double& value : v) value = uniform(engine);
  return v;
}

/// f(v), a derivative, over [0, T] by the classical Runge-Kutta method.
template <typename Field>
Values advance(const Field& f, Values v, double T, int steps) {
  const double h = T / steps;
  const auto moved = [&](const Values& k, double by) {
    Values there = v;
    for (std::size_t i = 0; i < v.size(); ++i) there[i] += by * k[i];
    return there;
  };
  for (int n = 0; n < steps; ++n) {
    const Values k1 = f(v);
    const Values k2 = f(moved(k1, h / 2));
    const Values k3 = f(moved(k2, h / 2));
    const Values k4 = f(moved(k3, h));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return v;
}

/// The derivative of v = (x, w, z, t, l): lambda stays, nu moves.
inline Values derivative_of_state(const Flow& flow, const Values& v) {
  const Values rates = flow(v);
  const std::size_t m = flow.q.m();
  Values d(rates.begin(), rates.end() - static_cast<std::ptrdiff_t>(m));
  d.push_back(1);
  if (flow.q.rule == Rule::vakonomic)
    return joined(d, Values(rates.end() - static_cast<std::ptrdiff_t>(m), rates.end()));
  d.resize(d.size() + m, 0.0);
  return d;
}

struct KindUnderRule {
  Kind kind;
  Rule rule;
};

/// A constraint that is nonlinear in the velocities and, for ranks above two, one that is affine; `with_action` lets
/// both depend on z.
inline std::vector<Expr> generic_constraints(const System& s, bool with_action) {
  const auto& y = s.algebroid.y;
  const Expr z = with_action ? s.z : s.graph().number(0.4);
  const Expr shape = s.algebroid.x.empty() ? s.t : s.algebroid.x[0] + s.t / 3;
  const Expr nonlinear = y[0] * y[1] - z * y[0] / 3 + sin(shape) + z * z / 5;
  const Expr affine = y[1] * (2.0 + cos(shape)) + y.back() / 2 - z * s.t / 4 - 0.3;
  if (s.r() == 2) return {nonlinear};
  return {nonlinear, affine};
}

/// The algebroids of rank two and more.
inline std::vector<Kind> roomy_algebroids() {
  std::vector<Kind> list;
  for (auto& kind : every_algebroid())
    if (kind.algebroid.r() >= 2) list.push_back(std::move(kind));
  return list;
}

inline Expr zero(const System& s) {
  return s.graph().number(std::int64_t{0});
}

/// Symbols stem0, stem1, ...
inline std::vector<Expr> fresh(const System& s, const std::string& stem, std::size_t count) {
  std::vector<Expr> list;
  for (std::size_t i = 0; i < count; ++i) list.push_back(s.graph().symbol(stem + std::to_string(i)));
  return list;
}

/// The largest |value|.
inline double largest_of(const Values& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// One affine constraint that can be solved for the last velocity: a point on it.
inline Expr solvable_constraint(const System& s) {
  const auto& e = s.algebroid;
  const Expr shape = e.x.empty() ? s.t : e.x[0] * e.x.back();
  return e.y.back() - (sin(shape) + s.z / 5) * e.y[0] - cos(shape) / 3;
}

inline void move_onto(const Flow& flow, Values& v) {
  const std::size_t at = flow.system.n() + flow.system.r() - 1;
  v[at] -= flow.evaluate({flow.system.constraints.equations[0]}, v)[0];
}

}  // namespace herglotz::mechanics::samples
