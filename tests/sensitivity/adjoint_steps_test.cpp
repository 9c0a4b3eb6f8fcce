// Adjoints of single steps, by their pairing with the variations of the same steps.

#include "herglotz/sensitivity/adjoint_steps.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "herglotz/sensitivity/tangent_steps.hpp"

namespace {

using namespace herglotz;

/// y' = (v, -theta sin(y) + t v).
kernel::Kernel pendulum_motion(double check) {
  return kernel::from_function("motion", 3, 1, 3,
                               [check](std::span<const double> u, std::span<const double> p, std::span<double> out) {
                                 out[0] = u[1];
                                 out[1] = -p[0] * std::sin(u[0]) + u[2] * u[1];
                                 out[2] = check;
                               });
}
kernel::Kernel adjoint() {
  return kernel::from_function("adjoint", 5, 1, 4,
                               [](std::span<const double> u, std::span<const double> p, std::span<double> out) {
                                 out[0] = -u[3] * p[0] * std::cos(u[0]);
                                 out[1] = u[2] + u[3] * u[4];
                                 out[2] = -u[3] * std::sin(u[0]);
                                 out[3] = u[3] * u[1];
                               });
}
kernel::Kernel tangent() {
  return kernel::from_function(
      "tangent", 5, 3, 4, [](std::span<const double> u, std::span<const double> p, std::span<double> out) {
        out[0] = u[1];
        out[1] = -p[0] * std::sin(u[0]) + u[4] * u[1];
        out[2] = u[3];
        out[3] = -p[0] * std::cos(u[0]) * u[2] - p[1] * std::sin(u[0]) + u[4] * u[3] + p[2] * u[1];
      });
}

/// Kutta's method of order 4.
const kernel::ExplicitTableau kutta{
    {0, 0.5, 0.5, 1}, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

constexpr double t = 0.3;
constexpr double h = 0.4;
const std::array<double, 2> y{0.9, -0.4};
const std::array<double, 1> adjoint_theta{1.7};

}  // namespace

// <lambda, J v> = <J^T lambda, v> for the derivative J of the step by state and parameter.
TEST(AdjointSteps, PairWithVariationsAsTheStepDoes) {
  const auto steps = sensitivity::runge_kutta_adjoint(pendulum_motion(1), adjoint(), kutta, 2);
  std::vector<double> rates(steps->kept());
  std::array<double, 2> reached{};
  ASSERT_TRUE(steps->forward({t, h, h, y, adjoint_theta}, rates, reached));
  std::array<double, 2> cotangent{0.7, -1.1};
  const auto at_end = cotangent;
  std::array<double, 1> by_theta{};
  const auto by = steps->backward({t, h, h, y, adjoint_theta}, rates, cotangent, by_theta).value();

  const auto variations = sensitivity::runge_kutta_tangent(tangent(), kutta, 2);
  std::array<double, 2> dy{0.3, 0.8};
  const auto at_start = dy;
  const double dtheta = -0.6;
  const double dt = 0.4;
  std::array<double, 2> varied{};
  ASSERT_TRUE(variations->step(t, h, y, std::array<double, 3>{adjoint_theta[0], dtheta, dt}, dy, varied));
  EXPECT_EQ(varied, reached);
  EXPECT_NEAR(at_end[0] * dy[0] + at_end[1] * dy[1],
              cotangent[0] * at_start[0] + cotangent[1] * at_start[1] + by_theta[0] * dtheta + by.t * dt, 1e-15);

  const auto end = [&](double offset) {
    std::array<double, 2> state{};
    steps->forward({t, h, h + offset, y, adjoint_theta}, rates, state);
    return at_end[0] * state[0] + at_end[1] * state[1];
  };
  const double e = 1e-3;
  EXPECT_NEAR(by.part, (8 * (end(e) - end(-e)) - (end(2 * e) - end(-2 * e))) / (12 * e), 1e-11);
}

TEST(AdjointSteps, RefuseAnUnsoundElimination) {
  const auto steps = sensitivity::runge_kutta_adjoint(pendulum_motion(1e-9), adjoint(), kutta, 2);
  std::vector<double> rates(steps->kept());
  std::array<double, 2> reached{};
  EXPECT_FALSE(steps->forward({t, h, h, y, adjoint_theta}, rates, reached));
}
