#pragma once
/// Constrained systems on action groupoids written by hand.

#include "integrate/groupoid/groupoid_systems.hpp"

namespace herglotz::integrate::testing {

/// rho of the plane's or space's own translations.
template <typename Number>
std::vector<Number> identity_anchor(std::size_t n) {
  std::vector<Number> rho(n * n, Number(0));
  for (std::size_t i = 0; i < n; ++i) rho[i * n + i] = Number(1);
  return rho;
}

/// Pendulum |x| = 1 in Cartesian coordinates with L = exp(z/5) |v|^2/2 - x_3 - z/10 - z^2/20; the momentum about the
/// vertical is a law.
struct SphericalPendulum : Unconstrained {
  static constexpr std::size_t n = 3;
  static constexpr std::size_t r = 3;
  static constexpr std::size_t m = 1;
  static constexpr std::size_t positions = 1;
  static constexpr std::size_t sections = 1;
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::exp;
    Point<Number> point;
    point.rho = identity_anchor<Number>(3);
    const Number z = v[6];
    const Number growth = exp(z / 5.0);
    Number kinetic = 0;
    Number Phi = 0;
    Number square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      point.mu.push_back(growth * v[3 + i]);
      kinetic += growth * v[3 + i] * v[3 + i] / 2.0;
      Phi += 2.0 * v[i] * v[3 + i];
      square += v[i] * v[i];
      point.Phi_xi.push_back(2.0 * v[i]);
    }
    point.force = {Number(0), Number(0), Number(-1)};
    point.L = kinetic - v[2] - z / 10.0 - z * z / 20.0;
    point.L_z = kinetic / 5.0 - 0.1 - z / 10.0;
    point.Phi = {Phi};
    point.phi = {square - 1.0};
    point.sections = {{-v[1], v[0], Number(0)}};
    return point;
  }
};

/// Two pendulums of length 1 on each other in the plane, masses 1 and 2, L = T - V - z/5 - z^2/20.
struct DoublePendulum : Unconstrained {
  static constexpr std::size_t n = 4;
  static constexpr std::size_t r = 4;
  static constexpr std::size_t m = 2;
  static constexpr std::size_t positions = 2;
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    Point<Number> point;
    point.rho = identity_anchor<Number>(4);
    const Number z = v[8];
    const double mass[4] = {1, 1, 2, 2};
    Number kinetic = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      point.mu.push_back(mass[i] * v[4 + i]);
      kinetic += mass[i] * v[4 + i] * v[4 + i] / 2.0;
    }
    point.force = {Number(0), Number(-1), Number(0), Number(-2)};
    point.L = kinetic - v[1] - 2.0 * v[3] - z / 5.0 - z * z / 20.0;
    point.L_z = -0.2 - z / 10.0;
    const Number d[2] = {v[2] - v[0], v[3] - v[1]};
    const Number e[2] = {v[6] - v[4], v[7] - v[5]};
    point.phi = {v[0] * v[0] + v[1] * v[1] - 1.0, d[0] * d[0] + d[1] * d[1] - 1.0};
    point.Phi = {2.0 * (v[0] * v[4] + v[1] * v[5]), 2.0 * (d[0] * e[0] + d[1] * e[1])};
    point.Phi_xi = {2.0 * v[0], 2.0 * v[1], Number(0), Number(0), -2.0 * d[0], -2.0 * d[1], 2.0 * d[0], 2.0 * d[1]};
    return point;
  }
};

/// A bead on the circle (x - sin t)^2 + y^2 = (1 + z/10)^2: positions that depend on time and action.
struct BreathingHoop : Unconstrained {
  static constexpr std::size_t n = 2;
  static constexpr std::size_t r = 2;
  static constexpr std::size_t m = 1;
  static constexpr std::size_t positions = 1;
  static constexpr bool position_uses_action = true;
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::cos, std::sin;
    Point<Number> point;
    point.rho = identity_anchor<Number>(2);
    const Number z = v[4];
    const Number t = v[5];
    const Number dx = v[0] - sin(t);
    const Number radius = 1.0 + z / 10.0;
    point.mu = {v[2], v[3]};
    point.force = {Number(0), Number(-1)};
    point.L = (v[2] * v[2] + v[3] * v[3]) / 2.0 - v[1] - z / 5.0;
    point.L_z = Number(-0.2);
    point.phi = {(dx * dx + v[1] * v[1] - radius * radius) / 2.0};
    point.Phi = {dx * (v[2] - cos(t)) + v[1] * v[3] - radius * point.L / 10.0};
    point.Phi_xi = {dx - radius * point.mu[0] / 10.0, v[1] - radius * point.mu[1] / 10.0};
    return point;
  }
};

/// Chaplygin sleigh on se(2): xi = (omega, v_1, v_2), the blade forbids v_2; mass centre ahead of it, exp(z/9) before
/// the kinetic energy.
struct Sleigh : Unconstrained {
  static constexpr std::size_t n = 0;
  static constexpr std::size_t r = 3;
  static constexpr std::size_t m = 1;
  static std::vector<Bracket> brackets() { return {{0, 1, 2, 1}, {0, 2, 1, -1}}; }
  static std::vector<GroupoidKernels::Factor> factors() { return {{"se2", 0, 3}}; }
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::exp;
    constexpr double a = 0.4;
    const Number z = v[3];
    const Number growth = exp(z / 9.0);
    Point<Number> point;
    const Number side = v[2] + a * v[0];
    const Number kinetic = growth * (v[1] * v[1] + side * side + 0.7 * v[0] * v[0]) / 2.0;
    point.mu = {growth * (0.7 * v[0] + a * side), growth * v[1], growth * side};
    point.force.assign(3, Number(0));
    point.L = kinetic - z / 5.0 - z * z / 20.0;
    point.L_z = kinetic / 9.0 - 0.2 - z / 10.0;
    point.Phi = {v[2]};
    point.Phi_xi = {Number(0), Number(0), Number(1)};
    return point;
  }
};

/// Skate on an incline: coordinates (x, y, theta), x' sin(theta) = y' cos(theta), L = T - x/2 - z/10 - z^2/20. The
/// momentum of theta is a horizontal symmetry.
struct Skate : Unconstrained {
  static constexpr std::size_t n = 3;
  static constexpr std::size_t r = 3;
  static constexpr std::size_t m = 1;
  static constexpr std::size_t sections = 1;
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::cos, std::sin;
    Point<Number> point;
    point.rho = identity_anchor<Number>(3);
    const Number z = v[6];
    point.mu = {v[3], v[4], 0.6 * v[5]};
    point.force = {Number(-0.5), Number(0), Number(0)};
    point.L = (v[3] * v[3] + v[4] * v[4] + 0.6 * v[5] * v[5]) / 2.0 - v[0] / 2.0 - z / 10.0 - z * z / 20.0;
    point.L_z = -0.1 - z / 10.0;
    const Number s = sin(v[2]);
    const Number c = cos(v[2]);
    point.Phi = {v[3] * s - v[4] * c};
    point.Phi_xi = {s, -c, Number(0)};
    point.sections = {{Number(0), Number(0), Number(1)}};
    return point;
  }
};

/// Knife edge x' sin(theta) - y' cos(theta) = (cos t + z)/5 on the sphere-like bowl: affine, with time and action.
struct DraggedSkate : Skate {
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::cos;
    Point<Number> point = Skate::at(v);
    point.Phi[0] -= (cos(v[7]) + v[6]) / 5.0;
    return point;
  }
};

/// Appell-Hamel: x'^2 + y'^2 = a^2 w'^2, L = T - g w - z/10 - z^2/20.
struct AppellHamel : Unconstrained {
  static constexpr std::size_t n = 3;
  static constexpr std::size_t r = 3;
  static constexpr std::size_t m = 1;
  static constexpr bool forces_use_velocity = true;
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::sin;
    Point<Number> point;
    point.rho = identity_anchor<Number>(3);
    const Number z = v[6];
    point.mu = {v[3], v[4], 0.5 * v[5]};
    // A weak field turns the velocity.
    point.force = {Number(0.3) * v[1], -sin(v[0]), Number(-1)};
    point.L = (v[3] * v[3] + v[4] * v[4] + 0.5 * v[5] * v[5]) / 2.0 - v[2] - z / 10.0 - z * z / 20.0;
    point.L_z = -0.1 - z / 10.0;
    point.Phi = {v[3] * v[3] + v[4] * v[4] - 1.7 * v[5] * v[5]};
    point.Phi_xi = {2.0 * v[3], 2.0 * v[4], -3.4 * v[5]};
    return point;
  }
};

/// A skate that is held on the cylinder x^2 + h^2 = 1 in coordinates (x, y, h, theta): positions and velocities.
struct SkateOnCylinder : Unconstrained {
  static constexpr std::size_t n = 4;
  static constexpr std::size_t r = 4;
  static constexpr std::size_t m = 2;
  static constexpr std::size_t positions = 1;
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::cos, std::sin;
    Point<Number> point;
    point.rho = identity_anchor<Number>(4);
    const Number z = v[8];
    point.mu = {v[4], v[5], v[6], 0.6 * v[7]};
    point.force = {Number(0), Number(0.1), Number(-1), Number(0)};
    point.L = (v[4] * v[4] + v[5] * v[5] + v[6] * v[6] + 0.6 * v[7] * v[7]) / 2.0 - v[2] + v[1] / 10.0 - z / 10.0 -
              z * z / 20.0;
    point.L_z = -0.1 - z / 10.0;
    const Number s = sin(v[3]);
    const Number c = cos(v[3]);
    point.phi = {(v[0] * v[0] + v[2] * v[2] - 1.0) / 2.0};
    point.Phi = {v[0] * v[4] + v[2] * v[6], (v[4] * v[2] - v[6] * v[0]) * s - v[5] * c};
    point.Phi_xi = {v[0], Number(0), v[2], Number(0), v[2] * s, -c, -v[0] * s, Number(0)};
    return point;
  }
};

/// Vertical disk of unit data that rolls in the plane, coordinates (x, y, th, ph), L = T - z/5. [LLMR21, Sec. 4.3]
struct RollingDisk : Unconstrained {
  static constexpr std::size_t n = 4;
  static constexpr std::size_t r = 4;
  static constexpr std::size_t m = 2;
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    using std::cos, std::sin;
    Point<Number> point;
    point.rho = identity_anchor<Number>(4);
    point.mu = {v[4], v[5], v[6], v[7]};
    point.force.assign(4, Number(0));
    point.L = (v[4] * v[4] + v[5] * v[5] + v[6] * v[6] + v[7] * v[7]) / 2.0 - v[8] / 5.0;
    point.L_z = Number(-0.2);
    const Number c = cos(v[3]);
    const Number s = sin(v[3]);
    point.Phi = {v[4] - v[6] * c, v[5] - v[6] * s};
    point.Phi_xi = {Number(1), Number(0), -c, Number(0), Number(0), Number(1), -s, Number(0)};
    return point;
  }
};

}  // namespace herglotz::integrate::testing
