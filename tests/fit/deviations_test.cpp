// Whether a fit says that its standard deviations do not describe its data, and only then.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "herglotz/fit/fit.hpp"
#include "herglotz/geometry/builders.hpp"

namespace {

using namespace herglotz;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double truth_q = 0.8;

/// q'' = a b - k sin(q), with the observables `mark` = a and `turn` = sin(a).
mechanics::System marked_oscillator() {
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
  system.observables = {{"mark", a}, {"turn", sin(a)}};
  return system;
}

/// Measurements of a pendulum (a = 0, k = 1.3) at 60 times with errors of 0.02, or others. Each error keeps a share of
/// its predecessor.
fit::Request measured_pendulum(const simulate::Simulator& simulator, unsigned seed, double kept = 0,
                               double errors = 0.02) {
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

/// Free fall by b = 1 (a = 1, k = 0) from a known start, with errors of 0.02 each of which keeps a share of its
/// predecessor.
fit::Request fall(const simulate::Simulator& simulator, unsigned seed, double kept) {
  auto asked = measured_pendulum(simulator, seed, kept);
  auto& measured = asked.runs[0];
  measured.run.settings.t_end = measured.data.t.back();
  measured.run.settings.output_times = measured.data.t;
  const auto run = simulator.run(measured.run.initial, measured.run.settings, measured.run.parameters);
  measured.run.parameters = {{"a", 1.0}, {"b", 1.0}};
  for (std::size_t i = 0; i < measured.data.t.size(); ++i) {
    const double t = measured.data.t[i];
    measured.data.series[0].values[i] += truth_q + t * t / 2 - run["q"][i + 1];
  }
  asked.unknowns = {{"b"}};
  return asked;
}

/// The factor in the warning that residuals follow from their predecessors; NaN without this warning.
double stated_factor(const fit::Fit& found) {
  const std::string before = "standard deviations may be ";
  for (const auto& warning : found.warnings)
    if (const auto at = warning.find(before); at != std::string::npos)
      return std::stod(warning.substr(at + before.size()));
  return std::nan("");
}

/// Free fall by the product a b = 1, measured well, and a = 1, measured once with this error.
fit::Request product(const simulate::Simulator& simulator, double error) {
  auto asked = measured_pendulum(simulator, 1);
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
  const simulate::Simulator simulator(marked_oscillator());
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const double noise : {0.0, 0.02}) {
      auto asked = measured_pendulum(simulator, seed);
      asked.noise = noise;
      EXPECT_THAT(fit::fit(simulator, asked).warnings, IsEmpty()) << seed << " " << noise;
    }
}

TEST(Deviations, AreDoubtedWhereTheNoiseIsLargerThanStated) {
  const simulate::Simulator simulator(marked_oscillator());
  auto asked = measured_pendulum(simulator, 1);
  asked.noise = 0.01;
  const auto found = fit::fit(simulator, asked);
  EXPECT_NEAR(found.chi_squared / 57, 4, 1.5);
  EXPECT_THAT(found.warnings, ElementsAre(HasSubstr("times the degrees of freedom")));
  asked.noise = 0.1;  // too large a noise makes no deviation too small
  EXPECT_THAT(fit::fit(simulator, asked).warnings, IsEmpty());
}

// Errors whose neighbours have the correlation r make the variance of slow estimates (1 + r)/(1 - r) times as large.
TEST(Deviations, AreDoubtedWhereErrorsFollowFromTheirPredecessors) {
  const simulate::Simulator simulator(marked_oscillator());
  for (unsigned seed = 0; seed < 10; ++seed)
    EXPECT_THAT(fit::fit(simulator, measured_pendulum(simulator, seed, 0.9)).warnings,
                ElementsAre(HasSubstr("residuals of q follow from their predecessors")))
        << seed;
}

// The root mean square error of b over its standard deviation is the factor in the warnings [BD91, Sec. 7.1].
TEST(Deviations, AreTooSmallByTheStatedFactorWhereErrorsFollowFromTheirPredecessors) {
  const simulate::Simulator simulator(marked_oscillator());
  double squares = 0;
  double factors = 0;
  double fits = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const auto found = fit::fit(simulator, fall(simulator, seed, 0.8));
    const double factor = stated_factor(found);
    if (std::isnan(factor)) continue;
    const double error = (found.estimates[0].value - 1) / found.estimates[0].deviation;
    squares += error * error;
    factors += factor;
    fits += 1;
  }
  EXPECT_GT(fits, 50);
  EXPECT_NEAR(factors / fits / std::sqrt(squares / fits), 1, 0.3);
}

TEST(Deviations, OfErrorsThatFollowFromTheirPredecessorsKnowTheSizeOfTheErrors) {
  const simulate::Simulator simulator(marked_oscillator());
  auto asked = fall(simulator, 1, 0.8);
  for (const double noise : {0.01, 0.04}) {
    asked.noise = noise;
    const auto found = fit::fit(simulator, asked);
    const double r = 1 - found.series[0].durbin_watson / 2;
    const double expected = std::sqrt((1 + r) / (1 - r) * found.chi_squared / 60);
    EXPECT_NEAR(stated_factor(found), expected, 0.05 * expected) << noise;
  }
  asked.noise = 0.1;  // larger than what the errors do together
  EXPECT_THAT(fit::fit(simulator, asked).warnings, IsEmpty());
}

// Of an error that all values share, their mean has as much as each: n times the variance of independent errors.
TEST(Deviations, AreTooSmallByTheRootOfTheirNumberAtMostWhereAllErrorsAreTheSame) {
  const simulate::Simulator simulator(marked_oscillator());
  auto asked = fall(simulator, 1, 0);
  for (std::size_t i = 0; i < 60; ++i) {
    const double t = asked.runs[0].data.t[i];
    asked.runs[0].data.series[0].values[i] = truth_q + t * t / 2 + 0.5;
  }
  asked.noise = 0.5;
  const auto found = fit::fit(simulator, asked);
  const double r = 1 - found.series[0].durbin_watson / 2;
  EXPECT_GT((1 + r) / (1 - r), 600);
  const double expected = std::sqrt(found.chi_squared);  // the root of 60 times the mean square
  EXPECT_NEAR(stated_factor(found), expected, 0.05 * expected);
}

TEST(Deviations, AreDoubtedWhereTheModelMissesSomething) {
  const simulate::Simulator simulator(marked_oscillator());
  auto asked = measured_pendulum(simulator, 1);
  asked.unknowns = {{"b"}, {"q"}};  // the stiffness that made the data is 1.3
  asked.runs[0].run.parameters = {{"a", 1.0}, {"b", 0.0}};
  EXPECT_THAT(fit::fit(simulator, asked).warnings,
              testing::Contains(HasSubstr("residuals of q follow from their predecessors")));
}

// With b = 1/a the rise of chi squared is (a - 1)^2/s^2: a parabola in a, none in b. Along the straight line that the
// covariance knows, the product changes by s^2, and chi squared is far from 1 for both errors.
TEST(Deviations, AreThoseOfTheProfileInABentValley) {
  const simulate::Simulator simulator(marked_oscillator());
  EXPECT_THAT(fit::fit(simulator, product(simulator, 0.1)).warnings, IsEmpty());
  const auto found = fit::fit(simulator, product(simulator, 0.4));
  EXPECT_NEAR(found.estimates[1].deviation, 0.4, 1e-3);
  // (1/0.6 - 1)^2/0.16 = 2.8, (1/1.4 - 1)^2/0.16 = 0.51
  EXPECT_THAT(found.warnings,
              ElementsAre(testing::AllOf(HasSubstr("over one standard deviation of b"), HasSubstr("rises by 2.8 below"),
                                         HasSubstr("rises by 0.51 above"))));
}

// The slope of sin(a) at 0 and errors of 2 pi give a standard deviation of one turn.
TEST(Deviations, AreDoubtedWhereChiSquaredDoesNotRise) {
  const simulate::Simulator simulator(marked_oscillator());
  auto asked = measured_pendulum(simulator, 1);
  auto& measured = asked.runs[0];
  measured.run.parameters = {{"a", 0.1}, {"b", 0.0}, {"k", 1.3}};
  fit::Series turn{"turn", std::vector<double>(60, std::nan("")), std::vector<double>(60, 2 * std::numbers::pi)};
  turn.values[0] = 0;
  measured.data.series.push_back(turn);
  asked.unknowns = {{"a"}};
  EXPECT_THAT(fit::fit(simulator, asked).warnings,
              ElementsAre(HasSubstr("it does not rise below the estimate and does not rise above")));
}

TEST(Deviations, AreDoubtedBesideABound) {
  const simulate::Simulator simulator(marked_oscillator());
  auto asked = product(simulator, 0.1);
  asked.unknowns[0].lower = 0.95;
  const auto found = fit::fit(simulator, asked);
  EXPECT_THAT(found.warnings, testing::Contains(HasSubstr("a is within one standard deviation of its bound 0.95")));
}

// Along a combination of the unknowns each changes by less than its standard deviation.
TEST(Deviations, AreDoubtedBesideABoundThatCombinationsDoNotReach) {
  const simulate::Simulator simulator(marked_oscillator());
  auto asked = measured_pendulum(simulator, 1);
  const auto whole = fit::fit(simulator, asked);
  for (std::size_t k = 0; k < asked.unknowns.size(); ++k) {
    const fit::Estimate& estimate = whole.estimates[k];
    double step = 0;
    for (const auto& combination : whole.combinations)
      step = std::max(step, std::abs(combination.direction[k] / combination.singular_value * estimate.value));
    if (!(step < 0.95 * estimate.deviation)) continue;
    asked.unknowns[k].upper = estimate.value + (step + estimate.deviation) / 2;
    EXPECT_THAT(fit::fit(simulator, asked).warnings,
                ElementsAre(HasSubstr(fmt::format("{} is within one standard deviation of its bound {:.6g}",
                                                  estimate.name, asked.unknowns[k].upper))));
    return;
  }
  FAIL() << "every unknown is a combination";
}

// Residuals are the truncation of the runs, which follows from its predecessors.
TEST(Deviations, OfExactDataAreNotTested) {
  const simulate::Simulator simulator(marked_oscillator());
  auto asked = measured_pendulum(simulator, 1, 0, 0);
  asked.runs[0].run.settings.tolerance = 1e-9;
  const auto found = fit::fit(simulator, asked);
  EXPECT_LT(found.series[0].durbin_watson, 1);
  EXPECT_THAT(found.warnings, IsEmpty());
}

// The marks are those of a to the last digits of the runs, the column q has errors that follow from their predecessors
// or do not.
TEST(Deviations, AreTestedBesideAColumnWithoutErrors) {
  const simulate::Simulator simulator(marked_oscillator());
  for (const double kept : {0.0, 0.8}) {
    auto asked = fall(simulator, 1, kept);
    auto& data = asked.runs[0].data;
    fit::Series mark{"mark", {}, {}};
    for (std::size_t i = 0; i < data.t.size(); ++i) mark.values.push_back(1 + 1e-10 * static_cast<double>(i));
    data.series.push_back(mark);
    asked.unknowns = {{"a"}, {"b"}};
    const auto found = fit::fit(simulator, asked);
    EXPECT_LT(found.series[1].durbin_watson, 0.1);
    EXPECT_LT(found.estimates[0].deviation, 1e-8);
    EXPECT_GT(found.estimates[1].deviation, 1e-5);
    if (kept == 0)
      EXPECT_THAT(found.warnings, IsEmpty());
    else
      EXPECT_THAT(found.warnings, ElementsAre(HasSubstr("residuals of q follow from their predecessors")));
  }
}
