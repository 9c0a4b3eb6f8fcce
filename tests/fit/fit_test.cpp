// Parameters and initial values from data: exact data, noise, missing values, bounds, and what data do not determine.

#include "herglotz/fit/fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "simulate/damped_pendulum.hpp"

namespace {

using namespace herglotz;
using symbolic::Expr;
using testing::HasSubstr;

/// A damped pendulum L = m v^2/2 - m k (1 - cos(q)) - gamma z: its mass does not affect its motion.
mechanics::System pendulum_with_mass() {
  auto system = damped_pendulum(1.7);
  const Expr m = system.graph().symbol("m");
  const Expr friction = system.parameters[0].symbol * system.z;
  system.parameters.push_back({m, 2.0});
  system.generator = m * (system.generator + friction) - friction;
  return system;
}

/// Measurements of q and v with gamma = 0.31, k = 1.4 from q = 1.1 or another, with normal errors.
fit::Data measured_data(const simulate::Simulator& simulator, double noise, std::size_t count = 60, double q = 1.1) {
  simulate::Settings settings;
  settings.method = "reference";
  settings.tolerance = 1e-12;
  for (std::size_t k = 0; k < count; ++k)
    settings.output_times.push_back(0.1 * static_cast<double>(k) + 0.02 * std::sin(static_cast<double>(k * k)) + 0.05);
  settings.t_end = settings.output_times.back();
  const auto run = simulator.run({{"q", q}, {"v", 0.0}}, settings, {{"gamma", 0.31}, {"k", 1.4}});
  fit::Data data{{run["t"].begin() + 1, run["t"].end()}, {}};
  std::mt19937_64 random(7);
  std::normal_distribution<double> error(0, noise);
  for (const char* column : {"q", "v"}) {
    fit::Series series{column, {run[column].begin() + 1, run[column].end()}};
    if (noise > 0)
      for (double& value : series.values) value += error(random);
    data.series.push_back(std::move(series));
  }
  return data;
}

/// Adds a run that begins at q = 1, or elsewhere.
void add_run(fit::Request& request, fit::Data data, double q = 1.0) {
  auto& measured = request.runs.emplace_back();
  measured.data = std::move(data);
  measured.run.initial = {{"q", q}, {"v", 0.0}};
  measured.run.settings.method = "reference";
  measured.run.settings.tolerance = 1e-11;
}

fit::Request request_for(fit::Data data, std::vector<fit::Unknown> unknowns) {
  fit::Request asked;
  add_run(asked, std::move(data));
  asked.unknowns = std::move(unknowns);
  return asked;
}

/// Returns an unknown of which each run has its own value.
fit::Unknown own(const std::string& name) {
  fit::Unknown unknown{name};
  unknown.own = true;
  return unknown;
}

/// Returns what is thrown at a request.
std::string refusal_of(const simulate::Simulator& simulator, const fit::Request& asked) {
  try {
    fit::fit(simulator, asked);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST(Fit, FindsTheParametersThatMadeExactData) {
  const simulate::Simulator simulator(pendulum_with_mass());
  const auto found = fit::fit(simulator, request_for(measured_data(simulator, 0), {{"gamma"}, {"k"}, {"q"}}));
  EXPECT_TRUE(found.converged) << found.status;
  EXPECT_NEAR(found.estimates[0].value, 0.31, 1e-9);
  EXPECT_NEAR(found.estimates[1].value, 1.4, 1e-9);
  EXPECT_NEAR(found.estimates[2].value, 1.1, 1e-9);
  EXPECT_TRUE(found.identifiable());
}

TEST(Fit, FindsRowsWhoseTimesDifferByRounding) {
  // Times that were added up, and those of steps of one size: they differ in last digits, to both sides.
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for({}, {{"gamma"}, {"q"}});
  asked.runs[0].run.settings.method = "runge-kutta-4";
  asked.runs[0].run.settings.tolerance.reset();
  asked.runs[0].run.settings.step = 0.1;
  asked.runs[0].data.series.push_back({"q", {}});
  for (double t = 0.1; t < 10; t += 0.1) asked.runs[0].data.t.push_back(t);
  auto settings = asked.runs[0].run.settings;
  settings.t_end = asked.runs[0].data.t.back();
  settings.output_times = asked.runs[0].data.t;
  const auto run = simulator.run({{"q", 1.1}, {"v", 0.0}}, settings, {{"gamma", 0.31}});
  asked.runs[0].data.series[0].values.assign(run["q"].begin() + 1, run["q"].end());
  bool before = false;
  bool behind = false;
  for (std::size_t k = 0; k < asked.runs[0].data.t.size(); ++k) {
    before = before || run["t"][k + 1] < asked.runs[0].data.t[k];
    behind = behind || run["t"][k + 1] > asked.runs[0].data.t[k];
  }
  EXPECT_TRUE(before && behind);
  const auto found = fit::fit(simulator, asked);
  EXPECT_NEAR(found.estimates[0].value, 0.31, 1e-9);
  EXPECT_NEAR(found.estimates[1].value, 1.1, 1e-9);
}

TEST(Fit, StatesTheRoundingOfDataThatTheModelMeets) {
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for(measured_data(simulator, 0), {{"q"}});
  const auto first = fit::fit(simulator, asked);
  asked.runs[0].run.initial["q"] = first.estimates[0].value;
  for (std::size_t s = 0; s < 2; ++s) asked.runs[0].data.series[s].values = first.series[s].fitted;
  const auto found = fit::fit(simulator, asked);
  EXPECT_EQ(found.estimates[0].value, first.estimates[0].value);
  EXPECT_EQ(found.chi_squared, 0);
  for (const auto& series : found.series) EXPECT_LT(series.noise, 1e-15);
  EXPECT_LT(found.estimates[0].deviation, 1e-14);
}

TEST(Fit, StatesDeviationsThatCoverTheTruth) {
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for(measured_data(simulator, 0.02), {{"gamma"}, {"k"}, {"q"}});
  const auto estimated = fit::fit(simulator, asked);
  asked.noise = 0.02;
  const auto given = fit::fit(simulator, asked);
  for (const auto* found : {&estimated, &given}) {
    const double truth[] = {0.31, 1.4, 1.1};
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LT(std::abs(found->estimates[k].value - truth[k]), 3 * found->estimates[k].deviation);
      EXPECT_LT(found->estimates[k].deviation, 0.02);
    }
    EXPECT_NEAR(found->series[0].durbin_watson, 2, 0.7);
    EXPECT_LT(std::abs(found->series[0].runs), 3);
  }
  EXPECT_NEAR(estimated.series[0].noise, 0.02, 0.006);
  EXPECT_NEAR(given.chi_squared, 117, 3 * std::sqrt(2 * 117.0));
  // The deviation is that of the inverse of J^T J.
  EXPECT_NEAR(given.covariance[0], given.estimates[0].deviation * given.estimates[0].deviation, 1e-15);
}

TEST(Fit, LeavesOutMissingValues) {
  const simulate::Simulator simulator(pendulum_with_mass());
  auto data = measured_data(simulator, 0);
  for (std::size_t row = 0; row < data.t.size(); row += 3) data.series[0].values[row] = std::nan("");
  data.series.pop_back();
  const auto found = fit::fit(simulator, request_for(std::move(data), {{"gamma"}, {"q"}, {"k"}}));
  EXPECT_EQ(found.samples, 40U);
  EXPECT_NEAR(found.estimates[0].value, 0.31, 1e-8);
  EXPECT_TRUE(std::isnan(found.series[0].residuals[0]));
}

// Some 30 periods of a pendulum, and a chaotic one under a force 1.5 cos(2t/3) (G. L. Baker, J. P. Gollub, Chaotic
// Dynamics, Ch. 3): from a stiffness that is off, a fit to all data at once ends in another minimum or nowhere. Fits to
// ever longer first parts find one that is no worse than the truth, and beside it.
class FitByParts : public testing::TestWithParam<bool> {};

TEST_P(FitByParts, FindsTheTruthFromLongData) {
  const bool chaotic = GetParam();
  auto system = pendulum_with_mass();
  if (chaotic)
    system.generator =
        system.generator + 1.5 * system.graph().symbol("m") * system.algebroid.x[0] * cos(2.0 * system.t / 3.0);
  const simulate::Simulator simulator(system);
  simulate::Settings settings;
  settings.method = "reference";
  settings.tolerance = 1e-11;
  settings.t_end = chaotic ? 60 : 200;
  settings.output_step = 0.25;
  const double gamma = chaotic ? 0.5 : 0.004;
  const auto run = simulator.run({{"q", 0.8}, {"v", 0.0}}, settings, {{"gamma", gamma}, {"k", 1.0}});
  constexpr double noise = 0.05;
  fit::Data data{run["t"], {{"q", run["q"]}}};
  std::mt19937_64 random(11);
  std::normal_distribution<double> error(0, noise);
  double of_truth = 0;
  for (double& value : data.series[0].values) {
    const double e = error(random);
    value += e;
    of_truth += e * e / (noise * noise);
  }
  auto asked = request_for(std::move(data), {{"k"}, {"q"}});
  asked.noise = noise;
  asked.runs[0].run.parameters = {{"gamma", gamma}, {"k", 1.6}};
  EXPECT_GT(fit::fit(simulator, asked).chi_squared, 50 * of_truth);
  asked.parts = 5;
  const fit::Fit found = fit::fit(simulator, asked);
  EXPECT_TRUE(found.converged);
  EXPECT_LT(found.chi_squared, of_truth);
  const std::vector<double> truth{1.0, 0.8};
  for (std::size_t k = 0; k < truth.size(); ++k)
    EXPECT_NEAR(found.estimates[k].value, truth[k], 0.01) << found.estimates[k].name;
  EXPECT_EQ(found.estimates[0].start, 1.6);
}

INSTANTIATE_TEST_SUITE_P(Pendulums, FitByParts, testing::Bool());

TEST(Fit, LeavesOutPartsWithFewValues) {
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for(measured_data(simulator, 0.01, 24), {{"gamma"}, {"k"}});
  asked.parts = 3;  // 6 values of two columns are three for each unknown
  const fit::Fit found = fit::fit(simulator, asked);
  asked.parts = fit::most_parts;
  const fit::Fit same = fit::fit(simulator, asked);
  EXPECT_EQ(same.iterations, found.iterations);
  EXPECT_EQ(same.estimates[0].value, found.estimates[0].value);
  ++asked.parts;
  EXPECT_THAT(refusal_of(simulator, asked), HasSubstr("31 parts of the data are too many"));
}

// Before a pulse at t = 3 the data, with six decimals, are 0 for any strength A of it: the estimates of parts that end
// there are worth nothing.
class PartsWithoutWord : public testing::TestWithParam<std::size_t> {};

TEST_P(PartsWithoutWord, LeaveTheStart) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto q = graph->symbol("q");
  const auto v = graph->symbol("v");
  const auto A = graph->symbol("A");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  const auto since = system.t - 3.0;
  system.generator = v * v / 2 - q * q / 2 + A * q * exp(-20.0 * (since * since)) - system.z / 10;
  system.parameters = {{A, 1.0}};
  const simulate::Simulator simulator(system);
  simulate::Settings settings;
  settings.method = "reference";
  settings.tolerance = 1e-10;
  settings.t_end = 10;
  settings.output_step = 0.1;
  const auto run = simulator.run({}, settings);
  for (const double start : {0.2, 1.3, 2.5})
    for (const double spread : {0.0, 1e-3}) {
      fit::Data data{run["t"], {{"q", run["q"]}}};
      std::mt19937_64 random(7);
      std::normal_distribution<double> error(0, 1);
      for (double& value : data.series[0].values) value = std::round((value + spread * error(random)) * 1e6) / 1e6;
      auto asked = request_for(std::move(data), {{"A"}});
      asked.runs[0].run.initial = {{"q", 0.0}, {"v", 0.0}};
      asked.runs[0].run.settings.tolerance = 1e-10;
      asked.runs[0].run.parameters = {{"A", start}};
      asked.parts = GetParam();
      const fit::Fit found = fit::fit(simulator, asked);
      EXPECT_TRUE(found.converged) << found.status;
      EXPECT_NEAR(found.estimates[0].value, 1, spread > 0 ? 0.01 : 1e-5) << "from " << start << ", noise " << spread;
    }
}

INSTANTIATE_TEST_SUITE_P(Halvings, PartsWithoutWord, testing::Values(1, 2, 3, 4, 5));

TEST(Fit, KeepsBounds) {
  const simulate::Simulator simulator(pendulum_with_mass());
  const auto found =
      fit::fit(simulator, request_for(measured_data(simulator, 0), {{"gamma", 0, 0.25}, {"k", 1}, {"q"}}));
  EXPECT_LE(found.estimates[0].value, 0.25);
  EXPECT_GT(found.estimates[0].value, 0.249);
  EXPECT_GE(found.estimates[1].value, 1);
}

TEST(Fit, SaysWhatTheDataDoNotDetermine) {
  const simulate::Simulator simulator(pendulum_with_mass());
  const auto found = fit::fit(simulator, request_for(measured_data(simulator, 0.01), {{"k"}, {"m"}, {"gamma"}, {"q"}}));
  EXPECT_FALSE(found.identifiable());
  EXPECT_FALSE(found.combinations.back().determined);
  EXPECT_TRUE(std::isnan(found.estimates[1].deviation));
  EXPECT_FALSE(std::isnan(found.estimates[0].deviation));
}

TEST(Fit, RefusesDataThatDoNotFit) {
  const simulate::Simulator simulator(pendulum_with_mass());
  const auto refused = [&](const fit::Request& asked) { return refusal_of(simulator, asked); };
  auto data = measured_data(simulator, 0, 5);
  EXPECT_THAT(refused(request_for(data, {{"gama"}})), HasSubstr("gamma"));
  EXPECT_THAT(refused(request_for(data, {{"gamma", 0.5, 1}})), HasSubstr("start inside"));
  EXPECT_THAT(refused(request_for(data, {{"gamma", 1, 0}})), HasSubstr("nothing lies between the bounds 1 and 0"));
  auto unsorted = data;
  std::swap(unsorted.t[1], unsorted.t[2]);
  EXPECT_THAT(refused(request_for(unsorted, {{"gamma"}})), HasSubstr("sort them"));
  for (const double value : {1e308, -std::numeric_limits<double>::infinity()}) {
    auto huge = data;
    huge.series.front().values[1] = value;
    EXPECT_THAT(refused(request_for(huge, {{"gamma"}})), HasSubstr("has the value"));
  }
  auto twice = data;
  twice.series.push_back(twice.series.front());
  EXPECT_THAT(refused(request_for(twice, {{"gamma"}})), testing::StartsWith("the data have two columns q"));
  auto weighed = data;
  weighed.series.front().noise.assign(data.t.size(), 0.1);
  weighed.series.front().noise[2] = std::nan("");
  EXPECT_THAT(refused(request_for(weighed, {{"gamma"}})), HasSubstr("without its noise"));
  weighed.series.front().values[2] = std::nan("");
  EXPECT_EQ(refused(request_for(weighed, {{"gamma"}})), "nothing was thrown");
  weighed.series.front().noise[1] = 0;
  EXPECT_THAT(refused(request_for(weighed, {{"gamma"}})), HasSubstr("of the data is 0; give a positive"));
  auto early = data;
  early.t.front() = -0.25;
  EXPECT_THAT(refused(request_for(early, {{"gamma"}})),
              testing::StartsWith("the data begin at t = -0.25, before the run, whose start is at t = 0"));
  data.series.front().column = "theta";
  EXPECT_THAT(refused(request_for(data, {{"gamma"}})), HasSubstr("theta"));
}

// The mass of the pendulum changes its motion by round-off only, which no other unknown is there to outdo.
TEST(Fit, TakesRoundOffForNoEffectOfTheOnlyUnknown) {
  const simulate::Simulator simulator(pendulum_with_mass());
  const auto found = fit::fit(simulator, request_for(measured_data(simulator, 0.01), {{"m"}}));
  EXPECT_FALSE(found.combinations.front().determined);
  EXPECT_TRUE(std::isnan(found.estimates.front().deviation));
}

TEST(Fit, SharesUnknownsBetweenRunsThatHaveStartsOfTheirOwn) {
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for(measured_data(simulator, 0), {{"gamma"}, own("q"), {"k"}});
  add_run(asked, measured_data(simulator, 0, 25, -0.6), -0.5);
  asked.runs[1].data.series.pop_back();
  const auto found = fit::fit(simulator, asked);
  EXPECT_TRUE(found.converged) << found.status;
  std::vector<std::string> names;
  for (const auto& estimate : found.estimates) names.push_back(estimate.name);
  EXPECT_THAT(names, testing::ElementsAre("gamma", "q[1]", "q[2]", "k"));
  const double truth[] = {0.31, 1.1, -0.6, 1.4};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(found.estimates[k].value, truth[k], 1e-9);
  EXPECT_EQ(found.samples, 145U);
  ASSERT_EQ(found.series.size(), 3U);
  EXPECT_EQ(found.series[2].run, 1U);
  EXPECT_EQ(found.series[2].residuals.size(), 25U);
  ASSERT_EQ(found.runs.size(), 2U);
  EXPECT_NEAR(found.runs[1]["q"].front(), -0.6, 1e-9);
}

TEST(Fit, OfARunTwiceHasHalfTheVariance) {
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for(measured_data(simulator, 0.02), {{"gamma"}, {"k"}, {"q"}});
  asked.noise = 0.02;
  const auto once = fit::fit(simulator, asked);
  add_run(asked, asked.runs[0].data);
  const auto twice = fit::fit(simulator, asked);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(twice.estimates[k].value, once.estimates[k].value, 1e-8);
    EXPECT_NEAR(twice.estimates[k].deviation * std::sqrt(2), once.estimates[k].deviation, 1e-8);
  }
  EXPECT_NEAR(twice.chi_squared, 2 * once.chi_squared, 1e-6);
}

TEST(Fit, EstimatesTheNoiseOfAColumnFromAllRuns) {
  // A quarter of the values have no error, so that the noise of all is sqrt(3/4) of that of the others.
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for(measured_data(simulator, 0.02, 90), {{"gamma"}, {"k"}});
  add_run(asked, measured_data(simulator, 0, 30), 1.1);
  asked.runs[0].run.initial["q"] = 1.1;
  const auto found = fit::fit(simulator, asked);
  for (const auto& series : found.series) EXPECT_NEAR(series.noise, 0.02 * std::sqrt(0.75), 0.004);
  EXPECT_EQ(found.series[0].noise, found.series[2].noise);
  EXPECT_NEAR(found.chi_squared, 238, 1e-6);  // 240 values, two unknowns
}

TEST(Fit, WeighsEstimatedNoiseAgainstGivenNoise) {
  // One column: its values in the first run have a noise of their own, and that of the second run is estimated.
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for(measured_data(simulator, 0.2), {{"gamma"}, {"k"}});
  add_run(asked, measured_data(simulator, 0.001), 1.1);
  asked.runs[0].run.initial["q"] = 1.1;
  for (auto& run : asked.runs) run.data.series.pop_back();
  const std::size_t count = asked.runs[0].data.t.size();
  for (std::size_t row = 0; row < count; ++row)
    asked.runs[0].data.series[0].noise.push_back(row % 2 == 0 ? 0.15 : 0.25);
  const auto found = fit::fit(simulator, asked);
  EXPECT_TRUE(found.converged) << found.status;
  EXPECT_NEAR(found.series[0].noise, std::sqrt((0.15 * 0.15 + 0.25 * 0.25) / 2), 1e-12);
  EXPECT_NEAR(found.series[1].noise, 0.001, 3e-4);
  EXPECT_LT(found.estimates[0].deviation, 1e-3);
  EXPECT_LT(std::abs(found.estimates[0].value - 0.31), 3 * found.estimates[0].deviation);
  // The noise is that of the residuals that it leaves, and the estimates are those with this noise as a given one.
  double squares = 0;
  for (const double e : found.series[1].residuals) squares += e * e;
  EXPECT_NEAR(found.series[1].noise, std::sqrt(squares / (static_cast<double>(count) - 1)), 1e-8);
  asked.runs[1].data.series[0].noise.assign(count, found.series[1].noise);
  const auto given = fit::fit(simulator, asked);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(found.estimates[k].value, given.estimates[k].value, 1e-5 * given.estimates[k].deviation);
    EXPECT_NEAR(found.estimates[k].deviation, given.estimates[k].deviation, 1e-5 * given.estimates[k].deviation);
  }
  EXPECT_EQ(given.series[1].noise, found.series[1].noise);
}

TEST(Fit, SaysThatEstimatesOfTheNoiseDidNotSettle) {
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for(measured_data(simulator, 0.02), {{"gamma"}, {"k"}});
  asked.most_weighings = 1;
  const auto found = fit::fit(simulator, asked);
  EXPECT_FALSE(found.converged);
  EXPECT_THAT(found.status, HasSubstr("did not settle in 1 weighings; give the noise"));
  asked.noise = 0.02;
  EXPECT_TRUE(fit::fit(simulator, asked).converged);
  // One column has one weight, whatever its noise.
  asked.noise = 0;
  asked.runs[0].data.series.pop_back();
  EXPECT_TRUE(fit::fit(simulator, asked).converged);
}

TEST(Fit, StatesNoNoiseOfAColumnWithoutValues) {
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for(measured_data(simulator, 0.01), {{"gamma"}, {"k"}, {"q"}});
  for (double& value : asked.runs[0].data.series[1].values) value = std::nan("");
  const auto found = fit::fit(simulator, asked);
  EXPECT_NEAR(found.series[0].noise, 0.01, 0.003);
  EXPECT_EQ(found.series[1].samples, 0U);
  EXPECT_TRUE(std::isnan(found.series[1].noise));
  add_run(asked, asked.runs[0].data);
  for (double& value : asked.runs[1].data.series[0].values) value = std::nan("");
  EXPECT_THAT(refusal_of(simulator, asked), HasSubstr("the data of run 2 have no value"));
}

TEST(Fit, RefusesDataAfterTheEndOfAShortRun) {
  // The pendulum passes q = 0, where the run ends, after 2e-12.
  auto system = pendulum_with_mass();
  system.parameters[1].value = 1e24;
  system.events.push_back({"bottom", system.algebroid.x[0], mechanics::Direction::any, true});
  const simulate::Simulator simulator(std::move(system));
  fit::Data data{{}, {{"q", {}}}};
  for (int k = 1; k <= 20; ++k) {
    data.t.push_back(2e-13 * k);
    data.series[0].values.push_back(1.0);
  }
  EXPECT_THAT(refusal_of(simulator, request_for(data, {{"q"}})), HasSubstr("before the data"));
  data.t.resize(5);
  data.series[0].values.resize(5);
  EXPECT_NO_THROW(fit::fit(simulator, request_for(data, {{"q"}})));
}

TEST(Fit, RefusesDataAfterTheEndOfARunToTheTimeZero) {
  // The pendulum passes q = 0 within two of four seconds.
  auto system = pendulum_with_mass();
  system.events.push_back({"bottom", system.algebroid.x[0], mechanics::Direction::any, true});
  const simulate::Simulator simulator(std::move(system));
  fit::Data data{{}, {{"q", {}}}};
  for (int k = 1; k <= 16; ++k) {
    data.t.push_back(-4 + 0.25 * k);
    data.series[0].values.push_back(1.0);
  }
  auto asked = request_for(data, {{"q"}});
  asked.runs[0].run.initial["t"] = -4;
  EXPECT_THAT(refusal_of(simulator, asked), HasSubstr("before the data"));
}

TEST(Fit, RefusesTwoStartsOfASharedUnknown) {
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for(measured_data(simulator, 0), {{"gamma"}, own("q"), {"k"}});
  add_run(asked, measured_data(simulator, 0));
  asked.runs[1].run.parameters["gamma"] = 7;
  EXPECT_THAT(refusal_of(simulator, asked),
              testing::StartsWith("gamma has one value for all runs, but starts at 0.2 in run 1 and at 7 in run 2"));
  asked.unknowns[0].own = true;
  asked.runs[1].run.parameters["gamma"] = 0.4;
  EXPECT_NEAR(fit::fit(simulator, asked).estimates[1].value, 0.31, 1e-8);
  asked.unknowns = {{"gamma"}, {"q"}};
  asked.runs[1].run.parameters.clear();
  asked.runs[1].run.initial["q"] = 1.05;
  EXPECT_THAT(refusal_of(simulator, asked), HasSubstr("q has one value for all runs, but starts at 1 in run 1"));
}

TEST(Fit, NamesTheRunThatDoesNotFit) {
  const simulate::Simulator simulator(pendulum_with_mass());
  auto asked = request_for(measured_data(simulator, 0, 5), {{"gamma"}, own("q")});
  add_run(asked, measured_data(simulator, 0, 5));
  auto unsorted = asked;
  std::swap(unsorted.runs[1].data.t[1], unsorted.runs[1].data.t[2]);
  EXPECT_THAT(refusal_of(simulator, unsorted), HasSubstr("of the data of run 2 does not follow"));
  auto failing = asked;
  failing.runs[1].run.initial["q"] = 1e300;
  failing.runs[1].run.parameters["k"] = 1e300;
  EXPECT_THAT(refusal_of(simulator, failing), testing::StartsWith("run 2: "));
  auto outside = asked;
  outside.unknowns[1].lower = 0;
  outside.runs[1].run.initial["q"] = -1;
  EXPECT_THAT(refusal_of(simulator, outside), HasSubstr("q[2] starts at -1"));
  EXPECT_THAT(refusal_of(simulator, {}), HasSubstr("no data"));
}
