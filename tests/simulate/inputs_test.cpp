#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/sensitivity.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "message_of.hpp"
#include "run_settings.hpp"

namespace {

using namespace herglotz;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;
using symbolic::Interpolation;

constexpr double input_damping = 0.25;
const std::vector<double> knots{0, 0.7, 1.1, 2.4, 3.05, 4};
const std::vector<double> values{0.5, -1, 2, 0.25, -0.75, 1};

struct DrivenState {
  double q;
  double v;
};

/// Moves a state of q'' + gamma q' + q = 0 by a time. [ASMLL20, Sec. 5]
DrivenState moved_freely(DrivenState s, double t) {
  const double w = std::sqrt(1 - input_damping * input_damping / 4);
  const double e = std::exp(-input_damping * t / 2);
  const double b = (s.v + input_damping * s.q / 2) / w;
  const double c = std::cos(w * t);
  const double n = std::sin(w * t);
  return {e * (s.q * c + b * n), e * ((b * w - input_damping * s.q / 2) * c - (s.q * w + input_damping * b / 2) * n)};
}

/// q'' + gamma q' + q = u(t) piece by piece: a motion without force around q = a + b (s - gamma) for u = a + b s.
DrivenState driven_state(Interpolation kind, DrivenState s, double t_end) {
  for (std::size_t i = 0; i + 1 < knots.size() && knots[i] < t_end; ++i) {
    const double h = std::min(knots[i + 1], t_end) - knots[i];
    const double b = kind == Interpolation::hold ? 0 : (values[i + 1] - values[i]) / (knots[i + 1] - knots[i]);
    const double start = values[i] - input_damping * b;
    const DrivenState free = moved_freely({s.q - start, s.v - b}, h);
    s = {free.q + start + b * h, free.v + b};
  }
  return s;
}

mechanics::System damped_oscillator() {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.generator = v * v / 2 - q * q / 2 - input_damping * system.z;
  return system;
}

mechanics::System forced_by_inputs(Interpolation kind) {
  auto system = damped_oscillator();
  system.forces[0] = system.graph().tabulated(symbolic::make_table("u", kind, knots, values), system.t);
  return system;
}

double error_of_inputs(Interpolation kind, const std::string& method, double accuracy, double t_end = 4) {
  const auto run =
      Simulator(forced_by_inputs(kind)).run({{"q", 1}, {"v", -0.5}}, test::run_settings(method, t_end, accuracy));
  const DrivenState exact = driven_state(kind, {1, -0.5}, t_end);
  EXPECT_EQ(run["t"].back(), t_end);
  return std::max(std::abs(run["q"].back() - exact.q), std::abs(run["v"].back() - exact.v));
}

class Inputs : public testing::TestWithParam<Interpolation> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Inputs, testing::Values(Interpolation::hold, Interpolation::linear),
                         [](const auto& tested) { return tested.param == Interpolation::hold ? "hold" : "linear"; });

TEST_P(Inputs, AdaptiveMethodsEndStepsAtKnots) {
  EXPECT_LT(error_of_inputs(GetParam(), "reference", 1e-12), 1e-11);
  EXPECT_LT(error_of_inputs(GetParam(), "reference", 1e-12, 2.4), 1e-11) << "the run ends at a knot";
  EXPECT_LT(error_of_inputs(GetParam(), "radau-5", 1e-11), 1e-9);
  EXPECT_LT(error_of_inputs(GetParam(), "stiff", 1e-11), 1e-8);
  const auto run = Simulator(forced_by_inputs(GetParam())).run({{"q", 1}}, test::run_settings("reference", 4, 1e-12));
  EXPECT_LT(run.facts.rejected_steps, 10U) << "no step feels its way to a knot";
  EXPECT_LT(run.facts.largest_energy_residual, 1e-11);
}

// No knot is a whole number of steps away, so that steps are divided. The errors of parts of a step are smaller than
// that of the whole, and their number changes with the step: slopes scatter about the order, but do not come near the
// next. Where every knot is the end of a step they do not.
TEST_P(Inputs, FixedStepMethodsKeepTheirOrder) {
  for (const auto& [method, order] : {std::pair{"contact-gauss-4", 4},
                                      std::pair{"contact-gauss-6", 6},
                                      {"runge-kutta-4", 4},
                                      {"contact-lobatto-4", 4}}) {
    const double coarse = error_of_inputs(GetParam(), method, 0.45);
    const double fine = error_of_inputs(GetParam(), method, 0.11);
    EXPECT_NEAR(std::log(coarse / fine) / std::log(0.45 / 0.11), order, 0.7) << method << " " << coarse << " " << fine;
    if (order > 4) continue;  // errors of order 6 are those of rounding there
    const double undivided = error_of_inputs(GetParam(), method, 0.05);
    const double half = error_of_inputs(GetParam(), method, 0.025);
    EXPECT_NEAR(std::log2(undivided / half), order, 0.1) << method << " " << undivided << " " << half;
  }
}

TEST_P(Inputs, RunsBackwardsToTheirStart) {
  const DrivenState end = driven_state(GetParam(), {1, -0.5}, 4);
  for (const auto& [method, accuracy] : {std::pair{"reference", 1e-12}, std::pair{"contact-gauss-6", 0.01}}) {
    const auto run = Simulator(forced_by_inputs(GetParam()))
                         .run({{"q", end.q}, {"v", end.v}, {"t", 4}}, test::run_settings(method, 0, accuracy));
    EXPECT_NEAR(run["q"].back(), 1, 1e-9) << method;
    EXPECT_NEAR(run["v"].back(), -0.5, 1e-9) << method;
  }
}

TEST_P(Inputs, RowsAtKnotsHaveTheStateThere) {
  auto settings = test::run_settings("reference", 4, 1e-12);
  settings.output_times = {0.35, 0.7, 0.75, 1.1, 3};
  const auto run = Simulator(forced_by_inputs(GetParam())).run({{"q", 1}, {"v", -0.5}}, settings);
  ASSERT_EQ(run.rows(), 7U);
  for (std::size_t row = 0; row < run.rows(); ++row)
    EXPECT_NEAR(run["q"][row], driven_state(GetParam(), {1, -0.5}, run["t"][row]).q, 1e-10);
}

TEST_P(Inputs, MembersOfEnsemblesHaveTheBitsOfSingleRuns) {
  const Simulator simulator(forced_by_inputs(GetParam()));
  for (const auto& [method, accuracy] : {std::pair{"reference", 1e-9}, std::pair{"contact-gauss-4", 0.1}}) {
    simulate::Common common;
    common.initial = {{"v", -0.5}};
    common.settings = test::run_settings(method, 4, accuracy);
    const simulate::Members members(simulator, common, {{false, "q"}});
    std::array<double, 5> last{};
    const auto value = [](std::size_t k) { return 1 + 0.125 * static_cast<double>(k); };
    members.run(
        last.size(), [&](std::size_t k, std::span<double> varying) { varying[0] = value(k); },
        {[&](std::size_t k, std::size_t, std::span<const double> row) { last[k] = row[1]; },
         [](std::size_t, const auto& end) { EXPECT_EQ(end.failure, ""); }},
        [] { return true; });
    for (std::size_t k = 0; k < last.size(); ++k)
      EXPECT_EQ(last[k], simulator.run({{"q", value(k)}, {"v", -0.5}}, common.settings)["q"].back()) << method;
  }
}

/// u(t) = 1 - t + t^2/2 - t^3/5, which is its own spline.
double cubic(double t, int order) {
  const std::array<double, 4> c{1 - t + t * t / 2 - t * t * t / 5, -1 + t - 0.6 * t * t, 1 - 1.2 * t, -1.2};
  return c[static_cast<std::size_t>(order)];
}

Expr cubic_input(const mechanics::System& system) {
  std::vector<double> at;
  for (const double t : knots) at.push_back(cubic(t, 0));
  return system.graph().tabulated(symbolic::make_table("u", Interpolation::spline, knots, at), system.t);
}

/// The solution of q'' + gamma q' + q = u with the cubic u: a polynomial and a motion without force.
DrivenState around_cubic(DrivenState s, double t) {
  const auto particular = [](double time, int order) {
    const double g = input_damping;
    const auto u = [&](int k) { return order + k > 3 ? 0.0 : cubic(time, order + k); };
    return u(0) - g * u(1) + (g * g - 1) * u(2) + (2 * g - g * g * g) * u(3);
  };
  const DrivenState free = moved_freely({s.q - particular(0, 0), s.v - particular(0, 1)}, t);
  return {free.q + particular(t, 0), free.v + particular(t, 1)};
}

TEST(SplineInput, DrivesABaseThatMoves) {
  auto system = damped_oscillator();
  const Expr q = system.algebroid.x[0];
  const Expr v = system.algebroid.y[0];
  const Expr u = cubic_input(system);
  system.generator = v * v / 2 - (q - u) * (q - u) / 2 - input_damping * system.z;
  for (const auto& [method, accuracy] : {std::pair{"reference", 1e-12}, std::pair{"radau-5", 1e-12},
                                         std::pair{"contact-gauss-6", 0.02}, std::pair{"contact-lobatto-6", 0.02}}) {
    const auto run = Simulator(system).run({{"q", 1}, {"v", -0.5}}, test::run_settings(method, 4, accuracy));
    EXPECT_NEAR(run["q"].back(), around_cubic({1, -0.5}, 4).q, 2e-10) << method;
    EXPECT_NEAR(run["v"].back(), around_cubic({1, -0.5}, 4).v, 2e-10) << method;
    EXPECT_LT(run.facts.largest_energy_residual, 1e-9) << method;
  }
}

// In the frame of the base, x = q - u, the same motion has the momentum v + u'.
TEST(SplineInput, HasItsRateInTheLagrangian) {
  auto system = damped_oscillator();
  const Expr x = system.algebroid.x[0];
  const Expr v = system.algebroid.y[0];
  const Expr u = cubic_input(system);
  const Expr rate = symbolic::table_rate(u);
  system.generator = (v + rate) * (v + rate) / 2 - x * x / 2 - input_damping * system.z;
  const auto run = Simulator(system).run({{"q", 1 - cubic(0, 0)}, {"v", -0.5 - cubic(0, 1)}},
                                         test::run_settings("reference", 4, 1e-12));
  EXPECT_NEAR(run["q"].back() + cubic(4, 0), around_cubic({1, -0.5}, 4).q, 1e-10);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-10);
}

// A position that an input prescribes: the multiplier is the force that does it, u'' + gamma u' + u.
TEST(SplineInput, PrescribesAPosition) {
  auto system = damped_oscillator();
  const Expr q = system.algebroid.x[0];
  const Expr u = cubic_input(system);
  mechanics::constrain(system, mechanics::Rule::nonholonomic, {q - u});
  const auto run =
      Simulator(system).run({{"q", cubic(0, 0)}, {"v", cubic(0, 1)}}, test::run_settings("reference", 4, 1e-11));
  EXPECT_NEAR(run["q"].back(), cubic(4, 0), 1e-11);
  EXPECT_NEAR(run["lambda1"].back(), cubic(4, 2) + input_damping * cubic(4, 1) + cubic(4, 0), 1e-8);
}

// The motion is linear in its start, and so is every step.
TEST(InputSensitivities, AreThoseOfTheMotionWithoutForce) {
  const Simulator simulator(forced_by_inputs(Interpolation::linear));
  simulate::SensitivityRequest asked{{"q"}, {{"q", 1}, {"v", -0.5}}, test::run_settings("contact-gauss-6", 4, 0.05)};
  auto run = simulator.run(asked.initial, asked.settings);
  const auto derivatives = simulate::differentiate(simulator, asked, run);
  const auto found =
      std::find_if(derivatives.begin(), derivatives.end(), [](const auto& c) { return c.name == "d.q.d.q"; });
  ASSERT_NE(found, derivatives.end());
  EXPECT_NEAR(found->values.back(), moved_freely({1, 0}, 4).q, 1e-8);
}

// Forwards and backwards, with rows at the points of the input, between which the variation is a free motion too.
TEST(InputSensitivities, GoThroughTheStepsOfAdaptiveRuns) {
  for (const auto kind : {Interpolation::hold, Interpolation::linear}) {
    const Simulator simulator(forced_by_inputs(kind));
    for (const char* method : {"reference", "radau-5"})
      for (const double t0 : {0.0, 4.0}) {
        simulate::SensitivityRequest asked{
            {"q"}, {{"q", 1}, {"v", -0.5}, {"t", t0}}, test::run_settings(method, 4 - t0, 1e-11)};
        asked.settings.output_times = {t0 == 0 ? 0.7 : 3.05, 2.0, t0 == 0 ? 3.05 : 0.7, 4 - t0};
        auto run = simulator.run(asked.initial, asked.settings);
        const auto derivatives = simulate::differentiate(simulator, asked, run);
        const auto found =
            std::find_if(derivatives.begin(), derivatives.end(), [](const auto& c) { return c.name == "d.q.d.q"; });
        ASSERT_NE(found, derivatives.end());
        for (std::size_t row = 0; row < run.rows(); ++row)
          EXPECT_NEAR(found->values[row], moved_freely({1, 0}, run["t"][row] - t0).q, 1e-9)
              << method << " from " << t0 << " at " << run["t"][row];
      }
  }
}

TEST(InputErrors, NameTheInputAndWhatWouldBeRight) {
  const Simulator simulator(forced_by_inputs(Interpolation::linear));
  EXPECT_EQ(message_of([&] { (void)simulator.run({{"q", 1}}, test::run_settings("reference", 5, 1e-10)); }),
            "the input 'u' is known from t = 0 to 4, and the run goes from 0 to 5; choose the start and t_end inside, "
            "or give more points");
  EXPECT_EQ(message_of([&] { (void)simulator.run({{"q", 1}, {"t", -1}}, test::run_settings("reference", 4, 1e-10)); }),
            "the input 'u' is known from t = 0 to 4, and the run goes from -1 to 4; choose the start and t_end inside, "
            "or give more points");
  EXPECT_EQ(
      message_of([&] { (void)simulator.run({{"q", 1}}, test::run_settings("discrete-herglotz", 4, 0.1)); }),
      "the model has the input 'u', and steps of method discrete-herglotz cannot be divided at its points; choose "
      "another method");
  EXPECT_THAT(message_of([&] { (void)simulator.run({{"q", 1}}, test::run_settings("taylor", 4, 1e-10)); }),
              testing::HasSubstr("an input given by a table, which has no Taylor polynomial"));
}

}  // namespace
