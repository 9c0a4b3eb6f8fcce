// Derivatives of runs by parameters and initial values, against closed forms and differences of the same runs.

#include "herglotz/simulate/sensitivity.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "herglotz/geometry/builders.hpp"
#include "simulate/damped_pendulum.hpp"

namespace {

using namespace herglotz;
using simulate::InitialState;
using simulate::SensitivityRequest;
using simulate::Simulator;
using symbolic::Expr;
using testing::HasSubstr;

SensitivityRequest request_by(std::string method, std::vector<std::string> wrt, double step = 0.05) {
  SensitivityRequest asked{std::move(wrt), {{"q", 1.2}, {"v", 0.3}}, {}};
  asked.settings.method = std::move(method);
  asked.settings.t_end = 6;
  if (integrate::find_method(asked.settings.method)->adaptive)
    asked.settings.tolerance = 1e-9;
  else
    asked.settings.step = step;
  asked.settings.output_step = 0.5;
  return asked;
}

analyse::Trajectory run_from(const Simulator& simulator, const SensitivityRequest& asked, const InitialState& initial,
                             const InitialState& parameters) {
  return simulator.run(initial, asked.settings, parameters);
}

using Columns = std::vector<analyse::Column>;

const std::vector<double>& slopes_of(const Columns& columns, std::string_view name) {
  for (const auto& column : columns)
    if (column.name == name) return column.values;
  throw std::out_of_range(std::string(name));
}

/// Returns the derivative of a column at the last row by central differences with two steps of Richardson's
/// extrapolation.
double difference_of_column(const Simulator& simulator, const SensitivityRequest& asked, const std::string& column,
                            const std::string& name, double share = 0.08) {
  const bool parameter = name == "gamma" || name == "k";
  const double value = parameter ? (name == "k" ? 1.7 : 0.2) : asked.initial.at(name);
  const auto at = [&](double offset) {
    InitialState initial = asked.initial;
    InitialState parameters;
    (parameter ? parameters : initial)[name] = value + offset;
    return run_from(simulator, asked, initial, parameters)[column].back();
  };
  std::array<double, 5> table{};
  double e = share * std::abs(value);
  for (std::size_t k = 0; k < table.size(); ++k, e /= 2) {
    double now = (at(e) - at(-e)) / (2 * e);
    double power = 4;
    for (std::size_t j = 0; j < k; ++j, power *= 4) now += (now - std::exchange(table[j], now)) / (power - 1);
    table[k] = now;
  }
  return table.back();
}

}  // namespace

class SensitivityOfMethods : public testing::TestWithParam<std::string> {};

TEST_P(SensitivityOfMethods, IsThatOfTheSameRun) {
  const Simulator simulator(damped_pendulum(1.7));
  const auto asked = request_by(GetParam(), {"gamma", "k", "q", "v"});
  auto run = run_from(simulator, asked, asked.initial, {});
  const Columns slopes = simulate::differentiate(simulator, asked, run);
  ASSERT_EQ(slopes.front().name, "t");
  for (const char* column : {"q", "v", "z", "energy", "height"})
    for (const char* name : {"gamma", "k", "q", "v"}) {
      const auto& found = slopes_of(slopes, std::string("d.") + column + ".d." + name);
      ASSERT_EQ(found.size(), run.rows());
      const double expected = difference_of_column(simulator, asked, column, name);
      EXPECT_NEAR(found.back(), expected, 1e-10 * (1 + std::abs(expected))) << column << " by " << name;
    }
}

INSTANTIATE_TEST_SUITE_P(FixedSteps, SensitivityOfMethods,
                         testing::Values("runge-kutta-4", "runge-kutta-8", "contact-gauss-2", "contact-gauss-6",
                                         "contact-lobatto-2", "contact-lobatto-4", "contact-splitting-4"));

namespace {

/// L = v^2/2 - q^2/2 - gamma z, whose motion is known.
mechanics::System known_oscillator() {
  auto system = damped_pendulum(1.7);
  const Expr q = system.algebroid.x[0];
  const Expr v = system.algebroid.y[0];
  system.generator = v * v / 2 - q * q / 2 - system.parameters[0].symbol * system.z;
  return system;
}

/// The derivative of q(t) of the oscillator by gamma, from the closed form in long double.
double by_gamma(double q0, double v0, double gamma, double t) {
  const auto q = [&](long double g) {
    const long double w = std::sqrt(1 - g * g / 4);
    return std::exp(-g * t / 2) * (q0 * std::cos(w * t) + (v0 + g * q0 / 2) / w * std::sin(w * t));
  };
  const long double e = 1e-3L;
  return static_cast<double>((45 * (q(gamma + e) - q(gamma - e)) - 9 * (q(gamma + 2 * e) - q(gamma - 2 * e)) +
                              (q(gamma + 3 * e) - q(gamma - 3 * e))) /
                             (60 * e));
}

}  // namespace

TEST(Sensitivity, OfAdaptiveRunsIsThatOfTheFlowToTheirTolerance) {
  const Simulator simulator(known_oscillator());
  for (const char* method : {"reference", "taylor", "radau-5"}) {
    auto asked = request_by(method, {"gamma"});
    asked.settings.tolerance = 1e-13;
    auto run = run_from(simulator, asked, asked.initial, {});
    const Columns slopes = simulate::differentiate(simulator, asked, run);
    const auto& found = slopes_of(slopes, "d.q.d.gamma");
    for (std::size_t row = 0; row < run.rows(); ++row)
      EXPECT_NEAR(found[row], by_gamma(1.2, 0.3, 0.2, run["t"][row]), 1e-11) << method << " row " << row;
  }
}

TEST(Sensitivity, GoesThroughTheRowsThatTheRunHas) {
  const Simulator simulator(damped_pendulum(1.7));
  for (const char* method : {"reference", "taylor", "runge-kutta-8", "contact-gauss-4", "radau-5"}) {
    auto asked = request_by(method, {"k"}, 0.07);
    simulate::Differentiator differentiator(simulator);
    for (int rows = 0; rows < 4; ++rows) {
      asked.settings.output_step.reset();
      asked.settings.output_every.reset();
      asked.settings.output_times.clear();
      if (rows == 1) asked.settings.output_every = 3;
      if (rows == 2) asked.settings.output_times = {0.33, 2.1, 5.9};
      if (rows == 3) asked.settings.output_step = 0.31;
      auto run = run_from(simulator, asked, asked.initial, {});
      const Columns slopes = differentiator.differentiate(asked, run);
      EXPECT_EQ(slopes.front().values, run["t"]);
      EXPECT_EQ(slopes_of(slopes, "d.q.d.k").size(), run.rows()) << method << " " << rows;
    }
  }
}

TEST(Sensitivity, FollowsTheTimeOfAnEventThatEndsTheRun) {
  auto system = damped_pendulum(1.7);
  system.events.push_back({"down", system.algebroid.x[0], mechanics::Direction::any, true});
  const Simulator simulator(system);
  auto asked = request_by("runge-kutta-8", {"gamma", "k", "q"});
  auto run = run_from(simulator, asked, asked.initial, {});
  ASSERT_LT(run["t"].back(), 3);
  const Columns slopes = simulate::differentiate(simulator, asked, run);
  for (const char* name : {"gamma", "k", "q"}) {
    const double expected = difference_of_column(simulator, asked, "t", name);
    EXPECT_NEAR(slopes_of(slopes, std::string("d.t.d.") + name).back(), expected, 1e-9) << name;
    EXPECT_NEAR(slopes_of(slopes, std::string("d.q.d.") + name).back(), 0, 1e-12) << name;
    EXPECT_NEAR(slopes_of(slopes, std::string("d.v.d.") + name).back(),
                difference_of_column(simulator, asked, "v", name), 1e-9);
  }
  const auto& crossing = run.events.front().columns;
  const auto at = std::find_if(crossing.begin(), crossing.end(), [](const auto& c) { return c.name == "d.t.d.k"; });
  ASSERT_NE(at, crossing.end());
  EXPECT_EQ(at->values.back(), slopes_of(slopes, "d.t.d.k").back());
}

// Methods whose steps are made once more: with a parameter in the kinetic energy, and velocities that the momenta do
// not show, so that starts, steps and ends all depend on it; and the end of the run is an event.
TEST(Sensitivity, OfImplicitStepsIsExact) {
  auto system = damped_pendulum(1.7);
  const Expr gamma = system.parameters[0].symbol;
  const Expr k = system.parameters[1].symbol;
  const Expr q = system.algebroid.x[0];
  const Expr v = system.algebroid.y[0];
  system.generator = (k + q * q) * v * v / 2 + v * v * v * v / 20 - (1.0 - cos(q)) - gamma * system.z * (2.0 + sin(q));
  system.events.push_back({"down", q, mechanics::Direction::any, true});
  const Simulator simulator(system);
  for (const char* method : {"contact-gauss-2", "contact-gauss-4", "contact-lobatto-2", "contact-lobatto-4"}) {
    auto asked = request_by(method, {"gamma", "k", "q", "v"}, 0.2);
    asked.initial["q"] = 1.15;  // the event is in the middle of a step, also for the runs of the differences
    auto run = run_from(simulator, asked, asked.initial, {});
    ASSERT_LT(run["t"].back(), 5);
    const Columns slopes = simulate::differentiate(simulator, asked, run);
    ASSERT_FALSE(run.facts.notes.empty());
    EXPECT_THAT(run.facts.notes.back(), HasSubstr("same steps"));
    for (const char* column : {"t", "v", "z", "energy"})
      for (const char* name : {"gamma", "k", "q", "v"}) {
        const double expected = difference_of_column(simulator, asked, column, name, 0.01);
        EXPECT_NEAR(slopes_of(slopes, fmt::format("d.{}.d.{}", column, name)).back(), expected,
                    1e-10 * (1 + std::abs(expected)))
            << method << ": " << column << " by " << name;
      }
  }
}

TEST(Sensitivity, DifferentiatesStartsFromMomentaAndExpressions) {
  auto system = damped_pendulum(1.7);
  const Expr gamma = system.parameters[0].symbol;
  const Expr q = system.algebroid.x[0];
  const Expr v = system.algebroid.y[0];
  system.generator = (1.0 + q * q) * v * v / 2 - gamma * system.z;  // p = (1 + q^2) v
  const Simulator simulator(system);
  auto asked = request_by("runge-kutta-8", {"q", "gamma", "p_v"});
  asked.initial = {{"p_v", 1.5}};
  asked.expressions = simulate::StartExpressions(system, {{"q", 3.0 * gamma}});
  asked.initial.emplace("q", 0.6);
  auto run = run_from(simulator, asked, asked.initial, {});
  auto by_expression = asked;
  by_expression.wrt = {"gamma", "p_v"};
  Columns slopes = simulate::differentiate(simulator, by_expression, run);
  EXPECT_NEAR(slopes_of(slopes, "d.q.d.gamma").front(), 3, 1e-12);
  EXPECT_NEAR(slopes_of(slopes, "d.v.d.gamma").front(), -1.5 * 2 * 0.6 * 3 / (1.36 * 1.36), 1e-12);
  EXPECT_NEAR(slopes_of(slopes, "d.v.d.p_v").front(), 1 / 1.36, 1e-12);
  slopes = simulate::differentiate(simulator, asked, run);  // `q` as an initial value replaces its expression
  EXPECT_NEAR(slopes_of(slopes, "d.q.d.gamma").front(), 0, 1e-12);
}

TEST(Sensitivity, NamesWhatItCannotDo) {
  const Simulator simulator(damped_pendulum(1.7));
  const auto refused = [&](const std::string& method, std::vector<std::string> wrt) {
    const auto asked = request_by(method, std::move(wrt));
    auto run = run_from(simulator, asked, asked.initial, {});
    try {
      simulate::differentiate(simulator, asked, run);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_THAT(refused("reference", {"gama"}), HasSubstr("gamma"));
  EXPECT_THAT(refused("reference", {"t"}), HasSubstr("time of the start"));
  EXPECT_THAT(refused("reference", {"k", "k"}), HasSubstr("twice"));
  EXPECT_THAT(refused("stiff", {"k"}), HasSubstr("method stiff is not differentiated"));
}

// The sleigh keeps its blade's direction: derivatives of a constrained run, with its multiplier.
TEST(Sensitivity, OfConstrainedRunsIsThatOfTheSameRun) {
  auto system = damped_pendulum(1.7);
  auto graph = system.algebroid.graph;
  const Expr x = graph->symbol("x");
  const Expr y = graph->symbol("y");
  const Expr vx = graph->symbol("vx");
  const Expr vy = graph->symbol("vy");
  const Expr gamma = graph->symbol("gamma");
  auto wire = mechanics::make_system(geometry::tangent(graph, {{x, y}, {vx, vy}}));
  wire.name = "wire";
  wire.parameters = {{gamma, 0.2}};
  wire.generator = (vx * vx + vy * vy) / 2 - y - gamma * wire.z;
  mechanics::constrain(wire, mechanics::Rule::nonholonomic, {vy - x * vx});  // on the parabola y = x^2/2
  const Simulator simulator(wire);
  auto asked = request_by("contact-gauss-4", {"gamma"});
  asked.initial = {{"x", 1.0}, {"vx", 0.4}, {"vy", 0.4}};
  asked.settings.t_end = 2;
  auto run = run_from(simulator, asked, asked.initial, {});
  const Columns slopes = simulate::differentiate(simulator, asked, run);
  for (const char* column : {"x", "vy", "z", "lambda1", "energy"})
    EXPECT_NEAR(slopes_of(slopes, std::string("d.") + column + ".d.gamma").back(),
                difference_of_column(simulator, asked, column, "gamma"), 1e-10)
        << column;
}

/// A body (v, w) on a blade in the direction phi, which slides straight on if w = 0.
mechanics::System sleigh() {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr x = graph->symbol("x");
  const Expr y = graph->symbol("y");
  const Expr phi = graph->symbol("phi");
  const Expr vx = graph->symbol("vx");
  const Expr vy = graph->symbol("vy");
  const Expr w = graph->symbol("w");
  const Expr gamma = graph->symbol("gamma");
  auto system = mechanics::make_system(geometry::tangent(graph, {{x, y, phi}, {vx, vy, w}}));
  system.name = "sleigh";
  system.parameters = {{gamma, 0.2}};
  system.generator = (vx * vx + vy * vy + w * w) / 2 - gamma * system.z;
  mechanics::constrain(system, mechanics::Rule::nonholonomic, {vx * sin(phi) - vy * cos(phi)});
  return system;
}

// The multiplier of straight sliding is round-off of 0, so that differences of it agree to no digit.
TEST(Sensitivity, IsGivenBesideAColumnThatIsZeroToRoundOff) {
  const Simulator simulator(sleigh());
  for (const char* method : {"contact-dla-4", "contact-gauss-4"}) {
    auto asked = request_by(method, {"gamma"});
    asked.initial = {{"x", 0.1}, {"phi", 0.5}, {"vx", 0.8 * std::cos(0.5)}, {"vy", 0.8 * std::sin(0.5)}};
    auto run = run_from(simulator, asked, asked.initial, {});
    const Columns slopes = simulate::differentiate(simulator, asked, run);
    // v = 0.8 exp(-gamma t)
    EXPECT_NEAR(slopes_of(slopes, "d.vx.d.gamma").back(), -6 * 0.8 * std::cos(0.5) * std::exp(-1.2), 1e-7) << method;
    EXPECT_NEAR(slopes_of(slopes, "d.lambda1.d.gamma").back(), 0, 1e-12) << method;
    EXPECT_THAT(run.facts.notes, testing::Contains(HasSubstr("derivatives of round-off"))) << method;
  }
}

// A column that is small but no round-off is held to its own size.
TEST(Sensitivity, IsAccurateForSmallColumns) {
  auto system = sleigh();
  system.observables.push_back({"charge", 1.6e-19 * exp(system.z)});
  const Simulator simulator(std::move(system));
  auto asked = request_by("contact-gauss-4", {"gamma"});
  asked.initial = {{"x", 0.1}, {"phi", 0.5}, {"vx", 0.8 * std::cos(0.5)}, {"vy", 0.8 * std::sin(0.5)}, {"w", 0.3}};
  auto run = run_from(simulator, asked, asked.initial, {});
  const Columns slopes = simulate::differentiate(simulator, asked, run);
  const double expected = 1.6e-19 * std::exp(run["z"].back()) * slopes_of(slopes, "d.z.d.gamma").back();
  EXPECT_NEAR(slopes_of(slopes, "d.charge.d.gamma").back() / expected, 1, 1e-9);
  EXPECT_THAT(run.facts.notes, testing::Not(testing::Contains(HasSubstr("derivatives of round-off"))));
}

// A pendulum at rest, whose state is 0: the size of the first step tells what a change is measured by.
TEST(Sensitivity, OfImplicitStepsBeginsAtAStateOfZeros) {
  const Simulator simulator(damped_pendulum(1.7));
  for (const char* method : {"contact-gauss-4", "contact-lobatto-4"}) {
    auto asked = request_by(method, {"q", "gamma"});
    asked.initial = {{"q", 0.0}, {"v", 0.0}};
    auto run = run_from(simulator, asked, asked.initial, {});
    const Columns slopes = simulate::differentiate(simulator, asked, run);
    // q'' = -k q - gamma q' around the rest
    const double omega = std::sqrt(1.7 - 0.01);
    const double expected = std::exp(-0.6) * (std::cos(6 * omega) + 0.1 / omega * std::sin(6 * omega));
    EXPECT_NEAR(slopes_of(slopes, "d.q.d.q").back(), expected, 1e-6) << method;
    EXPECT_EQ(slopes_of(slopes, "d.q.d.gamma").back(), 0) << method;
  }
}
