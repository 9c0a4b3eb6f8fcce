#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrate/order_of.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

class LieHph : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, LieHph,
                         ::testing::Values("lie-hph-2", "lie-hph-4", "lie-hph-cayley-2", "lie-hph-cayley-4"),
                         underscored);

// Theory, Sec. 5.
TEST_P(LieHph, HasItsOrderOnALieAlgebraWithANonlinearAction) {
  expect_order<FreeBody>(GetParam(), {0.7, 0.5, 0.9, 0.25}, 2, 0.1);
}

TEST_P(LieHph, HasItsOrderOnAnActionAlgebroid) {
  expect_order<HeavyTop>(GetParam(), {0.6, 0.0, 0.8, 0.7, 0.5, 0.9, 0.25}, 2, 0.1);
}

TEST_P(LieHph, HasItsOrderOnTheAlgebraOfThePlane) {
  expect_order<Underwater>(GetParam(), {0.7, 0.5, 0.9, 0.25}, 2, 0.1);
}

TEST_P(LieHph, HasItsOrderOnATangentBundleWithTimeAndForces) {
  expect_order<RubbingPlane>(GetParam(), {0.3, -0.2, 0.8, 0.5, 0.25}, 2, 0.1);
}

TEST_P(LieHph, HasItsOrderForAnActionThatIsNotAffine) {
  expect_order<Moebius>(GetParam(), {0.4, 0.3, -0.5, 0.6, 0.1}, 1, 0.05);
}

TEST_P(LieHph, IsItsOwnInverseBackwards) {
  expect_reversible<FreeBody>(GetParam(), {0.7, 0.5, 0.9, 0.25}, 0.2, 20);
  expect_reversible<HeavyTop>(GetParam(), {0.6, 0.0, 0.8, 0.7, 0.5, 0.9, 0.25}, 0.1, 20);
  expect_reversible<RubbingPlane>(GetParam(), {0.3, -0.2, 0.8, 0.5, 0.25}, 0.1, 20);
  expect_reversible<Moebius>(GetParam(), {0.4, 0.3, -0.5, 0.6, 0.1}, 0.05, 20);
}

// |lambda mu| is constant on so(3): coadjoint orbits are spheres. Theory, Sec. 5.
TEST_P(LieHph, KeepsTheCoadjointOrbitOfTheDissipatedMomentum) {
  const auto dynamics = CompiledGroupoid<PulsedBody>::dynamics();
  const double t_end = find_method(GetParam())->order == 2 ? 2000 : 400;
  const auto run = testing::run(dynamics, {0.7, 0.5, 0.9, 0.25},
                                {.method = GetParam(), .t_end = t_end, .step = 0.02, .schedule = {.every = 1000}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  const double first = std::log(std::hypot(0.7, 1.0, 3.15));
  for (const auto& sample : run.samples) {
    const auto& u = sample.state;
    EXPECT_NEAR(std::log(std::hypot(u[0], 2 * u[1], 3.5 * u[2])) + sample.log_factor, first, 2e-15)
        << "t = " << sample.t;
  }
}

// mu Gamma is dissipated, and |Gamma| and with it the orbit of (mu, Gamma) stay. [ASC25, Prop. 4.4]
TEST_P(LieHph, KeepsTheMomentumAboutTheVerticalOfAHeavyTop) {
  const auto dynamics = CompiledGroupoid<HeavyTop>::dynamics();
  const auto run = testing::run(dynamics, {0.6, 0.0, 0.8, 0.7, 0.5, 0.9, 0.25},
                                {.method = GetParam(), .t_end = 50, .step = 0.02, .schedule = {.every = 100}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  double first = 0;
  for (const auto& sample : run.samples) {
    const auto& u = sample.state;
    constexpr double I[3] = {1, 2, 3.5};
    double J = 0;
    for (std::size_t a = 0; a < 3; ++a) J += u[a] * I[a] * u[3 + a] * std::exp(u[6] / 8);
    if (sample.t == 0) first = J;
    // J falls below the components of mu that gravity keeps up: its round-off is theirs.
    EXPECT_NEAR(J, std::exp(-sample.log_factor) * first, 4e-15) << "t = " << sample.t;
    EXPECT_NEAR(sample.budget[1], J, 4e-15) << "the budget is the same quadrature";
    EXPECT_NEAR(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], 1, 2e-15) << "t = " << sample.t;
  }
}

// Where increments were added to positions as rounded, 1e-14 would be lost in these steps.
TEST(LieHph, KeepsOrbitsInTheBaseOverManySteps) {
  const auto run = testing::run(CompiledGroupoid<PulsedTop>::dynamics(), {0.6, 0.0, 0.8, 0.7, 0.5, 0.9, 0.25},
                                {.method = "lie-hph-2", .t_end = 4000, .step = 0.04, .schedule = {.every = 10000}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  for (const auto& sample : run.samples) {
    const auto& u = sample.state;
    EXPECT_NEAR(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], 1, 2e-15) << "t = " << sample.t;
  }
}

// The map (q, p, z) of one step pulls dz - p dq back to sigma times itself.
TEST_P(LieHph, IsAConformalContactomorphismOnATangentBundle) {
  const auto dynamics = CompiledGroupoid<Plane>::dynamics();
  const std::vector<double> start{0.3, -0.2, 0.8, 0.5, 0.25};
  const auto end = [&](const std::vector<double>& state) {
    return testing::run(dynamics, state, {.method = GetParam(), .t_end = 0.2, .step = 0.2}).back();
  };
  const auto momentum = [](const std::vector<double>& u, std::size_t i) { return std::exp(u[4] / 5) * u[2 + i]; };
  const Sample middle = end(start);
  constexpr double s = 1e-4;
  for (std::size_t j = 0; j < 5; ++j) {
    // Fourth order differences.
    std::vector<double> slope(5, 0.0);
    for (const auto& [shift, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
      auto shifted = start;
      shifted[j] += shift * s;
      const auto state = end(shifted).state;
      for (std::size_t k = 0; k < 5; ++k) slope[k] += weight * state[k] / (12 * s);
    }
    const double after = slope[4] - momentum(middle.state, 0) * slope[0] - momentum(middle.state, 1) * slope[1];
    const double before = j == 4 ? 1 : j < 2 ? -momentum(start, j) : 0;
    EXPECT_NEAR(after, std::exp(-middle.log_factor) * before, 1e-11) << "direction " << j;
  }
}

/// L = |v|^2/2 - x^2 y - y^2/2 - (3/10) z.
struct Separable : Unconstrained {
  static constexpr std::size_t n = 2;
  static constexpr std::size_t r = 2;
  static std::array<double, 2> gradient(double x, double y) { return {2 * x * y, x * x + y}; }
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    Point<Number> point;
    point.rho = {Number(1), Number(0), Number(0), Number(1)};
    point.mu = {v[2], v[3]};
    point.force = {-2.0 * v[0] * v[1], -v[0] * v[0] - v[1]};
    point.L = (v[2] * v[2] + v[3] * v[3]) / 2.0 - v[0] * v[0] * v[1] - v[1] * v[1] / 2.0 - 0.3 * v[4];
    point.L_z = Number(-0.3);
    return point;
  }
};

// The discrete Lagrangian (h/2)(L_0 + L_1) with (q1 - q0)/h for the velocity, trapezoid in position and action, is
// explicit here: half a kick, a drift, half a kick. [VBS19]
TEST(LieHph, IsTheVerletStepOnATangentBundle) {
  constexpr double h = 0.1;
  std::vector<double> u{0.3, -0.2, 0.8, 0.5, 0.25};
  const auto run = testing::run(CompiledGroupoid<Separable>::dynamics(), u,
                                {.method = "lie-hph-2", .t_end = 10 * h, .step = h, .schedule = {.every = 1}});
  ASSERT_EQ(run.samples.size(), 11u);
  for (std::size_t k = 1; k <= 10; ++k) {
    const auto potential = [&u] { return u[0] * u[0] * u[1] + u[1] * u[1] / 2; };
    const double before = potential();
    const auto first = Separable::gradient(u[0], u[1]);
    for (std::size_t i = 0; i < 2; ++i) {
      u[2 + i] = (1 - 0.15 * h) * u[2 + i] - h / 2 * first[i];
      u[i] += h * u[2 + i];
    }
    const double kinetic = (u[2] * u[2] + u[3] * u[3]) / 2;
    u[4] = ((1 - 0.15 * h) * u[4] + h * kinetic - h / 2 * (before + potential())) / (1 + 0.15 * h);
    const auto second = Separable::gradient(u[0], u[1]);
    for (std::size_t i = 0; i < 2; ++i) u[2 + i] = (u[2 + i] - h / 2 * second[i]) / (1 + 0.15 * h);
    EXPECT_LT(distance(run.samples[k].state, u), 4e-15) << "step " << k;
  }
}

TEST_P(LieHph, FollowsSamplesInsideItsSteps) {
  const auto dynamics = CompiledGroupoid<HeavyTop>::dynamics();
  const std::vector<double> start{0.6, 0.0, 0.8, 0.7, 0.5, 0.9, 0.25};
  const auto run =
      testing::run(dynamics, start, {.method = GetParam(), .t_end = 1, .step = 0.1, .schedule = {.interval = 0.25}});
  const auto plain = testing::run(dynamics, start, {.method = GetParam(), .t_end = 1, .step = 0.1});
  ASSERT_EQ(run.samples.size(), 5u);
  EXPECT_LT(distance(run.back().state, plain.back().state), 1e-14);
  const auto shorter = testing::run(dynamics, start, {.method = GetParam(), .t_end = 0.25, .step = 0.1});
  EXPECT_LT(distance(run.samples[1].state, shorter.back().state), 1e-14);
}

/// L = |v|^2/2 - 30 z.
struct StrongFriction : Unconstrained {
  static constexpr std::size_t n = 1;
  static constexpr std::size_t r = 1;
  template <typename Number>
  static Point<Number> at(const std::vector<Number>& v) {
    Point<Number> point;
    point.rho = {Number(1)};
    point.mu = {v[1]};
    point.force = {Number(0)};
    point.L = v[1] * v[1] / 2.0 - 30.0 * v[2];
    point.L_z = Number(-30);
    return point;
  }
};

TEST_P(LieHph, RefusesStepsThatAreTooLongForTheDissipation) {
  const auto dynamics = CompiledGroupoid<StrongFriction>::dynamics();
  const auto refused = testing::run(dynamics, {0.1, 1.0, 0.0}, {.method = GetParam(), .t_end = 1, .step = 0.2});
  EXPECT_EQ(refused.outcome.status, Status::not_converged);
  EXPECT_THAT(refused.outcome.reason.text(), ::testing::HasSubstr("too large for the dissipation"));
  const double bound = find_method(GetParam())->order == 2 ? 0.033 : 0.05;
  EXPECT_THAT(refused.outcome.reason.text(), ::testing::HasSubstr(bound < 0.04 ? "below 0.033" : "below 0.051"));
  const auto taken = testing::run(dynamics, {0.1, 1.0, 0.0}, {.method = GetParam(), .t_end = 1, .step = bound});
  EXPECT_EQ(taken.outcome.status, Status::success) << taken.outcome.reason.text();
}

TEST(GroupoidMethods, NeedTheKernelsOfAGroupoid) {
  auto dynamics = CompiledGroupoid<Plane>::dynamics();
  dynamics.groupoid = {};
  EXPECT_THAT(
      [&] { testing::run(dynamics, {0.3, -0.2, 0.8, 0.5, 0.25}, {.method = "lie-hph-2", .t_end = 1, .step = 0.1}); },
      ::testing::ThrowsMessage<std::invalid_argument>(::testing::HasSubstr("kernels of an action groupoid")));
}

}  // namespace
}  // namespace herglotz::integrate
