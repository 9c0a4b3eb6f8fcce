#pragma once
/// Systems on action groupoids written by hand, in the frame where the structure is constant: B = 1.

#include <array>

#include "integrate/systems.hpp"

namespace herglotz::integrate::testing {

/// What a system gives at (x, xi, z, t), for double and complex numbers. force = rho^T L_x + F.
template <typename Number>
struct Point {
  std::vector<Number> rho;  // n x r
  std::vector<Number> mu;
  std::vector<Number> force;
  Number L{};
  Number L_z{};
  std::vector<Number> Phi;
  std::vector<Number> Phi_xi;                 // m x r
  std::vector<Number> phi;                    // velocity-free constraints
  std::vector<std::vector<Number>> sections;  // s^a(x) of momenta followed as laws
};

/// [e_a, e_b] = value e_k.
struct Bracket {
  std::size_t a, b, k;
  double value;
};

template <typename System>
struct CompiledGroupoid {
  static constexpr std::size_t n = System::n;
  static constexpr std::size_t r = System::r;
  static constexpr std::size_t m = System::m;
  static constexpr std::size_t laws = 1 + System::sections;
  template <typename Number>
  using Values = std::vector<Number>;

  static std::array<double, r * r * r> structure() {
    std::array<double, r * r * r> c{};
    for (const Bracket& b : System::brackets()) {
      c[(b.k * r + b.a) * r + b.b] += b.value;
      c[(b.k * r + b.b) * r + b.a] -= b.value;
    }
    return c;
  }

  /// (mu, force, L, L_z, Phi, Phi_xi).
  template <typename Number>
  static Values<Number> groupoid_stage(const Values<Number>& v) {
    const auto point = System::template at<Number>(v);
    Values<Number> out = point.mu;
    out.insert(out.end(), point.force.begin(), point.force.end());
    out.push_back(point.L);
    out.push_back(point.L_z);
    out.insert(out.end(), point.Phi.begin(), point.Phi.end());
    out.insert(out.end(), point.Phi_xi.begin(), point.Phi_xi.end());
    return out;
  }
  template <typename Number>
  static Values<Number> velocity(const Point<Number>& point, const Values<Number>& v) {
    Values<Number> x_dot(n, Number(0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t a = 0; a < r; ++a) x_dot[i] += point.rho[i * r + a] * v[n + a];
    return x_dot;
  }
  /// force + c xi mu + Phi_xi^T l, without L_z mu.
  template <typename Number>
  static Values<Number> total_force(const Point<Number>& point, const Values<Number>& v) {
    static const auto c = structure();
    Values<Number> total = point.force;
    for (std::size_t j = 0; j < r; ++j) {
      for (std::size_t k = 0; k < r; ++k)
        for (std::size_t i = 0; i < r; ++i) total[j] += c[(k * r + i) * r + j] * v[n + i] * point.mu[k];
      for (std::size_t A = 0; A < m; ++A) total[j] += point.Phi_xi[A * r + j] * v[n + r + 2 + A];
    }
    return total;
  }
  /// (x_dot, p, F, L, L_z, Phi).
  template <typename Number>
  static Values<Number> stage(const Values<Number>& v) {
    const auto point = System::template at<Number>(v);
    Values<Number> out = velocity(point, v);
    out.insert(out.end(), point.mu.begin(), point.mu.end());
    const auto total = total_force(point, v);
    out.insert(out.end(), total.begin(), total.end());
    out.push_back(point.L);
    out.push_back(point.L_z);
    out.insert(out.end(), point.Phi.begin(), point.Phi.end());
    return out;
  }
  /// d f(v)/dv along a direction, by a complex step.
  template <typename Function>
  static std::vector<double> along(const Function& f, std::span<const double> v, const std::vector<double>& direction) {
    Values<Complex> shifted(v.begin(), v.end());
    for (std::size_t i = 0; i < direction.size(); ++i) shifted[i] += Complex(0, 1e-120 * direction[i]);
    const auto values = f(shifted);
    std::vector<double> derivative;
    for (const auto& value : values) derivative.push_back(value.imag() / 1e-120);
    return derivative;
  }
  /// (x_dot, z_dot, b, -beta), then [W, -Phi_y^T; Phi_w, 0] without its zeros.
  static void mass(std::span<const double> v, std::span<double> out) {
    const Values<double> at(v.begin(), v.end());
    const auto point = System::template at<double>(at);
    const auto x_dot = velocity(point, at);
    Values<double> no_multipliers = at;
    std::fill(no_multipliers.end() - static_cast<std::ptrdiff_t>(m), no_multipliers.end(), 0.0);
    const auto f = total_force(point, no_multipliers);
    std::vector<double> flow(x_dot);
    flow.resize(n + r, 0.0);
    flow.push_back(point.L);
    flow.push_back(1);
    const auto drift = along(groupoid_stage<Complex>, v, flow);
    std::vector<double> result(x_dot);
    result.push_back(point.L);
    std::vector<std::vector<double>> by_w;
    for (std::size_t a = 0; a < r; ++a) {
      std::vector<double> direction(n + r, 0.0);
      direction[n + a] = 1;
      by_w.push_back(along(groupoid_stage<Complex>, v, direction));
    }
    for (std::size_t a = 0; a < r; ++a) result.push_back(f[a] + point.L_z * point.mu[a] - drift[a]);
    for (std::size_t A = 0; A < m; ++A) result.push_back(-drift[2 * r + 2 + A]);
    for (std::size_t a = 0; a < r; ++a) {
      for (std::size_t b = 0; b < r; ++b) result.push_back(by_w[b][a]);
      for (std::size_t A = 0; A < m; ++A) result.push_back(-point.Phi_xi[A * r + a]);
    }
    for (std::size_t A = 0; A < m; ++A)
      for (std::size_t b = 0; b < r; ++b) result.push_back(by_w[b][2 * r + 2 + A]);
    std::copy(result.begin(), result.end(), out.begin());
  }
  /// Energy, with the power of what is not a gradient of L, and the momenta of the sections.
  static void balance(std::span<const double> v, std::span<double> out) {
    const Values<double> at(v.begin(), v.end());
    const auto point = System::template at<double>(at);
    const auto total = total_force(point, at);
    double E = -point.L;
    double power = 0;
    std::vector<double> position(n + r + 2, 0.0);
    for (std::size_t a = 0; a < r; ++a) {
      E += point.mu[a] * at[n + a];
      power += total[a] * at[n + a];
    }
    const auto x_dot = velocity(point, at);
    std::copy(x_dot.begin(), x_dot.end(), position.begin());
    position[n + r + 1] = 1;
    const auto lagrangian = [](const Values<Complex>& u) { return Values<Complex>{System::template at<Complex>(u).L}; };
    power -= along(lagrangian, v, position)[0];
    out[0] = point.L_z;
    out[1] = E;
    out[2] = std::max(std::abs(E), 1.0);
    out[3] = power;
    for (std::size_t s = 0; s < System::sections; ++s) {
      const auto section = [s](const Values<Complex>& u) { return System::template at<Complex>(u).sections[s]; };
      const auto turning = along(section, v, x_dot);
      double J = 0;
      double source = 0;
      for (std::size_t a = 0; a < r; ++a) {
        J += point.mu[a] * point.sections[s][a];
        source += total[a] * point.sections[s][a] + point.mu[a] * turning[a];
      }
      out[4 + 3 * s] = J;
      out[5 + 3 * s] = std::max(std::abs(J), 1.0);
      out[6 + 3 * s] = source;
    }
  }

  template <typename Function>
  static kernel::Kernel jacobian(Function f, std::size_t rows, std::size_t cols, kernel::Pattern& pattern) {
    pattern = {rows, cols, {}, {}};
    // Columns follow (x, w, z, l): t is not a column.
    for (std::size_t j = 0; j < cols; ++j) {
      for (std::size_t i = 0; i < rows; ++i) {
        pattern.row.push_back(i);
        pattern.col.push_back(j);
      }
    }
    return kernel::from_function(
        "jacobian", n + r + 2 + m, 0, rows * cols,
        [f, rows, cols](std::span<const double> v, std::span<const double>, std::span<double> out) {
          for (std::size_t j = 0; j < cols; ++j) {
            std::vector<double> direction(n + r + 2 + m, 0.0);
            direction[j <= n + r ? j : j + 1] = 1;
            const auto column = along(f, v, direction);
            std::copy(column.begin(), column.end(), out.begin() + static_cast<std::ptrdiff_t>(j * rows));
          }
        });
  }
  template <typename Function>
  static kernel::Kernel values(const char* name, std::size_t outputs, const Function& f) {
    return kernel::from_function(name, n + r + 2 + m, 0, outputs,
                                 [f](std::span<const double> v, std::span<const double>, std::span<double> out) {
                                   const auto result = f(Values<double>(v.begin(), v.end()));
                                   std::copy(result.begin(), result.end(), out.begin());
                                 });
  }

  static Dynamics dynamics() {
    Dynamics d;
    d.n = n;
    d.r = r;
    d.m = m;
    d.positions = System::positions;
    d.laws = laws;
    d.stage = values("stage", n + 2 * r + 2 + m, stage<double>);
    d.stage_jacobian = jacobian(stage<Complex>, n + 2 * r + 2 + m, n + r + 1 + m, d.stage_pattern);
    d.mass = kernel::from_function(
        "mass", n + r + 2 + m, 0, n + 1 + r + m + r * r + 2 * m * r,
        [](std::span<const double> v, std::span<const double>, std::span<double> out) { mass(v, out); });
    for (std::size_t i = 0; i < r + m; ++i) {
      for (std::size_t j = 0; j < (i < r ? r + m : r); ++j) {
        d.saddle_pattern.row.push_back(i);
        d.saddle_pattern.col.push_back(j);
      }
    }
    d.balance = kernel::from_function(
        "balance", n + r + 2 + m, 0, 1 + 3 * laws,
        [](std::span<const double> v, std::span<const double>, std::span<double> out) { balance(v, out); });
    if (d.positions > 0)
      d.position =
          values("positions", d.positions, [](const Values<double>& v) { return System::template at<double>(v).phi; });
    d.forces_use_velocity = System::forces_use_velocity;
    d.position_uses_action = System::position_uses_action;
    d.laws_use_multipliers = m > 0;
    GroupoidKernels& g = d.groupoid;
    g.factors = System::factors();
    g.affine_action = System::affine;
    g.structure = kernel::from_function("structure", 0, 0, r * r * r,
                                        [](std::span<const double>, std::span<const double>, std::span<double> out) {
                                          const auto c = structure();
                                          std::copy(c.begin(), c.end(), out.begin());
                                        });
    g.generators = kernel::from_function("generators", n, 0, n * r,
                                         [](std::span<const double> x, std::span<const double>, std::span<double> out) {
                                           Values<double> v(x.begin(), x.end());
                                           v.resize(n + r + 2 + m, 0.0);
                                           const auto rho = System::template at<double>(v).rho;
                                           std::copy(rho.begin(), rho.end(), out.begin());
                                         });
    g.stage = values("groupoid stage", 2 * r + 2 + m + m * r, groupoid_stage<double>);
    g.stage_jacobian = jacobian(groupoid_stage<Complex>, 2 * r + 2 + m + m * r, n + r + 1, g.stage_pattern);
    return d;
  }
};

/// What systems have unless they say otherwise.
struct Unconstrained {
  static constexpr std::size_t m = 0;
  static constexpr std::size_t positions = 0;
  static constexpr std::size_t sections = 0;
  static constexpr bool affine = true;
  static constexpr bool forces_use_velocity = false;
  static constexpr bool position_uses_action = false;
  static std::vector<Bracket> brackets() { return {}; }
  static std::vector<GroupoidKernels::Factor> factors() { return {}; }
};

inline std::vector<Bracket> so3() {
  return {{0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 1}};
}

/// l = exp(z/8) xi.I xi/2 - z/5 - z^2/20 on so(3). Theory, Sec. 5.
struct FreeBody : Unconstrained {
  static constexpr std::size_t n = 0;
  static constexpr std::size_t r = 3;
  static std::vector<Bracket> brackets() { return so3(); }
  static std::vector<GroupoidKernels::Factor> factors() { return {{"so3", 0, 3}}; }
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::exp;
    constexpr double I[3] = {1, 2, 3.5};
    const Number z = v[3];
    Point<Number> point;
    Number kinetic = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      point.mu.push_back(exp(z / 8.0) * I[a] * v[a]);
      kinetic += point.mu[a] * v[a] / 2.0;
    }
    point.force.assign(3, Number(0));
    point.L = kinetic - z / 5.0 - z * z / 20.0;
    point.L_z = kinetic / 8.0 - 0.2 - z / 10.0;
    return point;
  }
};

/// l = xi.I xi/2 - (3/10) cos(3 t) z: momenta grow and shrink for ever.
struct PulsedBody : FreeBody {
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::cos;
    constexpr double I[3] = {1, 2, 3.5};
    Point<Number> point = FreeBody::at(v);
    point.L_z = -0.3 * cos(3.0 * v[4]);
    point.L = point.L_z * v[3];
    for (std::size_t a = 0; a < 3; ++a) {
      point.mu[a] = I[a] * v[a];
      point.L += point.mu[a] * v[a] / 2.0;
    }
    return point;
  }
};

/// Heavy top on so(3) x R^3, Gamma' = Gamma x xi, with exp(z/8) before the kinetic energy and a law for the momentum
/// about the vertical, s = Gamma.
struct HeavyTop : Unconstrained {
  static constexpr std::size_t n = 3;
  static constexpr std::size_t r = 3;
  static constexpr std::size_t sections = 1;
  static std::vector<Bracket> brackets() { return so3(); }
  static std::vector<GroupoidKernels::Factor> factors() { return {{"so3", 0, 3}}; }
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::exp;
    constexpr double I[3] = {1, 2, 3.5};
    constexpr double c[3] = {0.3, -0.2, 1.1};
    const Number* G = v.data();
    const Number z = v[6];
    Point<Number> point;
    point.rho = {Number(0), -G[2], G[1], G[2], Number(0), -G[0], -G[1], G[0], Number(0)};
    Number kinetic = 0;
    Number potential = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      point.mu.push_back(exp(z / 8.0) * I[a] * v[3 + a]);
      kinetic += point.mu[a] * v[3 + a] / 2.0;
      potential += c[a] * G[a];
    }
    for (std::size_t a = 0; a < 3; ++a) {
      Number force = 0;
      for (std::size_t i = 0; i < 3; ++i) force -= point.rho[i * 3 + a] * c[i];
      point.force.push_back(force);
    }
    point.L = kinetic - potential - z / 10.0 - z * z / 20.0;
    point.L_z = kinetic / 8.0 - 0.1 - z / 10.0;
    point.sections = {{G[0], G[1], G[2]}};
    return point;
  }
};

/// A heavy top whose momenta grow and shrink for ever, l_z = -(3/10) cos 3 t.
struct PulsedTop : HeavyTop {
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::cos;
    constexpr double I[3] = {1, 2, 3.5};
    constexpr double c[3] = {0.3, -0.2, 1.1};
    Point<Number> point = HeavyTop::at(v);
    point.L_z = -0.3 * cos(3.0 * v[7]);
    point.L = point.L_z * v[6];
    for (std::size_t a = 0; a < 3; ++a) {
      point.mu[a] = I[a] * v[3 + a];
      point.L += point.mu[a] * v[3 + a] / 2.0 - c[a] * v[a];
    }
    return point;
  }
};

/// The body of se(2) in an ideal fluid: xi = (omega, v_1, v_2) with unequal masses.
struct Underwater : Unconstrained {
  static constexpr std::size_t n = 0;
  static constexpr std::size_t r = 3;
  static std::vector<Bracket> brackets() { return {{0, 1, 2, 1}, {0, 2, 1, -1}}; }
  static std::vector<GroupoidKernels::Factor> factors() { return {{"se2", 0, 3}}; }
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::exp;
    constexpr double mass[3] = {1.3, 1, 2};
    Point<Number> point;
    Number kinetic = 0;
    const Number growth = exp(v[3] / 8.0);
    for (std::size_t a = 0; a < 3; ++a) {
      point.mu.push_back(growth * mass[a] * v[a]);
      kinetic += point.mu[a] * v[a] / 2.0;
    }
    point.force.assign(3, Number(0));
    point.L = kinetic - v[3] / 5.0 - v[3] * v[3] / 20.0;
    point.L_z = kinetic / 8.0 - 0.2 - v[3] / 10.0;
    return point;
  }
};

/// A plane, with time and an action that is not additive: L = exp(z/5)|v|^2/2 - x^2 y - z^2/10 + x cos t.
struct Plane : Unconstrained {
  static constexpr std::size_t n = 2;
  static constexpr std::size_t r = 2;
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::cos, std::exp;
    Point<Number> point;
    point.rho = {Number(1), Number(0), Number(0), Number(1)};
    const Number growth = exp(v[4] / 5.0);
    const Number kinetic = growth * (v[2] * v[2] + v[3] * v[3]) / 2.0;
    point.mu = {growth * v[2], growth * v[3]};
    point.force = {-2.0 * v[0] * v[1] + cos(v[5]), -v[0] * v[0]};
    point.L = kinetic - v[0] * v[0] * v[1] - v[4] * v[4] / 10.0 + v[0] * cos(v[5]);
    point.L_z = kinetic / 5.0 - v[4] / 5.0;
    return point;
  }
};

/// The same with a force -v |v|^2/10.
struct RubbingPlane : Plane {
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    auto point = Plane::at(v);
    for (std::size_t i = 0; i < 2; ++i) point.force[i] -= v[2 + i] * (v[2] * v[2] + v[3] * v[3]) / 10.0;
    return point;
  }
};

/// sl2 acts on the line by the fields -2 x, 1 and -x^2 of h, e, f: not affine.
struct Moebius : Unconstrained {
  static constexpr std::size_t n = 1;
  static constexpr std::size_t r = 3;
  static constexpr bool affine = false;
  static std::vector<Bracket> brackets() { return {{0, 1, 1, 2}, {0, 2, 2, -2}, {1, 2, 0, 1}}; }
  static std::vector<GroupoidKernels::Factor> factors() { return {{"sl2", 0, 3}}; }
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::cos, std::sin;
    constexpr double mass[3] = {2, 1.2, 0.9};
    const Number x = v[0];
    Point<Number> point;
    point.rho = {-2.0 * x, Number(1), -x * x};
    Number kinetic = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      point.mu.push_back(mass[a] * v[1 + a]);
      kinetic += point.mu[a] * v[1 + a] / 2.0;
      point.force.push_back(-cos(x) * point.rho[a]);
    }
    point.L = kinetic - sin(x) - v[4] / 5.0 - v[4] * v[4] / 20.0;
    point.L_z = -0.2 - v[4] / 10.0;
    return point;
  }
};

}  // namespace herglotz::integrate::testing
