#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "herglotz/integrate/numerics/find_zero.hpp"
#include "systems.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;
using ::testing::HasSubstr;

constexpr double gamma = 0.25;
using Oscillator = DampedOscillator<1000, 250>;

struct Found {
  std::size_t crossing;
  Sample sample;
};
struct Watched {
  std::vector<Found> found;
  Followed run;
};

using Function = std::function<double(std::span<const double> v)>;

Watched follow_watched(const Dynamics& dynamics, const std::vector<double>& state, const Settings& settings,
                       std::vector<Crossing> crossings, const std::vector<Function>& functions, double t0 = 0) {
  Watched watched;
  Watch watch;
  watch.crossings = std::move(crossings);
  watch.values =
      kernel::from_function("watched", dynamics.variables(), 0, functions.size(),
                            [functions](std::span<const double> v, std::span<const double>, std::span<double> out) {
                              for (std::size_t k = 0; k < functions.size(); ++k) out[k] = functions[k](v);
                            });
  watch.found = [&](std::size_t crossing, const Sample& sample) {
    watched.found.push_back({crossing, sample});
    return true;
  };
  watched.run.outcome = integrate(
      dynamics, {}, t0, state, settings,
      [&](const Sample& sample) {
        watched.run.samples.push_back(sample);
        return true;
      },
      watch);
  return watched;
}

double position(std::span<const double> v) {
  return v[0];
}

/// The k-th zero of q'' + gamma q' + q = 0 with q(0) = 1, v(0) = 0: tan(w t) = -2 w/gamma. [ASMLL20, Sec. 5]
double zero_of_the_oscillator(int k) {
  const double w = std::sqrt(1 - gamma * gamma / 4);
  return (std::numbers::pi - std::atan(2 * w / gamma) + k * std::numbers::pi) / w;
}

Settings accurate(const std::string& method, double t_end = 10) {
  return {.method = method, .t_end = t_end, .step = 0.02, .tolerance = 1e-13, .schedule = {.every = 1}};
}

class Events : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Events, ::testing::Values("reference", "contact-gauss-6"), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(FindZero, ReachesTheToleranceOnSimpleAndFlatZeros) {
  int calls = 0;
  const auto count = [&](auto f) {
    return [&calls, f](double x) {
      ++calls;
      return f(x);
    };
  };
  const auto cosine = count([](double x) { return std::cos(x); });
  EXPECT_NEAR(find_zero(cosine, 1, std::cos(1.0), 2, std::cos(2.0), 1e-15), std::numbers::pi / 2, 2e-15);
  EXPECT_LT(calls, 12);
  const auto flat = count([](double x) { return std::pow(x - 0.3, 9); });
  EXPECT_NEAR(find_zero(flat, 0, -std::pow(0.3, 9), 1, std::pow(0.7, 9), 1e-13), 0.3, 2e-13);
  const auto jump = count([](double x) { return x < 1.0 / 3 ? -1.0 : 1.0; });
  EXPECT_NEAR(find_zero(jump, 0, -1, 1, 1, 1e-13), 1.0 / 3, 2e-13);
}

TEST_P(Events, LieAtTheZerosOfTheClosedForm) {
  const auto watched =
      follow_watched(dynamics_of<Oscillator>(), {1, 0, 0}, accurate(GetParam(), 30), {{"zero"}}, {position});
  ASSERT_EQ(watched.run.outcome.status, Status::success) << watched.run.outcome.reason.text();
  ASSERT_EQ(watched.found.size(), 9U);
  for (int k = 0; k < 9; ++k) {
    const Sample& at = watched.found[static_cast<std::size_t>(k)].sample;
    EXPECT_NEAR(at.t, zero_of_the_oscillator(k), 1e-11) << "zero " << k;
    EXPECT_LT(std::abs(at.state[0]), 1e-14) << "the state is that of the crossing";
  }
}

TEST_P(Events, HaveADirectionInTime) {
  const auto direction_of = [&](Direction direction, double t_end, double t0, const std::vector<double>& start) {
    std::vector<double> times;
    for (const auto& found : follow_watched(dynamics_of<Oscillator>(), start, accurate(GetParam(), t_end),
                                            {{"zero", direction}}, {position}, t0)
                                 .found)
      times.push_back(found.sample.t);
    return times;
  };
  const auto falling = direction_of(Direction::falling, 10, 0, {1, 0, 0});
  const auto rising = direction_of(Direction::rising, 10, 0, {1, 0, 0});
  ASSERT_EQ(falling.size(), 2U);
  ASSERT_EQ(rising.size(), 1U);
  EXPECT_NEAR(falling[1], zero_of_the_oscillator(2), 1e-11);
  EXPECT_NEAR(rising[0], zero_of_the_oscillator(1), 1e-11);
  const auto end = testing::run(dynamics_of<Oscillator>(), {1, 0, 0}, accurate(GetParam(), 10)).back().state;
  const auto backwards = direction_of(Direction::rising, 0, 10, end);
  ASSERT_EQ(backwards.size(), 1U);
  EXPECT_NEAR(backwards[0], rising[0], 1e-10);
}

TEST_P(Events, EndARunThatTheyStop) {
  Settings settings = accurate(GetParam(), 10);
  settings.schedule = {.interval = 0.5};
  const auto watched =
      follow_watched(dynamics_of<Oscillator>(), {1, 0, 0}, settings, {{"turn"}, {"zero", Direction::rising, true}},
                     {[](auto v) { return v[1]; }, position});
  const Outcome& outcome = watched.run.outcome;
  ASSERT_EQ(outcome.status, Status::success) << outcome.reason.text();
  ASSERT_TRUE(outcome.stopped_by.has_value());
  EXPECT_EQ(*outcome.stopped_by, 1U);
  EXPECT_NEAR(outcome.t, zero_of_the_oscillator(1), 1e-11);
  const auto& samples = watched.run.samples;
  EXPECT_EQ(samples.back().t, outcome.t);
  EXPECT_EQ(samples.back().state, outcome.state);
  EXPECT_EQ(samples.size(), 11U) << "0, 0.5, .., 4.5 and the crossing at 4.84";
  for (std::size_t k = 1; k < samples.size(); ++k) EXPECT_LT(samples[k - 1].t, samples[k].t);
  ASSERT_EQ(watched.found.size(), 2U) << "the crossing that does not stop the run comes first";
  EXPECT_EQ(watched.found[0].crossing, 0U);
}

TEST(EventsOfFixedSteps, SeveralInOneStepComeInOrder) {
  Settings settings = accurate("contact-gauss-6", 1);
  settings.step = 0.5;
  const auto watched = follow_watched(dynamics_of<Oscillator>(), {1, 0, 0}, settings, {{"late"}, {"early"}, {"pair"}},
                                      {[](auto v) { return v[3] - 0.31; }, [](auto v) { return v[3] - 0.11; },
                                       [](auto v) { return (v[3] - 0.2) * (v[3] - 0.4); }});
  std::vector<std::pair<std::size_t, double>> found;
  for (const auto& f : watched.found) found.emplace_back(f.crossing, f.sample.t);
  ASSERT_EQ(found.size(), 4U);
  const std::vector<std::pair<std::size_t, double>> expected{{1, 0.11}, {2, 0.2}, {0, 0.31}, {2, 0.4}};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(found[k].first, expected[k].first);
    EXPECT_NEAR(found[k].second, expected[k].second, 1e-14);
  }
}

TEST(EventsOfFixedSteps, ThreeCrossingsOfOneFunctionInAStepAreAllFound) {
  Settings settings = accurate("contact-gauss-6", 1);
  settings.step = 1;
  const auto watched = follow_watched(dynamics_of<Oscillator>(), {1, 0, 0}, settings, {{"cubic"}},
                                      {[](auto v) { return (v[3] - 0.2) * (v[3] - 0.45) * (v[3] - 0.9); }});
  ASSERT_EQ(watched.found.size(), 3U);
  EXPECT_NEAR(watched.found[1].sample.t, 0.45, 1e-14);
}

TEST_P(Events, ATangencyIsNone) {
  for (const double touch : {0.7, 0.71}) {  // the first at the end of a step of 0.02, the other inside one
    const auto watched = follow_watched(dynamics_of<Oscillator>(), {1, 0, 0}, accurate(GetParam(), 2), {{"square"}},
                                        {[touch](auto v) { return (v[3] - touch) * (v[3] - touch); }});
    EXPECT_TRUE(watched.found.empty()) << "touches zero at t = " << touch;
  }
}

TEST_P(Events, AStartOnTheZeroSetIsNone) {
  const auto watched =
      follow_watched(dynamics_of<Oscillator>(), {0, 1, 0}, accurate(GetParam(), 4), {{"zero"}}, {position});
  ASSERT_EQ(watched.found.size(), 1U);
  EXPECT_NEAR(watched.found[0].sample.t, std::numbers::pi / std::sqrt(1 - gamma * gamma / 4), 1e-11);
}

TEST_P(Events, AZeroAtTheEndOfAStepIsFoundOnce) {
  Settings settings = accurate(GetParam(), 2);
  settings.step = 0.25;
  const auto watched =
      follow_watched(dynamics_of<Oscillator>(), {1, 0, 0}, settings, {{"time"}}, {[](auto v) { return v[3] - 0.75; }});
  ASSERT_EQ(watched.found.size(), 1U);
  EXPECT_NEAR(watched.found[0].sample.t, 0.75, 1e-14);
}

TEST_P(Events, DoNotDisturbTheRun) {
  const auto watched =
      follow_watched(dynamics_of<Oscillator>(), {1, 0, 0}, accurate(GetParam()), {{"zero"}}, {position});
  const auto again = follow_watched(dynamics_of<Oscillator>(), {1, 0, 0}, accurate(GetParam()), {{"zero"}}, {position});
  const auto plain = testing::run(dynamics_of<Oscillator>(), {1, 0, 0}, accurate(GetParam()));
  ASSERT_EQ(watched.run.samples.size(), plain.samples.size());
  EXPECT_EQ(watched.run.back().state, plain.back().state);
  ASSERT_EQ(watched.found.size(), again.found.size());
  for (std::size_t k = 0; k < watched.found.size(); ++k) {
    EXPECT_EQ(watched.found[k].sample.t, again.found[k].sample.t);
    EXPECT_EQ(watched.found[k].sample.state, again.found[k].sample.state);
  }
}

TEST(EventsOfTheStiffMethod, LieAtTheZerosWithinTheTolerance) {
  const auto watched =
      follow_watched(dynamics_of<Oscillator>(), {1, 0, 0}, accurate("stiff", 10), {{"zero"}}, {position});
  ASSERT_EQ(watched.found.size(), 3U);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(watched.found[static_cast<std::size_t>(k)].sample.t, zero_of_the_oscillator(k), 1e-9);
}

TEST(EventsOfFixedSteps, ThatAreNotFiniteAreNamed) {
  const auto watched = follow_watched(dynamics_of<Oscillator>(), {1, 0, 0}, accurate("contact-gauss-2"),
                                      {{"logarithm"}}, {[](auto v) { return std::log(0.5 - v[3]); }});
  EXPECT_EQ(watched.run.outcome.status, Status::not_finite);
  EXPECT_THAT(watched.run.outcome.reason.text(), HasSubstr("the event 'logarithm' is not a finite number"));
}

TEST_P(Events, AtTheTimeOfOneThatStopsTheRunAreFoundInEitherOrder) {
  const Function other = [](std::span<const double> v) { return -v[0]; };
  for (const bool stops_first : {false, true}) {
    const auto watched =
        follow_watched(dynamics_of<Oscillator>(), {1, 0, 0}, accurate(GetParam()),
                       {{"a", Direction::any, stops_first}, {"b", Direction::any, !stops_first}}, {position, other});
    ASSERT_EQ(watched.found.size(), 2U);
    EXPECT_EQ(watched.found[0].sample.t, watched.found[1].sample.t);
    EXPECT_EQ(watched.run.outcome.stopped_by, stops_first ? 0U : 1U);
    EXPECT_NEAR(watched.run.outcome.t, zero_of_the_oscillator(0), 1e-11);
  }
}

}  // namespace
}  // namespace herglotz::integrate
