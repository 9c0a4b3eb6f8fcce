// Multiple shooting: parameters of long and of chaotic motions, from guesses from which a fit to whole runs ends
// elsewhere.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <random>

#include "herglotz/fit/fit.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/mechanics/events/friction.hpp"
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

// Only the product of A and B drives the pendulum. The Hessian of the shots is singular along what changes nothing, and
// tests of standard deviations, which fit the others again, hold one of both: else both searches would end nowhere.
TEST(Shots, ComeToTheEndBesideUnknownsThatTheDataDoNotDetermine) {
  auto system = damped_pendulum(1.0);
  const symbolic::Expr a = system.graph().symbol("A");
  const symbolic::Expr b = system.graph().symbol("B");
  system.parameters.push_back({a, 1.5});
  system.parameters.push_back({b, 1.0});
  system.generator = system.generator + a * b * system.algebroid.x[0] * cos(2.0 * system.t / 3.0);
  const simulate::Simulator simulator(system);
  const auto fitted = [&](std::vector<fit::Unknown> unknowns) {
    auto asked = measured_run(simulator, 100, 0.01, std::move(unknowns)).request;
    asked.runs[0].run.parameters = {{"gamma", 0.9}, {"k", 1.6}};
    asked.shots = 40;
    return fit::fit(simulator, asked);
  };
  const fit::Fit one = fitted({{"gamma"}, {"k"}, {"A"}, {"q"}});
  const fit::Fit both = fitted({{"gamma"}, {"k"}, {"A"}, {"B"}, {"q"}});
  EXPECT_TRUE(one.identifiable());
  EXPECT_FALSE(both.identifiable());
  EXPECT_NEAR(both.chi_squared, one.chi_squared, 1e-3);
  EXPECT_EQ(both.warnings, one.warnings);
  EXPECT_LT(both.iterations, 2 * one.iterations);
  EXPECT_NEAR(both.estimates[0].deviation, one.estimates[0].deviation, 1e-4 * one.estimates[0].deviation);
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
  auto slips = driven();
  mechanics::add_friction(
      slips, {"rub", slips.algebroid.y[0], slips.graph().number(1), slips.graph().number(1), slips.graph().number(1)});
  EXPECT_THAT(refusal_of_system(slips, asked), HasSubstr("where a model has friction"));
}

namespace {

/// Two masses on rods of lengths 1 and 7/10 in the plane, in Cartesian coordinates with the rods as constraints. They
/// start at rest, with the rods at the angles a and b.
struct TwoRods {
  mechanics::System system;
  simulate::StartExpressions start;

  TwoRods() {
    auto graph = std::make_shared<symbolic::Graph>();
    const auto symbols = [&](const std::vector<std::string>& names) {
      std::vector<symbolic::Expr> list;
      for (const auto& name : names) list.push_back(graph->symbol(name));
      return list;
    };
    const auto x = symbols({"x1", "y1", "x2", "y2"});
    const auto v = symbols({"u1", "v1", "u2", "v2"});
    const auto theta = symbols({"m", "g", "a", "b"});
    system = mechanics::make_system(geometry::tangent(graph, {x, v}));
    system.name = "two-rods";
    for (std::size_t k = 0; k < 4; ++k) system.parameters.push_back({theta[k], std::array{0.8, 4.0, 2.2, 2.6}.at(k)});
    system.generator = (v[0] * v[0] + v[1] * v[1] + theta[0] * (v[2] * v[2] + v[3] * v[3])) / 2 -
                       theta[1] * (x[1] + theta[0] * x[3]) - system.z / 50;
    mechanics::constrain(
        system, mechanics::Rule::nonholonomic,
        {x[0] * x[0] + x[1] * x[1] - 1.0, (x[2] - x[0]) * (x[2] - x[0]) + (x[3] - x[1]) * (x[3] - x[1]) - 0.49});
    start = simulate::StartExpressions(system, {{"x1", sin(theta[2])},
                                                {"y1", -cos(theta[2])},
                                                {"x2", sin(theta[2]) + 0.7 * sin(theta[3])},
                                                {"y2", -cos(theta[2]) - 0.7 * cos(theta[3])}});
  }

  /// Returns a request for the estimates of all parameters from `guess`, by the positions of both masses with errors.
  [[nodiscard]] Measured measured(const simulate::Simulator& simulator, double t_end, double noise,
                                  simulate::InitialState guess) const {
    simulate::InitialState initial{{"x1", 0}, {"y1", 0}, {"x2", 0}, {"y2", 0}};
    const simulate::InitialState parameters{{"m", 0.8}, {"g", 4.0}, {"a", 2.2}, {"b", 2.6}};
    simulate::InitialState next;
    start.apply(system, parameters, initial, next);
    simulate::Settings settings;
    settings.method = "reference";
    settings.tolerance = 1e-8;
    settings.t_end = t_end;
    settings.output_step = 0.1;
    const auto run = simulator.run(initial, settings);
    Measured result;
    auto& one = result.request.runs.emplace_back();
    one.data = {run["t"], {{"x1", run["x1"]}, {"x2", run["x2"]}, {"y2", run["y2"]}}};
    one.run.settings.method = "reference";
    one.run.settings.tolerance = 1e-8;
    one.run.parameters = std::move(guess);
    one.run.initial = initial;
    one.run.expressions = start;
    result.request.noise = noise;
    result.request.unknowns = {{"m"}, {"g"}, {"a"}, {"b"}};
    std::mt19937_64 random(5);
    std::normal_distribution<double> error(0, noise);
    for (auto& series : one.data.series)
      for (double& value : series.values) {
        const double e = error(random);
        value += e;
        result.of_truth += e * e / (noise * noise);
      }
    return result;
  }
};

}  // namespace

// States between shots are moved onto the constraints: where shots meet, they obey them.
TEST(ShotsWithConstraints, ChangeNoEstimateOfAShortMotion) {
  const TwoRods rods;
  const simulate::Simulator simulator(rods.system);
  auto [asked, of_truth] = rods.measured(simulator, 2, 1e-2, {{"m", 0.75}, {"g", 4.1}, {"a", 2.15}, {"b", 2.55}});
  const fit::Fit whole = fit::fit(simulator, asked);
  asked.shots = 4;
  const fit::Fit cut = fit::fit(simulator, asked);
  for (std::size_t i = 0; i < whole.estimates.size(); ++i)
    EXPECT_NEAR(cut.estimates[i].value, whole.estimates[i].value, 1e-7) << whole.estimates[i].name;
  EXPECT_LT(whole.chi_squared, 1.1 * of_truth);
}

TEST(ShotsWithConstraints, FindTheTruthOfAChaoticMotion) {
  const TwoRods rods;
  const simulate::Simulator simulator(rods.system);
  auto [asked, of_truth] = rods.measured(simulator, 6, 1e-2, {{"m", 1.3}, {"g", 2.8}, {"a", 1.9}, {"b", 2.3}});
  const fit::Fit whole = fit::fit(simulator, asked);
  EXPECT_GT(whole.chi_squared, 10 * of_truth);  // another minimum
  asked.shots = 12;
  const fit::Fit cut = fit::fit(simulator, asked);
  EXPECT_LT(cut.chi_squared, of_truth);
  const std::array truth{0.8, 4.0, 2.2, 2.6};
  for (std::size_t i = 0; i < truth.size(); ++i)
    EXPECT_NEAR(cut.estimates[i].value, truth[i], 4 * cut.estimates[i].deviation) << cut.estimates[i].name;
}
