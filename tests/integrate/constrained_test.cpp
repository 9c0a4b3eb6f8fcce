#include <gtest/gtest.h>

#include <array>

#include "order_slope.hpp"
#include "systems.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

constexpr double gamma_rate = 0.3;

/// L = |v|^2/2 - x/2 - gamma z in (x, y, theta), and the knife edge Phi = -sin(theta) v_x + cos(theta) v_y.
template <bool Differential>
struct Skate {
  static constexpr std::size_t n = 3;
  static constexpr std::size_t positions = 0;
  static constexpr bool differential = Differential;
  template <typename Number>
  static void constrain(const std::vector<Number>& u, Number* a, Number* a_dot) {
    using std::cos, std::sin;
    a[0] = -sin(u[2]);
    a[1] = cos(u[2]);
    a[2] = 0;
    a_dot[0] = -cos(u[2]) * u[5];
    a_dot[1] = -sin(u[2]) * u[5];
    a_dot[2] = 0;
  }
  /// d Phi/dx.
  template <typename Number>
  static std::vector<Number> slope(const std::vector<Number>& u) {
    using std::cos, std::sin;
    return {Number(0), Number(0), -cos(u[2]) * u[3] - sin(u[2]) * u[4]};
  }
};

/// The same L in the plane on the circle phi = (x^2 + y^2 - 1)/2: a damped pendulum in Cartesian coordinates.
struct Pendulum {
  static constexpr std::size_t n = 2;
  static constexpr std::size_t positions = 1;
  static constexpr bool differential = false;
  template <typename Number>
  static void constrain(const std::vector<Number>& u, Number* a, Number* a_dot) {
    for (int k = 0; k < 2; ++k) {
      a[k] = u[static_cast<std::size_t>(k)];
      a_dot[k] = u[static_cast<std::size_t>(2 + k)];
    }
  }
  template <typename Number>
  static std::vector<Number> slope(const std::vector<Number>& u) {
    return {u[2], u[3]};
  }
};

template <typename Number>
struct Values {
  std::vector<Number> stage;
  std::vector<Number> flow;
  Number energy;
};

template <typename System, typename Number>
Values<Number> values_at(const std::vector<Number>& u) {
  constexpr std::size_t n = System::n;
  Number a[3];
  Number a_dot[3];
  System::constrain(u, a, a_dot);
  const auto slope = System::slope(u);
  const Number l = u[2 * n + 2];
  Number Phi = 0;
  Number beta = 0;
  Number norm = 0;
  Number kinetic = 0;
  for (std::size_t k = 0; k < n; ++k) {
    Phi += a[k] * u[n + k];
    beta += a_dot[k] * u[n + k];
    norm += a[k] * a[k];
    kinetic += u[n + k] * u[n + k] / 2.0;
  }
  const Number nu = System::differential ? l : Number(0);
  std::vector<Number> p(n), F(n), b(n);
  Number ell = -beta;
  for (std::size_t k = 0; k < n; ++k) {
    p[k] = u[n + k] - nu * a[k];
    F[k] = (k == 0 ? -0.5 : 0.0) - nu * slope[k];
    b[k] = F[k] - gamma_rate * p[k] + nu * a_dot[k];
    ell -= a[k] * b[k];
    if (!System::differential) F[k] += a[k] * l;
  }
  ell /= norm;
  const Number potential = u[0] / 2.0 + gamma_rate * u[2 * n];
  const Number L = kinetic - potential;
  Values<Number> v{{}, {}, kinetic + potential};
  for (std::size_t k = 0; k < n; ++k) v.stage.push_back(u[n + k]);
  v.stage.insert(v.stage.end(), p.begin(), p.end());
  v.stage.insert(v.stage.end(), F.begin(), F.end());
  v.stage.push_back(L);
  v.stage.push_back(Number(-gamma_rate));
  v.stage.push_back(Phi);
  for (std::size_t k = 0; k < n; ++k) v.flow.push_back(u[n + k]);
  for (std::size_t k = 0; k < n; ++k) v.flow.push_back(b[k] + a[k] * ell);
  v.flow.push_back(L);
  v.flow.push_back(ell);
  return v;
}

template <typename Get>
kernel::Kernel plain(const char* name, std::size_t inputs, std::size_t rows, Get get) {
  return kernel::from_function(name, inputs, 0, rows,
                               [get](std::span<const double> u, std::span<const double>, std::span<double> out) {
                                 const auto v = get(std::vector<double>(u.begin(), u.end()));
                                 std::copy(v.begin(), v.end(), out.begin());
                               });
}

template <typename Get>
void derive(kernel::Kernel& jacobian, kernel::Pattern& pattern, std::size_t inputs, std::size_t rows, Get get) {
  const std::size_t cols = inputs - 1;  // (x, w, z, l): all but t
  pattern = {rows, cols, {}, {}};
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      pattern.row.push_back(i);
      pattern.col.push_back(j);
    }
  }
  jacobian = kernel::from_function("jacobian", inputs, 0, rows * cols,
                                   [=](std::span<const double> u, std::span<const double>, std::span<double> out) {
                                     std::vector<Complex> v(u.begin(), u.end());
                                     for (std::size_t j = 0; j < cols; ++j) {
                                       const std::size_t at = j + 2 < inputs ? j : j + 1;
                                       v[at] += Complex(0, 1e-120);
                                       const auto values = get(v);
                                       for (std::size_t i = 0; i < rows; ++i)
                                         out[j * rows + i] = values[i].imag() / 1e-120;
                                       v[at] = u[at];
                                     }
                                   });
}

template <typename System>
Dynamics constrained() {
  constexpr std::size_t n = System::n;
  constexpr std::size_t inputs = 2 * n + 3;
  Dynamics d;
  d.n = n;
  d.r = n;
  d.m = 1;
  d.positions = System::positions;
  d.multipliers = System::differential ? Multipliers::differential : Multipliers::algebraic;
  d.laws = 1;
  const auto stage = [](const auto& u) { return values_at<System>(u).stage; };
  const auto flow = [](const auto& u) { return values_at<System>(u).flow; };
  d.stage = plain("stage", inputs, 3 * n + 3, stage);
  d.flow = plain("flow", inputs, 2 * n + 2, flow);
  derive(d.stage_jacobian, d.stage_pattern, inputs, 3 * n + 3, stage);
  derive(d.flow_jacobian, d.flow_pattern, inputs, 2 * n + 2, flow);
  d.balance = plain("balance", inputs, 4, [](const std::vector<double>& u) {
    const double E = values_at<System>(u).energy;
    return std::vector<double>{-gamma_rate, E, std::max(std::abs(E), 1.0), 0.0};
  });
  if constexpr (System::positions > 0) {
    d.position = plain("position", inputs, 1, [](const std::vector<double>& u) {
      return std::vector<double>{(u[0] * u[0] + u[1] * u[1] - 1) / 2};
    });
  }
  return d;
}

template <typename System>
double constraint_defect(const std::vector<double>& state) {
  std::vector<double> u(state.begin(), state.begin() + 2 * System::n + 1);
  u.resize(2 * System::n + 3);
  double largest = std::abs(values_at<System>(u).stage.back());
  if (System::positions > 0) largest = std::max(largest, std::abs(u[0] * u[0] + u[1] * u[1] - 1) / 2);
  return largest;
}

const std::vector<double> skate_start{0.1, 0.2, 0.4, 0.9 * std::cos(0.4), 0.9 * std::sin(0.4), 0.7, 0.1};
const std::vector<double> pendulum_start{0.6, 0.8, -0.8, 0.6, 0.1};
std::vector<double> vakonomic_start() {
  auto start = skate_start;
  start.push_back(0.35);
  return start;
}

template <typename System>
void expect_kept(const std::vector<double>& start) {
  for (const auto& info : methods_of_the_motion("nonholonomic")) {
    const auto followed =
        run(constrained<System>(), start, {.method = info.name, .t_end = 3, .step = 0.05, .schedule = {.every = 1}});
    ASSERT_EQ(followed.outcome.status, Status::success) << info.name << ": " << followed.outcome.reason.text();
    ASSERT_GT(followed.samples.size(), 5U);
    for (const auto& sample : followed.samples) EXPECT_LE(constraint_defect<System>(sample.state), 1e-12) << info.name;
  }
}

TEST(Constrained, EveryMethodKeepsConstraintsToRoundOff) {
  expect_kept<Skate<false>>(skate_start);
  expect_kept<Skate<true>>(vakonomic_start());
  expect_kept<Pendulum>(pendulum_start);
}

template <typename System>
void expect_orders(const std::vector<double>& start) {
  const auto d = constrained<System>();
  const auto exact = run(d, start, {.method = "reference", .t_end = 2, .tolerance = 1e-13}).back();
  for (const int order : {2, 4, 6}) {
    const std::string method = "contact-gauss-" + std::to_string(order);
    const auto error = [&](double step) {
      const auto end = run(d, start, {.method = method, .t_end = 2, .step = step}).back();
      return std::array{distance(end.state, exact.state), distance(end.multipliers, exact.multipliers),
                        distance(end.budget, exact.budget)};
    };
    // Of the energy law only the integrating factor is approximated: (gamma h)^7 is round-off with three stages.
    const std::size_t resolved = order == 6 ? 2 : 3;
    for (std::size_t k = 0; k < resolved; ++k) {
      const auto found = test::observed_order([&](double step) { return error(step)[k]; }, 2, order);
      ASSERT_GE(found.used, 4U) << method << ", " << k << ": too few errors above round-off:" << found.seen;
      EXPECT_NEAR(found.slope, order, 0.2) << method << ", " << k << ":" << found.seen;
    }
    if (order == 6) {
      EXPECT_LT(error(0.1)[2], 1e-12);
    }
  }
}

// Ascher & Petzold 1991: projected collocation has the order 2s of Gauss in every variable.
TEST(Constrained, GaussMethodsConvergeWithTheirOrder) {
  expect_orders<Skate<false>>(skate_start);
  expect_orders<Skate<true>>(vakonomic_start());
  expect_orders<Pendulum>(pendulum_start);
}

TEST(Constrained, StiffMethodAgreesWithTheReference) {
  const auto d = constrained<Pendulum>();
  const auto exact = run(d, pendulum_start, {.t_end = 2, .tolerance = 1e-12});
  const auto stiff = run(d, pendulum_start, {.method = "stiff", .t_end = 2, .tolerance = 1e-10});
  EXPECT_LT(distance(stiff.back().state, exact.back().state), 1e-7);
  EXPECT_LT(distance(stiff.back().multipliers, exact.back().multipliers), 1e-7);
}

TEST(Constrained, VakonomicGaussStepIsReversible) {
  const auto d = constrained<Skate<true>>();
  const auto start = vakonomic_start();
  for (const char* method : {"contact-gauss-2", "contact-gauss-4", "contact-gauss-6"}) {
    const auto there = run(d, start, {.method = method, .t_end = 2, .step = 0.1});
    const auto back = run(d, there.back().state, {.method = method, .t_end = 0, .step = 0.1}, 2);
    EXPECT_GT(distance(there.back().state, start), 0.1);
    EXPECT_LT(distance(back.back().state, start), 1e-12) << method;
  }
}

TEST(Constrained, AStartOffTheConstraintIsRefused) {
  auto start = skate_start;
  start[3] += 0.01;
  for (const auto& info : methods_of_the_motion("nonholonomic")) {
    const auto followed = run(constrained<Skate<false>>(), start, {.method = info.name, .t_end = 1, .step = 0.1});
    EXPECT_EQ(followed.outcome.status, Status::off_constraints) << info.name;
    EXPECT_NE(followed.outcome.reason.text().find('1'), std::string::npos) << followed.outcome.reason.text();
  }
}

TEST(Constrained, ProjectionRemovesTheComponentAlongTheForce) {
  auto state = skate_start;
  state[3] += 0.3;
  state[4] -= 0.2;
  const auto projected = project(constrained<Skate<false>>(), {}, 0, state);
  ASSERT_EQ(projected.status, Status::success) << projected.reason.text();
  const double a[2] = {-std::sin(state[2]), std::cos(state[2])};
  const double along = a[0] * state[3] + a[1] * state[4];
  EXPECT_NEAR(projected.state[3], state[3] - a[0] * along, 1e-15);
  EXPECT_NEAR(projected.state[4], state[4] - a[1] * along, 1e-15);
  EXPECT_EQ(projected.state[5], state[5]);
}

TEST(Constrained, RunsRepeatBitForBit) {
  for (const auto& info : methods_of_the_motion("nonholonomic")) {
    const Settings settings{.method = info.name, .t_end = 2, .step = 0.1};
    const auto first = run(constrained<Pendulum>(), pendulum_start, settings);
    const auto second = run(constrained<Pendulum>(), pendulum_start, settings);
    EXPECT_EQ(first.back().state, second.back().state) << info.name;
  }
}

}  // namespace
}  // namespace herglotz::integrate
