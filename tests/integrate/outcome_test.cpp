#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "systems.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;
using ::testing::HasSubstr;

/// Settings that suit any method.
Settings settings_for(const MethodInfo& info, double t_end) {
  Settings settings{.method = info.name, .t_end = t_end};
  settings.step = info.adaptive ? 0 : 0.01;
  settings.tolerance = 1e-9;
  return settings;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& info : methods_of_the_motion()) all.push_back(info.name);
  return all;
}

class EveryMethod : public ::testing::TestWithParam<std::string> {
 protected:
  static const MethodInfo& info() { return *find_method(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EveryMethod, IsFoundByItsName) {
  const MethodInfo* found = find_method(GetParam());
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->order, info().order);
  EXPECT_GT(found->order, 0);
  EXPECT_FALSE(found->summary.empty());
  EXPECT_FALSE(found->algebroids.empty());
}

TEST_P(EveryMethod, HandsOutStartAndEndOnceAndNothingElseUnlessAsked) {
  const auto run = testing::run(dynamics_of<NonlinearAction>(), {0.5, 1.2, 0.3}, settings_for(info(), 1));
  ASSERT_EQ(run.samples.size(), 2u);
  EXPECT_EQ(run.samples[0].t, 0);
  EXPECT_EQ(run.samples[0].state, (std::vector<double>{0.5, 1.2, 0.3}));
  EXPECT_EQ(run.samples[1].t, 1);
  EXPECT_EQ(run.outcome.state, run.samples[1].state);
  EXPECT_EQ(run.outcome.t, 1);
}

TEST_P(EveryMethod, AnEmptySpanOfTimeIsOneSample) {
  const auto run = testing::run(dynamics_of<NonlinearAction>(), {0.5, 1.2, 0.3}, settings_for(info(), 2), 2);
  EXPECT_EQ(run.outcome.status, Status::success);
  ASSERT_EQ(run.samples.size(), 1u);
  EXPECT_EQ(run.samples[0].t, 2);
}

TEST_P(EveryMethod, SamplesAtTheIntervalEvenWhereItIsNoMultipleOfTheStep) {
  const auto dynamics = dynamics_of<NonlinearAction>();
  auto settings = settings_for(info(), 1);
  settings.schedule.interval = 0.144;
  const auto sampled = testing::run(dynamics, {0.5, 1.2, 0.3}, settings);
  ASSERT_EQ(sampled.samples.size(), 8u);
  for (std::size_t k = 0; k < 7; ++k) EXPECT_DOUBLE_EQ(sampled.samples[k].t, 0.144 * static_cast<double>(k));
  const auto exact = testing::run(dynamics, {0.5, 1.2, 0.3},
                                  {.method = "reference", .t_end = sampled.samples[5].t, .tolerance = 1e-12});
  EXPECT_LT(distance(sampled.samples[5].state, exact.back().state), 1e-4);
  if (info().adaptive) return;
  settings.schedule.interval = 0;
  const auto plain = testing::run(dynamics, {0.5, 1.2, 0.3}, settings);
  EXPECT_EQ(plain.back().state, sampled.back().state) << "sampling must not disturb the motion";
}

TEST_P(EveryMethod, SamplesEveryFewSteps) {
  auto settings = settings_for(info(), 1);
  settings.schedule.every = 7;
  const auto run = testing::run(dynamics_of<NonlinearAction>(), {0.5, 1.2, 0.3}, settings);
  EXPECT_EQ(run.samples.size(), 1 + (run.outcome.steps + 6) / 7);
  for (std::size_t k = 1; k < run.samples.size(); ++k) EXPECT_GT(run.samples[k].t, run.samples[k - 1].t);
}

TEST_P(EveryMethod, GivesTheSameBitsTwice) {
  const auto once = testing::run(dynamics_of<NonlinearAction>(), {0.5, 1.2, 0.3}, settings_for(info(), 2));
  const auto twice = testing::run(dynamics_of<NonlinearAction>(), {0.5, 1.2, 0.3}, settings_for(info(), 2));
  EXPECT_EQ(once.back().state, twice.back().state);
  EXPECT_EQ(once.back().budget, twice.back().budget);
}

TEST_P(EveryMethod, ReportsASingularHessianWithTimeAndState) {
  const auto run = testing::run(dynamics_of<QuarticKinetic>(), {0.5, 0.0, 0.0}, settings_for(info(), 1), 0.25);
  EXPECT_EQ(run.outcome.status, Status::singular_hessian) << run.outcome.reason.text();
  EXPECT_THAT(run.outcome.reason.text(), HasSubstr("velocity Hessian"));
  EXPECT_THAT(run.outcome.reason.text(), HasSubstr("t = 0.25"));
  EXPECT_THAT(run.outcome.reason.text(), HasSubstr("x = (0.5)"));
}

TEST_P(EveryMethod, StopsBeforeAFiniteTimeBlowUpAndSaysWhen) {
  const auto run = testing::run(dynamics_of<BlowUp>(), {1.0, 0.0}, settings_for(info(), 2));
  EXPECT_THAT(run.outcome.status, ::testing::AnyOf(Status::not_finite, Status::step_too_small, Status::not_converged));
  EXPECT_THAT(run.outcome.reason.text(), HasSubstr("t = "));
  EXPECT_NEAR(run.outcome.t, 1.0, info().adaptive ? 1e-3 : 0.1);
  EXPECT_EQ(run.samples.size(), 1u);
}

TEST_P(EveryMethod, StopsAtTheAllowedNumberOfSteps) {
  auto settings = settings_for(info(), 100);
  settings.max_steps = 5;
  const auto run = testing::run(dynamics_of<NonlinearAction>(), {0.5, 1.2, 0.3}, settings);
  EXPECT_EQ(run.outcome.status, Status::too_many_steps);
  EXPECT_EQ(run.outcome.steps, 5u);
  EXPECT_THAT(run.outcome.reason.text(), HasSubstr("5 steps"));
}

TEST_P(EveryMethod, StopsWhenTheSinkHasHadEnough) {
  auto settings = settings_for(info(), 10);
  settings.schedule.interval = 1;
  int seen = 0;
  const auto outcome = integrate(dynamics_of<NonlinearAction>(), {}, 0, std::vector<double>{0.5, 1.2, 0.3}, settings,
                                 [&](const Sample&) { return ++seen < 4; });
  EXPECT_EQ(outcome.status, Status::cancelled);
  EXPECT_EQ(seen, 4);
  EXPECT_NEAR(outcome.t, 3, 0.2);
}

TEST_P(EveryMethod, ReportsAnInitialStateThatIsNoNumber) {
  const auto run = testing::run(dynamics_of<NonlinearAction>(), {0.5, std::nan(""), 0.3}, settings_for(info(), 1));
  EXPECT_EQ(run.outcome.status, Status::not_finite) << run.outcome.reason.text();
  EXPECT_THAT(run.outcome.reason.text(), HasSubstr("not finite"));
}

TEST_P(EveryMethod, RefusesAStateOfTheWrongSize) {
  EXPECT_THROW(testing::run(dynamics_of<NonlinearAction>(), {0.5, 1.2}, settings_for(info(), 1)),
               std::invalid_argument);
}

TEST(Integrate, RefusesAnUnknownMethodAndNamesTheKnownOnes) {
  try {
    testing::run(dynamics_of<NonlinearAction>(), {0.5, 1.2, 0.3}, {.method = "magic", .t_end = 1});
    FAIL() << "an unknown method was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("magic"));
    EXPECT_THAT(error.what(), HasSubstr("contact-gauss-4"));
  }
}

TEST(Integrate, RefusesAMissingStepAndASenselessTolerance) {
  const auto dynamics = dynamics_of<NonlinearAction>();
  const std::vector<double> start{0.5, 1.2, 0.3};
  EXPECT_THROW(testing::run(dynamics, start, {.method = "contact-gauss-2", .t_end = 1}), std::invalid_argument);
  EXPECT_THROW(testing::run(dynamics, start, {.method = "reference", .t_end = 1, .tolerance = 0}),
               std::invalid_argument);
  EXPECT_THROW(testing::run(dynamics, start, {.method = "reference", .t_end = std::numeric_limits<double>::infinity()}),
               std::invalid_argument);
}

TEST(Integrate, RefusesKernelsThatDoNotFitTheSystem) {
  auto dynamics = dynamics_of<NonlinearAction>();
  dynamics.stage = dynamics.flow;
  EXPECT_THROW(testing::run(dynamics, {0.5, 1.2, 0.3}, {.method = "contact-gauss-2", .t_end = 1, .step = 0.1}),
               std::invalid_argument);
}

// q'' = -k q - gamma q': with k << gamma^2 the mode of rate gamma is gone after 1e-3 of the run, and explicit steps
// stay a few times 1/gamma long. E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.2.
TEST(Outcome, NamesTheDecayThatKeepsExplicitStepsShort) {
  const Settings settings{.method = "reference", .t_end = 5, .tolerance = 1e-8};
  const auto stiff = run(dynamics_of<DampedOscillator<1000, 20'000'000>>(), {1, 0.5, 0}, settings).outcome;
  ASSERT_EQ(stiff.status, Status::success);
  EXPECT_GT(stiff.steps, 2 * 4096U);
  EXPECT_THAT(stiff.reason.problem, HasSubstr("a decay at rate 2e+04"));
  EXPECT_THAT(stiff.reason.remedy, HasSubstr("radau-5"));
}

TEST(Outcome, NamesNoDecayWhereStepsFollowTheMotion) {
  const Settings long_run{.method = "reference", .t_end = 4000, .tolerance = 1e-10};
  for (const auto& [dynamics, state] : {std::pair{dynamics_of<DampedOscillator<1000, 0>>(), std::vector{1.0, 0.0, 0.0}},
                                        {dynamics_of<DampedOscillator<1000, 1>>(), {1.0, 0.0, 0.0}}}) {
    const auto outcome = run(dynamics, state, long_run).outcome;
    EXPECT_GT(outcome.steps, 3 * 4096U);
    EXPECT_TRUE(outcome.reason.empty()) << outcome.reason.text();
  }
  // The same decay, in a run that is over before it could cost anything.
  const Settings short_run{.method = "reference", .t_end = 1e-3, .tolerance = 1e-8};
  EXPECT_TRUE(run(dynamics_of<DampedOscillator<1000, 20'000'000>>(), {1, 0.5, 0}, short_run).outcome.reason.empty());
}

}  // namespace
}  // namespace herglotz::integrate
