// Derivatives of single steps, against the differences of the same steps.

#include "herglotz/sensitivity/tangent_steps.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace {

using namespace herglotz;

/// y' = theta sin(y) + t with its variational equation; the check is `check`.
kernel::Kernel motion_with_variation(double check) {
  return kernel::from_function("motion", 3, 3, 3,
                               [check](std::span<const double> u, std::span<const double> p, std::span<double> out) {
                                 out[0] = p[0] * std::sin(u[0]) + u[2];
                                 out[1] = p[0] * std::cos(u[0]) * u[1] + p[1] * std::sin(u[0]) + p[2];
                                 out[2] = check;
                               });
}

const kernel::ExplicitTableau heun{{0, 1}, {{}, {1}}, {0.5, 0.5}};

double heun_step(double y, double theta, double t, double h) {
  const double first = theta * std::sin(y) + t;
  const double second = theta * std::sin(y + h * first) + t + h;
  return y + h * (first + second) / 2;
}

}  // namespace

TEST(TangentSteps, AreDerivativesOfTheStep) {
  const auto steps = sensitivity::runge_kutta_tangent(motion_with_variation(1), heun, 1);
  const double h = 0.7;
  const std::array<double, 1> y{0.4};
  const std::array<double, 3> parameters{1.3, 0.5, -0.7};
  std::array<double, 1> dy{2};
  std::array<double, 1> reached{};
  ASSERT_TRUE(steps->step(0.2, h, y, parameters, dy, reached));
  EXPECT_DOUBLE_EQ(reached[0], heun_step(0.4, 1.3, 0.2, h));
  const auto slope = [](const auto& at) {
    const double e = 2e-4;
    return (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
  };
  EXPECT_NEAR(dy[0], slope([&](double s) { return heun_step(0.4 + 2 * s, 1.3 + 0.5 * s, 0.2 - 0.7 * s, h); }), 1e-11);
  ASSERT_TRUE(steps->by_part(0.2, h, 0.3, y, parameters, dy));
  EXPECT_NEAR(dy[0], slope([&](double s) { return heun_step(0.4, 1.3, 0.2, 0.3 + s); }), 1e-11);
}

TEST(TangentSteps, RefuseAnUnsoundElimination) {
  std::array<double, 1> dy{1};
  std::array<double, 1> reached{};
  const std::array<double, 1> y{0.4};
  const std::array<double, 3> parameters{1.3, 0, 0};
  for (const double check : {1e-9, 1e9, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_FALSE(sensitivity::runge_kutta_tangent(motion_with_variation(check), heun, 1)
                     ->step(0, 0.1, y, parameters, dy, reached));
}

TEST(TangentSteps, ManyStepsAreOneAfterTheOther) {
  const auto steps = sensitivity::runge_kutta_tangent(motion_with_variation(1), heun, 1);
  const std::array<double, 3> parameters{1.3, 0.5, 0};
  std::array<double, 1> y{0.4};
  std::array<double, 1> dy{2};
  std::array<double, 1> reached{};
  for (int k = 3; k < 8; ++k) {
    ASSERT_TRUE(steps->step(0.2 + k * 0.1, 0.1, y, parameters, dy, reached));
    y = reached;
  }
  std::array<double, 1> at_once{2};
  ASSERT_TRUE(steps->advance({0.2, 0.1, 3, 5}, std::array<double, 1>{0.4}, parameters, at_once, reached));
  EXPECT_EQ(at_once[0], dy[0]);
  EXPECT_EQ(reached[0], y[0]);
}
