#include <gtest/gtest.h>

#include <algorithm>

#include "herglotz/kernel/prince_dormand.hpp"
#include "systems.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

// P. J. Prince, J. R. Dormand (1981): the quadrature and row-sum conditions of orders 8 and 7.
TEST(PrinceDormand, RowsSumToTheNodes) {
  const auto& tableau = kernel::prince_dormand();
  for (std::size_t i = 0; i < 13; ++i) {
    double sum = 0;
    for (const double a : tableau.A[i]) sum += a;
    EXPECT_NEAR(sum, tableau.c[i], 2e-15 * 20) << "row " << i;
    for (std::size_t j = i; j < 13; ++j) EXPECT_EQ(tableau.A[i][j], 0);
  }
}

TEST(PrinceDormand, WeightsIntegratePolynomialsOfTheirOrder) {
  const auto& tableau = kernel::prince_dormand();
  for (int k = 1; k <= 8; ++k) {
    double high = 0;
    double low = 0;
    for (std::size_t i = 0; i < 13; ++i) {
      high += tableau.b[i] * std::pow(tableau.c[i], k - 1);
      low += tableau.b_hat[i] * std::pow(tableau.c[i], k - 1);
    }
    EXPECT_NEAR(high, 1.0 / k, 1e-15 * 10) << "b, degree " << k - 1;
    if (k <= 7) {
      EXPECT_NEAR(low, 1.0 / k, 1e-14) << "b_hat, degree " << k - 1;
    } else {
      EXPECT_GT(std::abs(low - 1.0 / k), 1e-6) << "an estimate that vanishes on quadratures estimates nothing";
    }
  }
}

// y' = y cos t, y = exp(sin t): with fixed steps of the tableau.
TEST(PrinceDormand, ConvergesWithOrderEight) {
  const auto& tableau = kernel::prince_dormand();
  const auto error = [&](int steps) {
    const double h = 2.0 / steps;
    double y = 1;
    for (int step = 0; step < steps; ++step) {
      double k[13];
      for (std::size_t i = 0; i < 13; ++i) {
        double stage = y;
        for (std::size_t j = 0; j < i; ++j) stage += h * tableau.A[i][j] * k[j];
        k[i] = stage * std::cos((step + tableau.c[i]) * h);
      }
      for (std::size_t i = 0; i < 13; ++i) y += h * tableau.b[i] * k[i];
    }
    return std::abs(y - std::exp(std::sin(2.0)));
  };
  EXPECT_NEAR(std::log2(error(3) / error(6)), 8, 0.2);
  EXPECT_NEAR(std::log2(error(4) / error(8)), 8, 0.2);
}

// The solution of the damped oscillator in closed form; z from its energy, which obeys E(t) = E(0) exp(-gamma t).
struct DampedOscillatorSolution {
  double k;
  double gamma;
  [[nodiscard]] std::vector<double> operator()(double t, double q0, double v0, double z0) const {
    const double omega = std::sqrt(k - gamma * gamma / 4);
    const double decay = std::exp(-gamma * t / 2);
    const double b = (v0 + gamma / 2 * q0) / omega;
    const double c = std::cos(omega * t);
    const double s = std::sin(omega * t);
    const double q = decay * (q0 * c + b * s);
    const double v = -gamma / 2 * q + decay * omega * (b * c - q0 * s);
    const double E = (v0 * v0 / 2 + k * q0 * q0 / 2 + gamma * z0) * std::exp(-gamma * t);
    return {q, v, (E - v * v / 2 - k * q * q / 2) / gamma};
  }
};

class Adaptive : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Adaptive, ::testing::Values("reference", "stiff", "radau-5"), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(Adaptive, FollowsTheDampedOscillatorToItsTolerance) {
  const DampedOscillatorSolution exact{1.0, 0.3};
  const std::vector<double> start{1.0, 0.5, 0.2};
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const auto run = testing::run(dynamics_of<DampedOscillator<1000, 300>>(), start,
                                  {.method = GetParam(), .t_end = 10, .tolerance = tolerance});
    ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
    EXPECT_LT(distance(run.back().state, exact(10, 1.0, 0.5, 0.2)), 2000 * tolerance);
    EXPECT_NEAR(run.back().log_factor, 0.3 * 10, 1e3 * tolerance);
  }
}

TEST(Reference, IsAccurateToTenDigitsAtToleranceOneTrillionth) {
  const DampedOscillatorSolution exact{1.0, 0.3};
  const auto run = testing::run(dynamics_of<DampedOscillator<1000, 300>>(), {1.0, 0.5, 0.2},
                                {.method = "reference", .t_end = 10, .tolerance = 1e-12});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  const auto expected = exact(10, 1.0, 0.5, 0.2);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(run.back().state[i], expected[i], 1e-10 * std::abs(expected[i]));
}

TEST_P(Adaptive, ReturnsToTheStartWhenFollowedBackwards) {
  const auto dynamics = dynamics_of<NonlinearAction>();
  const std::vector<double> start{0.5, 1.2, 0.3};
  const auto there = testing::run(dynamics, start, {.method = GetParam(), .t_end = 3, .tolerance = 1e-10});
  const auto back =
      testing::run(dynamics, there.back().state, {.method = GetParam(), .t_end = 0, .tolerance = 1e-10}, 3);
  EXPECT_EQ(back.back().t, 0);
  EXPECT_LT(distance(back.back().state, start), 1e-7);
  EXPECT_NEAR(back.back().log_factor, -there.back().log_factor, 1e-7);
}

TEST_P(Adaptive, BudgetsAgreeWithTheQuantitiesOfTheirLaws) {
  const auto dynamics = dynamics_of<DampedOscillator<1000, 300>>();
  std::vector<double> balance(7);
  const auto run = testing::run(dynamics, {1.0, 0.5, 0.2},
                                {.method = GetParam(), .t_end = 10, .tolerance = 1e-9, .schedule = {.interval = 0.5}});
  ASSERT_EQ(run.samples.size(), 21u);
  for (const auto& sample : run.samples) {
    std::vector<double> u = sample.state;
    u.push_back(sample.t);
    dynamics.balance(u.data(), nullptr, balance.data(), nullptr);
    EXPECT_NEAR(sample.budget[0], balance[1], 1e-6) << "energy at t = " << sample.t;
    EXPECT_NEAR(sample.budget[1], balance[4], 1e-6) << "momentum at t = " << sample.t;
  }
}

TEST_P(Adaptive, AgreesWithCollocationOnATimeDependentSystemAndItsEnergyBudget) {
  const auto dynamics = dynamics_of<DrivenOscillator>();
  const auto run = testing::run(dynamics, {0.5, 1.2, 0.3}, {.method = GetParam(), .t_end = 6, .tolerance = 1e-10}, 1);
  const auto gauss =
      testing::run(dynamics, {0.5, 1.2, 0.3}, {.method = "contact-gauss-6", .t_end = 6, .step = 0.01}, 1);
  EXPECT_LT(distance(run.back().state, gauss.back().state), 1e-8);
  EXPECT_NEAR(run.back().budget[0], gauss.back().budget[0], 1e-8);
  std::vector<double> u = run.back().state;
  u.push_back(6);
  EXPECT_NEAR(run.back().budget[0], DrivenOscillator::motion<double>(u).balance[0], 1e-8);
}

TEST_P(Adaptive, SolvesTheMassMatrixWhereThereIsNoFlow) {
  auto by_mass = dynamics_of<NonlinearAction>();
  const auto by_flow = by_mass;
  by_mass.flow = {};
  by_mass.flow_jacobian = {};
  const auto parts = [](const auto& motion, const auto& u) {
    // W = exp(z/5), b = W v_dot.
    using Number = std::decay_t<decltype(motion.stage[0])>;
    const Number W = motion.stage[1] / Number(u[1]);
    return std::vector<Number>{motion.stage[0], motion.stage[3], W * motion.w_dot[0], W};
  };
  by_mass.mass = kernel::from_function(
      "mass", 4, 0, 4, [parts](std::span<const double> u, std::span<const double>, std::span<double> out) {
        const auto values = parts(NonlinearAction::motion<double>(u), u);
        std::copy(values.begin(), values.end(), out.begin());
      });
  by_mass.saddle_pattern = {1, 1, {0}, {0}};
  by_mass.mass_pattern = {3, 3, {0, 0, 0, 1, 1, 1, 2, 2, 2}, {0, 1, 2, 0, 1, 2, 0, 1, 2}};
  by_mass.mass_jacobian = kernel::from_function(
      "mass_jacobian", 5, 0, 9, [parts](std::span<const double> u, std::span<const double>, std::span<double> out) {
        std::vector<Complex> shifted(u.begin(), u.begin() + 4);
        for (std::size_t j = 0; j < 3; ++j) {
          shifted[j] += Complex(0, 1e-120);
          const auto v = parts(NonlinearAction::motion<Complex>(shifted), shifted);
          out[j] = v[0].imag() / 1e-120;
          out[3 + j] = (v[2] - v[3] * u[4]).imag() / 1e-120;
          out[6 + j] = v[1].imag() / 1e-120;
          shifted[j] = u[j];
        }
      });
  const Settings settings{.method = GetParam(), .t_end = 5, .tolerance = 1e-9};
  const auto expected = testing::run(by_flow, {0.5, 1.2, 0.3}, settings);
  const auto found = testing::run(by_mass, {0.5, 1.2, 0.3}, settings);
  ASSERT_EQ(found.outcome.status, Status::success) << found.outcome.reason.text();
  EXPECT_LT(distance(found.back().state, expected.back().state), 1e-8);
}

class Stiff : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Stiff, ::testing::Values("stiff", "radau-5"),
                         [](const auto& tested) { return std::string(tested.param).substr(0, 5); });

TEST_P(Stiff, FollowsTheStiffVanDerPolOscillatorWhereTheReferenceNeedsManyMoreSteps) {
  const auto dynamics = dynamics_of<StiffVanDerPol>();
  const std::vector<double> start{2.0, 0.0, 0.0};
  const auto stiff = testing::run(dynamics, start, {.method = GetParam(), .t_end = 100, .tolerance = 1e-9});
  const auto reference = testing::run(dynamics, start, {.method = "reference", .t_end = 100, .tolerance = 1e-9});
  ASSERT_EQ(stiff.outcome.status, Status::success) << stiff.outcome.reason.text();
  ASSERT_EQ(reference.outcome.status, Status::success) << reference.outcome.reason.text();
  EXPECT_LT(distance(stiff.back().state, reference.back().state), 1e-6);
  EXPECT_NEAR(stiff.back().budget[0], reference.back().budget[0], 1e-5);
  EXPECT_LT(20 * stiff.outcome.steps, reference.outcome.steps);
  EXPECT_GT(stiff.outcome.newton_iterations, 0u);
}

TEST(Reference, ReachesSampleTimesByStepsNotByInterpolation) {
  const auto dynamics = dynamics_of<NonlinearAction>();
  const std::vector<double> start{0.5, 1.2, 0.3};
  const auto run = testing::run(dynamics, start,
                                {.method = "reference", .t_end = 2, .tolerance = 1e-12, .schedule = {.interval = 0.7}});
  ASSERT_EQ(run.samples.size(), 4u);
  for (const auto& sample : run.samples) {
    if (sample.t == 0) continue;
    const auto direct = testing::run(dynamics, start, {.method = "reference", .t_end = sample.t, .tolerance = 1e-12});
    EXPECT_LT(distance(sample.state, direct.back().state), 1e-11) << sample.t;
  }
}

}  // namespace
}  // namespace herglotz::integrate
