// Profile likelihoods, against closed forms and fits with the unknown held.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "herglotz/error.hpp"
#include "herglotz/fit/fit.hpp"
#include "herglotz/geometry/builders.hpp"

namespace {

using namespace herglotz;
using testing::HasSubstr;

/// L = m v^2/2 - g q - k (1 - cos(q)): free fall with k = 0.
mechanics::System falling_oscillator() {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto q = graph->symbol("q");
  const auto v = graph->symbol("v");
  const auto g = graph->symbol("g");
  const auto k = graph->symbol("k");
  const auto m = graph->symbol("m");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "oscillator";
  system.parameters = {{g, 1.0}, {k, 0.0}, {m, 1.0}};
  system.generator = m * v * v / 2 - g * q - k * (1.0 - cos(q));
  return system;
}

/// Data of 15 times with errors that are fixed numbers.
fit::Request measured_request(const simulate::Simulator& simulator, const simulate::InitialState& parameters,
                              std::vector<fit::Unknown> unknowns) {
  fit::Request asked;
  auto& measured = asked.runs.emplace_back();
  measured.run.initial = {{"q", 0.8}, {"v", 0.0}};
  measured.run.parameters = parameters;
  measured.run.settings.method = "reference";
  measured.run.settings.tolerance = 1e-11;
  auto settings = measured.run.settings;
  for (int k = 1; k <= 15; ++k) settings.output_times.push_back(0.3 * k);
  settings.t_end = settings.output_times.back();
  const auto run = simulator.run(measured.run.initial, settings, parameters);
  measured.data.t = settings.output_times;
  measured.data.series = {{"q", {run["q"].begin() + 1, run["q"].end()}}};
  for (std::size_t k = 0; k < measured.data.t.size(); ++k)
    measured.data.series[0].values[k] += 0.02 * std::sin(11.0 * static_cast<double>(k * k + 1));
  asked.unknowns = std::move(unknowns);
  asked.noise = 0.02;
  return asked;
}

}  // namespace

// q = q0 + v0 t - g t^2/2 is linear in what is sought: chi squared is a parabola, and the interval of 95 % the estimate
// and 1.959964 standard deviations.
TEST(Profile, OfALinearModelIsAParabola) {
  const simulate::Simulator simulator(falling_oscillator());
  auto asked = measured_request(simulator, {}, {{"g"}, {"q"}, {"v"}});
  asked.profiles = {"v", "g"};
  const auto found = fit::fit(simulator, asked);
  ASSERT_EQ(found.profiles.size(), 2U);
  for (const auto& profile : found.profiles) {
    const auto estimate = std::find_if(found.estimates.begin(), found.estimates.end(),
                                       [&](const auto& one) { return one.name == profile.name; });
    EXPECT_EQ(profile.status, "complete");
    EXPECT_NEAR((profile.upper - estimate->value) / estimate->deviation, 1.959963984540054, 1e-5);
    EXPECT_NEAR((estimate->value - profile.lower) / estimate->deviation, 1.959963984540054, 1e-5);
    EXPECT_TRUE(std::is_sorted(profile.values.begin(), profile.values.end()));
    ASSERT_EQ(profile.values.size(), profile.rise.size());
    for (std::size_t i = 0; i < profile.values.size(); ++i) {
      const double distance = (profile.values[i] - estimate->value) / estimate->deviation;
      EXPECT_NEAR(profile.rise[i], distance * distance, 1e-5);
    }
  }
}

// A pendulum: the ends are where fits with the unknown held have a chi squared that is larger by the threshold.
TEST(Profile, EndsWhereFitsWithTheUnknownHeldSaySo) {
  const simulate::Simulator simulator(falling_oscillator());
  auto asked = measured_request(simulator, {{"g", 0.1}, {"k", 1.3}}, {{"g"}, {"k"}, {"q"}});
  asked.profiles = {"k"};
  const auto found = fit::fit(simulator, asked);
  const auto& profile = found.profiles.at(0);
  EXPECT_GT(std::abs((profile.upper + profile.lower) / 2 - found.estimates[1].value), 1e-6);  // no parabola
  asked.unknowns = {{"g"}, {"q"}};
  asked.profiles.clear();
  for (const double end : {profile.lower, profile.upper}) {
    asked.runs[0].run.parameters["k"] = end;
    EXPECT_NEAR(fit::fit(simulator, asked).chi_squared - found.chi_squared, fit::profile_threshold, 1e-4);
  }
}

TEST(Profile, HasNoEndWhereTheDataSetNone) {
  // The motion knows k/m and g/m only.
  const simulate::Simulator simulator(falling_oscillator());
  auto asked = measured_request(simulator, {{"g", 0.1}, {"k", 1.3}}, {{"g"}, {"k"}, {"m", 0.2}});
  asked.profiles = {"m"};
  auto profile = fit::fit(simulator, asked).profiles.at(0);
  EXPECT_EQ(profile.lower, 0.2);  // its bound
  EXPECT_EQ(profile.upper, std::numeric_limits<double>::infinity());
  EXPECT_THAT(profile.status, HasSubstr("the data do not bound m"));
  asked.unknowns[2] = {"m"};
  profile = fit::fit(simulator, asked).profiles.at(0);
  EXPECT_EQ(profile.lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(profile.upper, std::numeric_limits<double>::infinity());
  EXPECT_THAT(profile.status, HasSubstr("the data do not bound m on the side of -"));
  EXPECT_THAT(profile.status, HasSubstr("; the data do not bound m on the side of 1"));
}

TEST(Profile, IsOfEachRunOrOfOne) {
  const simulate::Simulator simulator(falling_oscillator());
  auto asked = measured_request(simulator, {}, {{"g"}, {"q"}});
  asked.unknowns[1].own = true;
  asked.runs.push_back(asked.runs[0]);
  for (double& value : asked.runs[1].data.series[0].values) value += 0.1;
  asked.profiles = {"q"};
  auto found = fit::fit(simulator, asked);
  ASSERT_EQ(found.profiles.size(), 2U);
  EXPECT_EQ(found.profiles[1].name, "q[2]");
  EXPECT_NEAR(found.profiles[1].lower - found.profiles[0].lower, 0.1, 1e-6);
  asked.profiles = {"q[2]"};
  found = fit::fit(simulator, asked);
  ASSERT_EQ(found.profiles.size(), 1U);
  asked.profiles = {"k"};
  try {
    fit::fit(simulator, asked);
    FAIL() << "nothing was thrown";
  } catch (const Refused& error) {
    EXPECT_THAT(error.what(), HasSubstr("the profile of k is asked for, which is not fitted"));
    EXPECT_THAT(error.remedy(), HasSubstr("g, q[1], q[2]"));
  }
}

TEST(Profile, OfTheOnlyUnknownFitsNothingAgain) {
  const simulate::Simulator simulator(falling_oscillator());
  auto asked = measured_request(simulator, {}, {{"g"}});
  asked.profiles = {"g"};
  const auto found = fit::fit(simulator, asked);
  EXPECT_NEAR((found.profiles[0].upper - found.estimates[0].value) / found.estimates[0].deviation, 1.959963984540054,
              1e-5);
}
