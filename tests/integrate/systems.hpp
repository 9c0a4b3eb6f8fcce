#pragma once
/// Systems written by hand: kernels that no derivation has touched. Jacobians are by complex steps, exact to round-off.

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate::testing {

using Complex = std::complex<double>;

/// A motion given once for double and complex numbers: stage values (x_dot, p, f, L, L_z), flow and balance laws.
template <typename Number>
struct Motion {
  std::vector<Number> stage;    // n + 2r + 2
  std::vector<Number> w_dot;    // r
  std::vector<Number> balance;  // quantity, scale, source of each law
};

template <typename System>
kernel::Kernel stage_kernel() {
  return kernel::from_function("stage", System::n + System::r + 2, 0, System::n + 2 * System::r + 2,
                               [](std::span<const double> u, std::span<const double>, std::span<double> out) {
                                 const auto motion = System::template motion<double>(u);
                                 std::copy(motion.stage.begin(), motion.stage.end(), out.begin());
                               });
}

template <typename Number>
std::vector<Number> flow_of(const Motion<Number>& motion, std::size_t n, std::size_t r) {
  std::vector<Number> flow(motion.stage.begin(), motion.stage.begin() + static_cast<std::ptrdiff_t>(n));
  flow.insert(flow.end(), motion.w_dot.begin(), motion.w_dot.end());
  flow.push_back(motion.stage[n + 2 * r]);
  return flow;
}

/// A dense Jacobian kernel with respect to (x, w, z), by complex steps, and its pattern.
template <typename System, typename Values>
void differentiate(kernel::Kernel& jacobian, kernel::Pattern& pattern, std::size_t rows, Values values) {
  constexpr std::size_t cols = System::n + System::r + 1;
  pattern = {rows, cols, {}, {}};
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      pattern.row.push_back(i);
      pattern.col.push_back(j);
    }
  }
  jacobian =
      kernel::from_function("jacobian", cols + 1, 0, rows * cols,
                            [rows, values](std::span<const double> u, std::span<const double>, std::span<double> out) {
                              std::vector<Complex> shifted(u.begin(), u.end());
                              constexpr double step = 1e-120;
                              for (std::size_t j = 0; j < cols; ++j) {
                                shifted[j] += Complex(0, step);
                                const auto v = values(System::template motion<Complex>(shifted));
                                for (std::size_t i = 0; i < rows; ++i) out[j * rows + i] = v[i].imag() / step;
                                shifted[j] = u[j];
                              }
                            });
}

/// All kernels of a system: struct System { n, r, laws; template <Number> static Motion<Number> motion(u); }.
template <typename System>
Dynamics dynamics_of() {
  constexpr std::size_t n = System::n;
  constexpr std::size_t r = System::r;
  constexpr std::size_t laws = System::laws;
  Dynamics dynamics;
  dynamics.n = n;
  dynamics.r = r;
  dynamics.laws = laws;
  dynamics.stage = stage_kernel<System>();
  dynamics.flow = kernel::from_function("flow", n + r + 2, 0, n + r + 1,
                                        [](std::span<const double> u, std::span<const double>, std::span<double> out) {
                                          const auto flow = flow_of(System::template motion<double>(u), n, r);
                                          std::copy(flow.begin(), flow.end(), out.begin());
                                        });
  dynamics.balance =
      kernel::from_function("balance", n + r + 2, 0, 1 + 3 * laws,
                            [](std::span<const double> u, std::span<const double>, std::span<double> out) {
                              const auto motion = System::template motion<double>(u);
                              out[0] = motion.stage.back();
                              std::copy(motion.balance.begin(), motion.balance.end(), out.begin() + 1);
                            });
  differentiate<System>(dynamics.stage_jacobian, dynamics.stage_pattern, n + 2 * r + 2,
                        [](const Motion<Complex>& motion) { return motion.stage; });
  differentiate<System>(dynamics.flow_jacobian, dynamics.flow_pattern, n + r + 1,
                        [](const Motion<Complex>& motion) { return flow_of(motion, n, r); });
  return dynamics;
}

/// L = v^2 exp(z/5)/2 - cos q - z^2/10, i.e. H = p^2 exp(-z/5)/2 + cos q + z^2/10. Theory, Sec. 4.
struct NonlinearAction {
  static constexpr std::size_t n = 1;
  static constexpr std::size_t r = 1;
  static constexpr std::size_t laws = 1;
  template <typename Number, typename State>
  static Motion<Number> motion_at(const State& u) {
    using std::cos, std::exp, std::sin;
    const Number q = u[0];
    const Number v = u[1];
    const Number z = u[2];
    const Number growth = exp(z / 5.0);
    const Number p = growth * v;
    const Number L = growth * v * v / 2.0 - cos(q) - z * z / 10.0;
    const Number L_z = growth * v * v / 10.0 - z / 5.0;
    const Number force = sin(q);
    const Number v_dot = (force + L_z * p) / growth - v * L / 5.0;
    const Number E = growth * v * v / 2.0 + cos(q) + z * z / 10.0;
    return {{v, p, force, L, L_z}, {v_dot}, {E, std::max(std::abs(E), 1.0), Number(0)}};
  }
  template <typename Number, typename State>
  static Motion<Number> motion(const State& u) {
    return motion_at<Number>(u);
  }
};

/// The same motion in the momentum p. Theory, Sec. 4.
struct NonlinearActionHamiltonian {
  static constexpr std::size_t n = 1;
  static constexpr std::size_t r = 1;
  static constexpr std::size_t laws = 1;
  template <typename Number, typename State>
  static Motion<Number> motion(const State& u) {
    using std::cos, std::exp, std::sin;
    const Number q = u[0];
    const Number p = u[1];
    const Number z = u[2];
    const Number decay = exp(-z / 5.0);
    const Number kinetic = p * p * decay / 2.0;
    const Number H = kinetic + cos(q) + z * z / 10.0;
    const Number L_z = kinetic / 5.0 - z / 5.0;
    return {
        {p * decay, p, sin(q), p * p * decay - H, L_z}, {sin(q) + L_z * p}, {H, std::max(std::abs(H), 1.0), Number(0)}};
  }
};

/// L = v^2/2 - k q^2/2 - gamma z, with the momentum of the shift of q as second law (a symmetry only for k = 0).
template <int StiffnessPerMille, int GammaPerMille>
struct DampedOscillator {
  static constexpr std::size_t n = 1;
  static constexpr std::size_t r = 1;
  static constexpr std::size_t laws = 2;
  template <typename Number, typename State>
  static Motion<Number> motion(const State& u) {
    constexpr double k = StiffnessPerMille / 1000.0;
    constexpr double gamma = GammaPerMille / 1000.0;
    const Number q = u[0];
    const Number v = u[1];
    const Number z = u[2];
    const Number E = v * v / 2.0 + k * q * q / 2.0 + gamma * z;
    return {{v, v, -k * q, v * v / 2.0 - k * q * q / 2.0 - gamma * z, Number(-gamma)},
            {-k * q - gamma * v},
            {E, std::max({std::abs(v * v / 2.0), std::abs(k * q * q / 2.0), std::abs(gamma * z)}), Number(0), v,
             std::abs(v), -k * q}};
  }
};

/// l = exp(z/8) xi.I xi/2 - z/5 - z^2/20 on so(3). Theory, Sec. 5; [ASC25, Ex. 4.6] with a z-nonlinear Lagrangian.
struct RigidBody {
  static constexpr std::size_t n = 0;
  static constexpr std::size_t r = 3;
  static constexpr std::size_t laws = 1;
  static constexpr double I[3] = {1.0, 2.0, 3.5};
  template <typename Number, typename State>
  static Motion<Number> motion(const State& u) {
    using std::exp;
    const Number z = u[3];
    const Number growth = exp(z / 8.0);
    Number p[3];
    Number kinetic = 0;
    for (int a = 0; a < 3; ++a) {
      p[a] = growth * I[a] * Number(u[a]);
      kinetic += p[a] * Number(u[a]) / 2.0;
    }
    const Number L = kinetic - z / 5.0 - z * z / 20.0;
    const Number L_z = kinetic / 8.0 - 0.2 - z / 10.0;
    const Number E = kinetic + z / 5.0 + z * z / 20.0;
    Motion<Number> motion{{p[0], p[1], p[2]}, {}, {E, std::max(std::abs(E), 1.0), Number(0)}};
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3;
      const int c = (a + 2) % 3;
      const Number torque = p[b] * Number(u[c]) - p[c] * Number(u[b]);
      motion.stage.push_back(torque);
      motion.w_dot.push_back((torque + L_z * p[a]) / (growth * I[a]) - Number(u[a]) * L / 8.0);
    }
    motion.stage.push_back(L);
    motion.stage.push_back(L_z);
    return motion;
  }
};

/// L = exp(z/5)|v|^2/2 - |q|^2/2 - z^2/10 in the plane, with its angular momentum as second law: the section (-y, x) is
/// affine in q.
struct PlanarOscillator {
  static constexpr std::size_t n = 2;
  static constexpr std::size_t r = 2;
  static constexpr std::size_t laws = 2;
  template <typename Number, typename State>
  static Motion<Number> motion(const State& u) {
    using std::exp;
    const Number growth = exp(u[4] / 5.0);
    const Number kinetic = growth * (u[2] * u[2] + u[3] * u[3]) / 2.0;
    const Number potential = (u[0] * u[0] + u[1] * u[1]) / 2.0 + u[4] * u[4] / 10.0;
    const Number L = kinetic - potential;
    const Number L_z = kinetic / 5.0 - u[4] / 5.0;
    const Number p[2] = {growth * u[2], growth * u[3]};
    const Number E = kinetic + potential;
    const Number J = u[0] * p[1] - u[1] * p[0];
    return {{u[2], u[3], p[0], p[1], -u[0], -u[1], L, L_z},
            {(L_z * p[0] - u[0]) / growth - u[2] * L / 5.0, (L_z * p[1] - u[1]) / growth - u[3] * L / 5.0},
            {E, std::abs(E), Number(0), J, std::abs(u[0] * p[1]) + std::abs(u[1] * p[0]), Number(0)}};
  }
};

/// L = v^2/2 - q^2/2 + q cos 2t - z/10: the energy law has the source -dL/dt.
struct DrivenOscillator {
  static constexpr std::size_t n = 1;
  static constexpr std::size_t r = 1;
  static constexpr std::size_t laws = 1;
  template <typename Number, typename State>
  static Motion<Number> motion(const State& u) {
    using std::cos, std::sin;
    const Number q = u[0];
    const Number v = u[1];
    const Number force = cos(2.0 * u[3]) - q;
    const Number potential = q * q / 2.0 - q * cos(2.0 * u[3]) + u[2] / 10.0;
    const Number E = v * v / 2.0 + potential;
    return {{v, v, force, v * v / 2.0 - potential, Number(-0.1)},
            {force - v / 10.0},
            {E, std::abs(E), 2.0 * q * sin(2.0 * u[3])}};
  }
};

/// L = v^4/4: W = 3 v^2 vanishes at rest.
struct QuarticKinetic {
  static constexpr std::size_t n = 1;
  static constexpr std::size_t r = 1;
  static constexpr std::size_t laws = 0;
  template <typename Number, typename State>
  static Motion<Number> motion(const State& u) {
    const Number v = u[1];
    return {{v, v * v * v, Number(0), v * v * v * v / 4.0, Number(0)}, {Number(0) / (3.0 * v * v)}, {}};
  }
};

/// H-like motion x_dot = x^2: leaves to infinity at t = 1/x(0).
struct BlowUp {
  static constexpr std::size_t n = 1;
  static constexpr std::size_t r = 0;
  static constexpr std::size_t laws = 0;
  template <typename Number, typename State>
  static Motion<Number> motion(const State& u) {
    const Number x = u[0];
    return {{x * x, Number(0), Number(0)}, {}, {}};
  }
};

/// x'' = mu (1 - x^2) x' - x as a forced motion: L = v^2/2 - x^2/2, F = mu (1 - x^2) v.
struct StiffVanDerPol {
  static constexpr std::size_t n = 1;
  static constexpr std::size_t r = 1;
  static constexpr std::size_t laws = 1;
  static constexpr double mu = 1000;
  template <typename Number, typename State>
  static Motion<Number> motion(const State& u) {
    const Number x = u[0];
    const Number v = u[1];
    const Number force = mu * (1.0 - x * x) * v;
    const Number E = (v * v + x * x) / 2.0;
    return {{v, v, force - x, (v * v - x * x) / 2.0, Number(0)}, {force - x}, {E, std::abs(E), force * v}};
  }
};

/// The methods that read nothing of a system but its motion, which is what is written by hand here; with a rule, those
/// that honour it.
inline std::vector<MethodInfo> methods_of_the_motion(const std::string& rule = {}) {
  std::vector<MethodInfo> found;
  for (const auto& info : methods()) {
    const bool plain = info.needs == Requirement::none;
    const auto& rules = info.constraints;
    if (plain && (rule.empty() || std::find(rules.begin(), rules.end(), rule) != rules.end())) found.push_back(info);
  }
  return found;
}

struct Followed {
  std::vector<Sample> samples;
  Outcome outcome;
  [[nodiscard]] const Sample& back() const { return samples.back(); }
};

inline Followed run(const Dynamics& dynamics, const std::vector<double>& state, const Settings& settings,
                    double t0 = 0) {
  Followed followed;
  followed.outcome = integrate(dynamics, {}, t0, state, settings, [&](const Sample& sample) {
    followed.samples.push_back(sample);
    return true;
  });
  return followed;
}

/// Largest |a - b| relative to the largest entry of b.
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return difference / size;
}

}  // namespace herglotz::integrate::testing
