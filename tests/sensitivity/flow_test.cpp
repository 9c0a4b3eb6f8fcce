// The flow of systems with algebraic variables and its derivatives, against closed forms.

#include "herglotz/sensitivity/flow.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace {

using namespace herglotz;
using sensitivity::EvaluationPoint;

/// Oscillator dx/dt = v, dv/dt = w with w + theta x = 0; explicit time enters by a force of weight theta_2 exp(-t).
class Oscillator : public sensitivity::FirstOrderSystem {
 public:
  [[nodiscard]] std::size_t states() const override { return 2; }
  [[nodiscard]] std::size_t algebraic() const override { return 1; }
  [[nodiscard]] std::size_t parameters() const override { return 2; }
  void evaluate(const EvaluationPoint& at, std::span<double> values, std::span<double> slopes) const override {
    const double force = std::exp(-at.t);
    values[0] = at.x[1];
    values[1] = at.w[0];
    values[2] = at.w[0] * at.w[0] * at.w[0] - std::pow(at.theta[1] * force - at.theta[0] * at.x[0], 3);
    if (slopes.empty()) return;
    const double inner = 3 * std::pow(at.theta[1] * force - at.theta[0] * at.x[0], 2);
    const std::array<double, 15> all{
        0, 0, inner * at.theta[0], 1, 0, 0, 0, 1, 3 * at.w[0] * at.w[0], 0, 0, inner * at.x[0], 0, 0, -inner * force};
    std::copy(all.begin(), all.end(), slopes.begin());
  }
};

/// dx/dt = x^2, which leaves every bounded set at t = 1/x_0.
class Square : public sensitivity::FirstOrderSystem {
 public:
  [[nodiscard]] std::size_t states() const override { return 1; }
  [[nodiscard]] std::size_t algebraic() const override { return 0; }
  [[nodiscard]] std::size_t parameters() const override { return 0; }
  void evaluate(const EvaluationPoint& at, std::span<double> values, std::span<double> slopes) const override {
    values[0] = at.x[0] * at.x[0];
    if (!slopes.empty()) slopes[0] = 2 * at.x[0];
  }
};

}  // namespace

// x'' = -theta_1 x + theta_2 exp(-t): x = (x0 - b) cos(k t) + (v0 + b)/k sin(k t) + b exp(-t), b = theta_2/(1 +
// theta_1).
TEST(Flow, HasTheDerivativesOfAForcedOscillator) {
  const Oscillator system;
  const std::array<double, 2> x{1.2, -0.3};
  const std::array<double, 1> w{-2};
  const std::array<double, 2> theta{2.25, 0.5};
  const double t = 0.7;
  const auto end = sensitivity::flow(system, {0, x, w, theta}, t);
  ASSERT_TRUE(end);
  const auto exact = [t](double x0, double v0, double spring, double weight) {
    const double k = std::sqrt(spring);
    const double b = weight / (1 + spring);
    return (x0 - b) * std::cos(k * t) + (v0 + b) / k * std::sin(k * t) + b * std::exp(-t);
  };
  EXPECT_NEAR(end->x[0], exact(x[0], x[1], theta[0], theta[1]), 1e-13);
  EXPECT_NEAR(end->by_start[0], std::cos(1.5 * t), 1e-12);
  EXPECT_NEAR(end->by_start[2], std::sin(1.5 * t) / 1.5, 1e-12);
  EXPECT_NEAR(end->by_start[0] * end->by_start[3] - end->by_start[1] * end->by_start[2], 1, 1e-12);
  constexpr double d = 1e-4;
  const auto slope = [&](double first, double second) {
    const auto f = [&](double s) { return exact(x[0], x[1], theta[0] + s * first, theta[1] + s * second); };
    return (8 * (f(d) - f(-d)) - (f(2 * d) - f(-2 * d))) / (12 * d);
  };
  EXPECT_NEAR(end->by_parameters[0], slope(1, 0), 1e-11);
  EXPECT_NEAR(end->by_parameters[2], slope(0, 1), 1e-11);
  EXPECT_NEAR(end->w[0], theta[1] * std::exp(-t) - theta[0] * end->x[0], 1e-13);
}

TEST(Flow, GoesBackToItsStart) {
  const Oscillator system;
  const std::array<double, 2> x{1.2, -0.3};
  const std::array<double, 1> w{-2};
  const std::array<double, 2> theta{2.25, 0.5};
  const auto there = sensitivity::flow(system, {0, x, w, theta}, 0.8);
  ASSERT_TRUE(there);
  const auto back = sensitivity::flow(system, {0.8, there->x, there->w, theta}, 0);
  ASSERT_TRUE(back);
  EXPECT_NEAR(back->x[0], x[0], 1e-12);
  EXPECT_NEAR(back->x[1], x[1], 1e-12);
}

TEST(Flow, KeepsItsErrorBelowTheToleranceAndStatesIt) {
  const Square system;
  const std::array<double, 1> x{1};
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    const auto end = sensitivity::flow(system, {0, x, {}, {}}, 0.9, {tolerance, {}, false});
    ASSERT_TRUE(end);
    EXPECT_LT(std::abs(end->x[0] - 10), 1e3 * tolerance);
    EXPECT_TRUE(end->by_start.empty());
  }
  const auto end = sensitivity::flow(system, {0, x, {}, {}}, 0.9);
  ASSERT_TRUE(end);
  EXPECT_NEAR(end->by_start[0], 100, 1e-8);
}

TEST(Flow, EndsWhereTheSystemDoes) {
  const Square system;
  const std::array<double, 1> x{1};
  EXPECT_FALSE(sensitivity::flow(system, {0, x, {}, {}}, 1.5));
  const Oscillator oscillator;
  const std::array<double, 2> start{0, 1};
  const std::array<double, 1> w{0};  // g has no slope by w where w = 0
  const std::array<double, 2> theta{1, 0};
  EXPECT_FALSE(sensitivity::algebraic_variables(oscillator, {0, start, w, theta}));
}
