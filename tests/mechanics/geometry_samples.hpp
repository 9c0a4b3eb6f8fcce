#pragma once
/// Systems with linear constraints, and their expressions at random points that satisfy the constraints.

#include <algorithm>
#include <cmath>

#include "geometry/contact_samples.hpp"
#include "herglotz/mechanics/constrained_geometry.hpp"
#include "herglotz/mechanics/legendre.hpp"
#include "mechanics/samples.hpp"

namespace herglotz::mechanics::samples {

inline System system_on(const Algebroid& algebroid, const std::string& lagrangian,
                        const std::vector<std::string>& constraints, const std::vector<std::string>& parameters = {}) {
  System s = make_system(algebroid);
  std::vector<Expr> names = s.algebroid.x;
  names.insert(names.end(), s.algebroid.y.begin(), s.algebroid.y.end());
  names.insert(names.end(), {s.z, s.t});
  for (const std::string& parameter : parameters) {
    s.parameters.push_back({s.graph().symbol(parameter), 0.3});
    names.push_back(s.parameters.back().symbol);
  }
  s.generator = read(s.graph(), lagrangian, names);
  std::vector<Expr> equations;
  for (const std::string& text : constraints) equations.push_back(read(s.graph(), text, names));
  constrain(s, Rule::nonholonomic, equations);
  return s;
}

/// One algebroid for each set of axioms and kind of anchor, small enough to derive much on it.
inline std::vector<Kind> small_algebroids() {
  auto kinds = every_algebroid();
  std::erase_if(kinds, [](const Kind& kind) {
    const std::vector<std::string> kept{"tangent", "hamel", "se2", "action", "constrained", "general"};
    return std::find(kept.begin(), kept.end(), kind.name) == kept.end();
  });
  return kinds;
}

/// W depends on position and the action, momenta on time, and there are forces; on any algebroid.
inline System driven_system(const Algebroid& algebroid) {
  System s = make_system(algebroid);
  const auto& x = s.algebroid.x;
  const auto& y = s.algebroid.y;
  Expr L = -s.z * s.z / 20 - s.z * sin(s.t) / 7;
  for (std::size_t a = 0; a < y.size(); ++a) {
    const Expr shape = x.empty() ? s.z : x[a % x.size()];
    L += (static_cast<double>(a + 2) + shape / 3) * y[a] * y[a] / 2 + y[a] * s.z * s.t / 5;
    s.forces[a] = s.t * y[0] / 10 - s.z * y[a] / 3;
  }
  if (y.size() > 1) L += y[0] * y[1] * s.z / 4;
  for (const Expr& coordinate : x) L -= coordinate * coordinate * s.z / 3;
  s.generator = L;
  return s;
}

/// The rates that the saddle-point system gives, derived without any geometry of phase space.
inline geometry::VectorField flow_of(const System& s, const geometry::Chart& u) {
  auto rates = flow_program(s, derive(s)).outputs;
  rates.resize(u.size());
  return {u, rates};
}

inline Algebroid tangent_of(const std::vector<std::string>& x, const std::vector<std::string>& y) {
  auto g = std::make_shared<Graph>();
  return geometry::tangent(g, {symbols(*g, x), symbols(*g, y)});
}

/// The Chaplygin sleigh of [LJL21, Sec. 8].
inline System chaplygin_sleigh() {
  return system_on(tangent_of({"x", "y", "phi"}, {"vx", "vy", "w"}),
                   "((alpha*cos(phi) - beta*sin(phi))*w + vy)^2/2 + ((beta*cos(phi) + alpha*sin(phi))*w - vx)^2/2 + "
                   "w^2 + gamma*z",
                   {"vx*sin(phi) - vy*cos(phi)"}, {"alpha", "beta", "gamma"});
}

/// L couples z with velocities, so that the Reeb field is not d/dz.
inline System particle_with(const std::vector<std::string>& constraints) {
  return system_on(tangent_of({"a", "b", "c"}, {"u", "v", "w"}),
                   "((2 + cos(b))*u^2 + v^2*(1 + z^2) + w^2 + u*w/3)/2 + z*v/3 + a*w - a*c*z - z/4", constraints);
}

/// Values of functions of u (and t, parameters) at random points with Phi = 0.
class PointsOnConstraints {
 public:
  PointsOnConstraints(const System& system, std::vector<Expr> Phi, unsigned seed)
      : Phi_(std::move(Phi)), w_(system.w()), random_(seed) {
    symbols_ = system.algebroid.x;
    symbols_.insert(symbols_.end(), w_.begin(), w_.end());
    symbols_.insert(symbols_.end(), {system.z, system.t});
    for (const Parameter& parameter : system.parameters) symbols_.push_back(parameter.symbol);
    first_ = system.n();
  }

  [[nodiscard]] const std::vector<Expr>& symbols() const { return symbols_; }

  /// By Newton's method in w along Phi_w of the most sensitive fibre coordinate of each row.
  std::vector<double> next() {
    std::vector<double> point = random_.next(symbols_.size());
    for (int step = 0; step < 60; ++step)
      for (const Expr& row : Phi_) {
        const double value = symbolic::evaluate(row, symbols_, point);
        const auto slope = symbolic::evaluate(symbolic::gradient(row, w_), symbols_, point);
        double square = 0;
        for (const double s : slope) square += s * s;
        for (std::size_t j = 0; j < slope.size(); ++j) point[first_ + j] -= value * slope[j] / square;
      }
    return point;
  }

  double largest(const std::vector<Expr>& functions, int points = 3) {
    double worst = 0;
    for (int k = 0; k < points; ++k)
      for (const double value : symbolic::evaluate(functions, symbols_, next()))
        worst = std::isfinite(value) ? std::max(worst, std::abs(value)) : HUGE_VAL;
    return worst;
  }

 private:
  std::vector<Expr> Phi_;
  std::vector<Expr> w_;
  std::vector<Expr> symbols_;
  std::size_t first_;
  RandomPoints random_;
};

}  // namespace herglotz::mechanics::samples
