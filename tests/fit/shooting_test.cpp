// Multiple shooting: parameters of long and of chaotic motions, from guesses from which a fit to whole runs ends
// elsewhere.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "herglotz/fit/fit.hpp"
#include "simulate/damped_pendulum.hpp"

namespace {

using namespace herglotz;
using testing::HasSubstr;

/// The pendulum q'' = -k sin(q) - gamma q' + A cos(2t/3), which is chaotic at k = 1, gamma = 1/2, A = 3/2 (G. L. Baker,
/// J. P. Gollub, Chaotic Dynamics, Ch. 3).
mechanics::System driven(double force = 1.5) {
  auto system = damped_pendulum(1.0);
  system.generator = system.generator + force * system.algebroid.x[0] * cos(2.0 * system.t / 3.0);
  return system;
}

/// A request for a run that was measured with normal errors, and chi squared at the truth.
struct Measured {
  fit::Request request;
  double of_truth = 0;
};

/// Returns measurements of a column with gamma = 0.5, k = 1 from q = 0.8 at rest, to be fitted from other values.
Measured measured_run(const simulate::Simulator& simulator, double t_end, double noise,
                      std::vector<fit::Unknown> unknowns, const std::string& column = "q") {
  simulate::Settings settings;
  settings.method = "reference";
  settings.tolerance = 1e-11;
  settings.t_end = t_end;
  settings.output_step = 0.25;
  const auto run = simulator.run({{"q", 0.8}}, settings, {{"gamma", 0.5}, {"k", 1.0}});
  Measured result;
  auto& one = result.request.runs.emplace_back();
  one.data = {run["t"], {{column, run[column]}}};
  one.run.initial = {{"q", 0.5}};
  one.run.settings.method = "reference";
  one.run.settings.tolerance = 1e-11;
  result.request.noise = noise;
  result.request.unknowns = std::move(unknowns);
  std::mt19937_64 random(11);
  std::normal_distribution<double> error(0, noise);
  for (double& value : one.data.series[0].values) {
    const double e = error(random);
    value += e;
    result.of_truth += e * e / (noise * noise);
  }
  return result;
}

/// Returns what is thrown at a request.
std::string refusal_of_system(const mechanics::System& system, const fit::Request& asked) {
  try {
    fit::fit(simulate::Simulator(system), asked);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "nothing was thrown";
}

void expect_truth(const fit::Fit& found, double deviations) {
  const std::map<std::string, double> truth{{"gamma", 0.5}, {"k", 1.0}, {"q", 0.8}};
  for (const auto& estimate : found.estimates)
    EXPECT_NEAR(estimate.value, truth.at(estimate.name), deviations * estimate.deviation) << estimate.name;
}

}  // namespace

// Values of (gamma, k) to start from, and the number of shots.
class MultipleShooting : public testing::TestWithParam<std::tuple<double, double, std::size_t>> {};

TEST_P(MultipleShooting, FindsTheTruthOfAChaoticMotion) {
  const auto& [gamma, k, shots] = GetParam();
  const simulate::Simulator simulator(driven());
  auto [asked, of_truth] = measured_run(simulator, 50, 0.05, {{"gamma"}, {"k"}, {"q"}});
  asked.runs[0].run.parameters = {{"gamma", gamma}, {"k", k}};
  asked.shots = shots;
  const fit::Fit found = fit::fit(simulator, asked);
  EXPECT_TRUE(found.converged) << found.status;
  EXPECT_LT(found.chi_squared, of_truth);
  EXPECT_EQ(found.estimates[0].start, gamma);
  expect_truth(found, 4);
}

INSTANTIATE_TEST_SUITE_P(Starts, MultipleShooting, testing::Values(std::tuple{0.1, 0.5, 20}, std::tuple{0.9, 1.6, 10}));

TEST(Shots, LeadWhereAFitToTheWholeRunDoesNot) {
  const simulate::Simulator simulator(driven());
  auto [asked, of_truth] = measured_run(simulator, 50, 0.05, {{"k"}, {"q"}});
  asked.runs[0].run.parameters = {{"gamma", 0.5}, {"k", 2.5}};
  EXPECT_GT(fit::fit(simulator, asked).chi_squared, 50 * of_truth);
  asked.shots = 20;
  EXPECT_LT(fit::fit(simulator, asked).chi_squared, of_truth);
}

// Where one minimum is all there is, shots change nothing: the last fit is that to the whole run. The measured column
// is the action, whose shots begin with an action of their own, or the momentum of a Hamiltonian system.
TEST(Shots, ChangeNoEstimateOfASmoothMotion) {
  for (const std::string column : {"q", "z"}) {
    const simulate::Simulator simulator(driven(0));
    auto [asked, of_truth] = measured_run(simulator, 8, 1e-3, {{"gamma", 0.0, 2.0}, {"k"}, {"q"}}, column);
    asked.runs[0].run.parameters = {{"gamma", 0.4}, {"k", 1.1}};
    const fit::Fit whole = fit::fit(simulator, asked);
    asked.shots = 4;
    const fit::Fit cut = fit::fit(simulator, asked);
    for (std::size_t i = 0; i < whole.estimates.size(); ++i)
      EXPECT_NEAR(cut.estimates[i].value, whole.estimates[i].value, 1e-8) << column << ' ' << whole.estimates[i].name;
    EXPECT_NEAR(cut.chi_squared, whole.chi_squared, 1e-8 * whole.chi_squared);
    EXPECT_THAT(cut.warnings, testing::ElementsAreArray(whole.warnings));
  }
}

TEST(Shots, OfSeveralRunsShareUnknowns) {
  const simulate::Simulator simulator(driven());
  auto [asked, of_truth] = measured_run(simulator, 30, 0.05, {{"gamma"}, {"k"}});
  asked.unknowns.push_back({"q", -3.0, 3.0, true});
  asked.runs.push_back(asked.runs[0]);
  for (auto& run : asked.runs) run.run.parameters = {{"gamma", 0.2}, {"k", 1.8}};
  asked.shots = 10;
  const fit::Fit found = fit::fit(simulator, asked);
  EXPECT_TRUE(found.converged) << found.status;
  EXPECT_LT(found.chi_squared, 2 * of_truth);
  ASSERT_EQ(found.estimates.size(), 4u);
  EXPECT_EQ(found.estimates[3].name, "q[2]");
  EXPECT_NEAR(found.estimates[2].value, found.estimates[3].value, 1e-6);
}

// The data of the motion fix both parameters, although late rows depend on them so sharply that the singular values of
// the Jacobian are more than seven digits apart: each row has errors of its own size.
TEST(Shots, OfAChaoticMotionDetermineAllUnknowns) {
  const simulate::Simulator simulator(driven());
  auto [asked, of_truth] = measured_run(simulator, 56, 0.05, {{"gamma"}, {"k"}, {"q"}, {"v"}});
  asked.runs[0].run.parameters = {{"gamma", 0.5}, {"k", 1.0}};
  asked.runs[0].run.initial = {{"q", 0.8}};
  asked.shots = 30;
  const fit::Fit found = fit::fit(simulator, asked);
  EXPECT_LT(found.combinations.back().singular_value, 1e-7 * found.combinations.front().singular_value);
  EXPECT_TRUE(found.identifiable());
  EXPECT_NEAR(found.estimates[0].value, 0.5, 4 * found.estimates[0].deviation);
  EXPECT_LT(found.estimates[0].deviation, 0.01);
}

TEST(Shots, SayThatAMotionForgetsItsStart) {
  const simulate::Simulator simulator(driven());
  auto [asked, of_truth] = measured_run(simulator, 280, 0.05, {{"k"}});
  asked.runs[0].run.parameters = {{"k", 1.01}};
  asked.runs[0].run.initial = {{"q", 0.8}};
  asked.shots = 70;
  const fit::Fit found = fit::fit(simulator, asked);
  EXPECT_GT(found.chi_squared, 10 * of_truth);
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_THAT(found.warnings[0], HasSubstr("the motion forgets its start within the data"));
}

TEST(Shots, AreRefusedWhereTheyCannotBe) {
  const simulate::Simulator simulator(driven());
  auto [asked, of_truth] = measured_run(simulator, 8, 0.05, {{"k"}});
  asked.shots = 33;
  EXPECT_THAT(refusal_of_system(driven(), asked), HasSubstr("33 shots need data at more than 33 times"));
  asked.shots = fit::most_shots + 1;
  EXPECT_THAT(refusal_of_system(driven(), asked), HasSubstr("10001 shots are too many"));
  asked.shots = 4;
  asked.parts = 2;
  EXPECT_THAT(refusal_of_system(driven(), asked), HasSubstr("two ways to the same end"));
  asked.parts = 0;
  auto held = driven();
  mechanics::constrain(held, mechanics::Rule::nonholonomic, {held.algebroid.y[0] - 1.0});
  EXPECT_THAT(refusal_of_system(held, asked), HasSubstr("where a model has constraints"));
}
