// Searches that come to values at which a run fails, or takes too long.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/fit/fit.hpp"
#include "simulate/damped_pendulum.hpp"

namespace {

using namespace herglotz;
using symbolic::Expr;
using testing::HasSubstr;

fit::Request search_of_k(fit::Data data, double noise) {
  fit::Request asked;
  auto& measured = asked.runs.emplace_back();
  measured.data = std::move(data);
  measured.run.initial = {{"q", 1.0}, {"v", 0.0}};
  measured.run.settings.method = "reference";
  measured.run.settings.tolerance = 1e-11;
  asked.unknowns = {{"k"}};
  asked.noise = noise;
  return asked;
}

}  // namespace

// L = v^2/2 - (1 + sqrt(k - 1)) q^2/2, and data of the frequency sqrt(0.6), which no k has: chi squared falls up to
// k = 1, below which there is no motion.
TEST(FailingTrials, MakeNoMinimumOfThePlaceWhereTheyBegin) {
  auto system = damped_pendulum(3);
  const Expr q = system.algebroid.x[0];
  const Expr v = system.algebroid.y[0];
  system.generator = v * v / 2 - (1 + sqrt(system.parameters[1].symbol - 1)) * q * q / 2;
  const simulate::Simulator simulator(std::move(system));
  fit::Data data{{}, {{"q", {}}}};
  for (int k = 0; k < 40; ++k) {
    data.t.push_back(0.1 * k);
    data.series[0].values.push_back(std::cos(std::sqrt(0.6) * 0.1 * k));
  }
  auto asked = search_of_k(data, 0.01);
  const auto found = fit::fit(simulator, asked);
  EXPECT_FALSE(found.converged);
  EXPECT_THAT(found.status, testing::StartsWith("the search ended beside values at which a run fails"));
  EXPECT_NEAR(found.estimates.front().value, 1, 1e-6);
  asked.unknowns.front().lower = 1.5;  // bounds end a search in a minimum
  EXPECT_TRUE(fit::fit(simulator, asked).converged);
}

// The observable k is said to be 1e8, with which the pendulum would take thousands of times as many steps.
TEST(FailingTrials, AreThoseThatTakeFarMoreStepsThanTheFirstRun) {
  auto system = damped_pendulum(2);
  system.observables.push_back({"stiffness", system.parameters[1].symbol});
  const simulate::Simulator simulator(std::move(system));
  const auto found = fit::fit(simulator, search_of_k({{0.0, 30.0}, {{"stiffness", {1e8, 1e8}}}}, 1));
  EXPECT_FALSE(found.converged);
  EXPECT_THAT(found.status, HasSubstr("it takes more than 100 times the steps of the first run"));
}
