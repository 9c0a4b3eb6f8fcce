#include "herglotz/integrate/final_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "systems.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;
using ::testing::HasSubstr;

/// The unit circle, which the undamped oscillator keeps.
FinalSet circle() {
  return {kernel::from_function("circle", 4, 0, 4,
                                [](std::span<const double> u, std::span<const double>, std::span<double> out) {
                                  out[0] = (u[0] * u[0] + u[1] * u[1] - 1) / 2;
                                  out[1] = u[0];
                                  out[2] = u[1];
                                  out[3] = 0;
                                }),
          1};
}

Dynamics undamped_oscillator() {
  return dynamics_of<DampedOscillator<1000, 0>>();
}

double off_circle(const Sample& sample) {
  return std::abs(std::hypot(sample.state[0], sample.state[1]) - 1);
}

Outcome follow_on_set(const FinalSet& set, const Dynamics& dynamics, const std::vector<double>& start,
                      const Settings& settings, const Watch& watch = {}) {
  return integrate_on(set, dynamics, {}, 0, start, settings, [](const Sample&) { return true; }, watch);
}

TEST(FinalSet, HoldsEveryCrossingToRoundOff) {
  Watch watch;
  watch.crossings = {{.name = "q"}};
  watch.values = kernel::from_function(
      "watched", 4, 0, 1,
      [](std::span<const double> u, std::span<const double>, std::span<double> out) { out[0] = u[0]; });
  std::vector<Sample> found;
  watch.found = [&](std::size_t, const Sample& sample) {
    found.push_back(sample);
    return true;
  };
  // Steps are inaccurate, so that the states inside them leave the circle unless they are moved back.
  const auto outcome =
      follow_on_set(circle(), undamped_oscillator(), {1, 0, 0}, {.t_end = 20, .tolerance = 1e-4}, watch);
  EXPECT_EQ(outcome.status, Status::success) << outcome.reason.text();
  ASSERT_EQ(found.size(), 6u);
  for (const Sample& sample : found) EXPECT_LT(off_circle(sample), 1e-15) << "t = " << sample.t;
}

TEST(FinalSet, RefusesAStartOffTheSet) {
  const auto outcome = follow_on_set(circle(), undamped_oscillator(), {1.001, 0, 0}, {.t_end = 1});
  EXPECT_EQ(outcome.status, Status::off_constraints);
  EXPECT_THAT(outcome.reason.text(), HasSubstr("the start is off the constraints by 0.000999"));
  EXPECT_EQ(follow_on_set(circle(), undamped_oscillator(), {1 + 1e-13, 0, 0}, {.t_end = 1}).status, Status::success);
}

TEST(FinalSet, IsCheckedAsOtherRunsAre) {
  const auto message = [](const FinalSet& set, Dynamics dynamics, const std::vector<double>& start,
                          const Settings& settings) {
    try {
      static_cast<void>(follow_on_set(set, dynamics, start, settings));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::vector<double> start{1, 0, 0};
  EXPECT_THAT(message(circle(), undamped_oscillator(), {1, 0}, {.t_end = 1}),
              HasSubstr("the initial state has 2 entries"));
  EXPECT_THAT(message(circle(), undamped_oscillator(), start, {.t_end = 1, .tolerance = 0}),
              HasSubstr("needs a tolerance"));
  EXPECT_THAT(message(circle(), undamped_oscillator(), start, {.t_end = std::nan("")}), HasSubstr("must be finite"));
  EXPECT_THAT(message(circle(), undamped_oscillator(), start, {.method = "contact-gauss-4", .t_end = 1, .step = 0.1}),
              HasSubstr("does not follow motions on a final set; choose one of reference, taylor"));
  FinalSet two = circle();
  two.count = 2;
  EXPECT_THAT(message(two, undamped_oscillator(), start, {.t_end = 1}), HasSubstr("final set"));
  EXPECT_THAT(message({{}, 1}, undamped_oscillator(), start, {.t_end = 1}), HasSubstr("needs their kernel"));
  Dynamics constrained = undamped_oscillator();
  constrained.m = 1;
  EXPECT_THAT(message(circle(), constrained, start, {.t_end = 1}), HasSubstr("no multipliers"));
}

}  // namespace
}  // namespace herglotz::integrate
