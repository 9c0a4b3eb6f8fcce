// Whether a fit says that its standard deviations do not describe its data, and only then.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "herglotz/fit/fit.hpp"
#include "herglotz/geometry/builders.hpp"

namespace {

using namespace herglotz;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double truth_q = 0.8;

/// q'' = a b - k sin(q), with the observable `mark` = a.
mechanics::System oscillator() {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto q = graph->symbol("q");
  const auto v = graph->symbol("v");
  const auto a = graph->symbol("a");
  const auto b = graph->symbol("b");
  const auto k = graph->symbol("k");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "oscillator";
  system.parameters = {{a, 1.0}, {b, 1.0}, {k, 0.0}};
  system.generator = v * v / 2 + a * b * q - k * (1.0 - cos(q));
  system.observables = {{"mark", a}};
  return system;
}

/// Measurements of a pendulum (a = 0, k = 1.3) at 60 times with errors of 0.02, or others. Each error keeps a share of
/// its predecessor.
fit::Request pendulum(const simulate::Simulator& simulator, unsigned seed, double kept = 0, double errors = 0.02) {
  fit::Request asked;
  auto& measured = asked.runs.emplace_back();
  measured.run.initial = {{"q", truth_q}, {"v", 0.0}};
  measured.run.parameters = {{"a", 0.0}, {"k", 1.3}};
  measured.run.settings.method = "reference";
  measured.run.settings.tolerance = 1e-11;
  auto settings = measured.run.settings;
  for (int i = 1; i <= 60; ++i) settings.output_times.push_back(0.15 * i);
  settings.t_end = settings.output_times.back();
  const auto run = simulator.run(measured.run.initial, settings, measured.run.parameters);
  measured.data.t = settings.output_times;
  measured.data.series = {{"q", {run["q"].begin() + 1, run["q"].end()}}};
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  double error = normal(random);
  for (double& value : measured.data.series[0].values) {
    value += errors * error;
    error = kept * error + std::sqrt(1 - kept * kept) * normal(random);
  }
  asked.unknowns = {{"k"}, {"q"}, {"v"}};
  return asked;
}

/// Free fall by the product a b = 1, measured well, and a = 1, measured once with this error.
fit::Request product(const simulate::Simulator& simulator, double error) {
  auto asked = pendulum(simulator, 1);
  auto& measured = asked.runs[0];
  measured.run.parameters = {{"a", 1.0}, {"b", 1.0}};
  const std::vector<double>& t = measured.data.t;
  fit::Series q{"q", {}, std::vector<double>(t.size(), 1e-4)};
  for (const double time : t) q.values.push_back(truth_q + time * time / 2);
  fit::Series mark{"mark", std::vector<double>(t.size(), std::nan("")), std::vector<double>(t.size(), error)};
  mark.values[0] = 1;
  measured.data.series = {q, mark};
  asked.unknowns = {{"a"}, {"b"}};
  return asked;
}

}  // namespace

TEST(Deviations, AreNotDoubtedWhereTheyCoverTheTruth) {
  const simulate::Simulator simulator(oscillator());
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const double noise : {0.0, 0.02}) {
      auto asked = pendulum(simulator, seed);
      asked.noise = noise;
      EXPECT_THAT(fit::fit(simulator, asked).warnings, IsEmpty()) << seed << " " << noise;
    }
}

TEST(Deviations, AreDoubtedWhereTheNoiseIsLargerThanStated) {
  const simulate::Simulator simulator(oscillator());
  auto asked = pendulum(simulator, 1);
  asked.noise = 0.01;
  const auto found = fit::fit(simulator, asked);
  EXPECT_NEAR(found.chi_squared / 57, 4, 1.5);
  EXPECT_THAT(found.warnings, ElementsAre(HasSubstr("times the degrees of freedom")));
  asked.noise = 0.1;  // too large a noise makes no deviation too small
  EXPECT_THAT(fit::fit(simulator, asked).warnings, IsEmpty());
}

// Errors whose neighbours have the correlation r make the variance of slow estimates (1 + r)/(1 - r) times as large.
TEST(Deviations, AreDoubtedWhereErrorsFollowFromTheirPredecessors) {
  const simulate::Simulator simulator(oscillator());
  for (unsigned seed = 0; seed < 10; ++seed)
    EXPECT_THAT(fit::fit(simulator, pendulum(simulator, seed, 0.9)).warnings,
                ElementsAre(HasSubstr("residuals of q follow from their predecessors")))
        << seed;
}

TEST(Deviations, AreDoubtedWhereTheModelMissesSomething) {
  const simulate::Simulator simulator(oscillator());
  auto asked = pendulum(simulator, 1);
  asked.unknowns = {{"b"}, {"q"}};  // the stiffness that made the data is 1.3
  asked.runs[0].run.parameters = {{"a", 1.0}, {"b", 0.0}};
  EXPECT_THAT(fit::fit(simulator, asked).warnings,
              testing::Contains(HasSubstr("residuals of q follow from their predecessors")));
}

// With b = 1/a the rise of chi squared is (a - 1)^2/s^2: a parabola in a, none in b. Along the straight line that the
// covariance knows, the product changes by s^2, and chi squared is far from 1 for both errors.
TEST(Deviations, AreThoseOfTheProfileInABentValley) {
  const simulate::Simulator simulator(oscillator());
  EXPECT_THAT(fit::fit(simulator, product(simulator, 0.1)).warnings, IsEmpty());
  const auto found = fit::fit(simulator, product(simulator, 0.4));
  EXPECT_NEAR(found.estimates[1].deviation, 0.4, 1e-3);
  // (1/0.6 - 1)^2/0.16 = 2.8, (1/1.4 - 1)^2/0.16 = 0.51
  EXPECT_THAT(found.warnings,
              ElementsAre(testing::AllOf(HasSubstr("over one standard deviation of b"), HasSubstr("rises by 2.8 below"),
                                         HasSubstr("rises by 0.51 above"))));
}

TEST(Deviations, AreDoubtedBesideABound) {
  const simulate::Simulator simulator(oscillator());
  auto asked = product(simulator, 0.1);
  asked.unknowns[0].lower = 0.95;
  const auto found = fit::fit(simulator, asked);
  EXPECT_THAT(found.warnings, testing::Contains(HasSubstr("a is within one standard deviation of its bound 0.95")));
}

// Residuals are the truncation of the runs, which follows from its predecessors.
TEST(Deviations, OfExactDataAreNotTested) {
  const simulate::Simulator simulator(oscillator());
  auto asked = pendulum(simulator, 1, 0, 0);
  asked.runs[0].run.settings.tolerance = 1e-9;
  const auto found = fit::fit(simulator, asked);
  EXPECT_LT(found.series[0].durbin_watson, 1);
  EXPECT_THAT(found.warnings, IsEmpty());
}
