// Derivatives of functions of runs: the reverse mode beside the forward mode, and beside differences of the same runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/simulate/loss.hpp"
#include "simulate/damped_pendulum.hpp"
#include "simulate/run_differences.hpp"

namespace {

using namespace herglotz;
using simulate::Cotangents;
using simulate::Gradient;
using simulate::Loss;
using simulate::SensitivityRequest;
using simulate::Simulator;
using testing::HasSubstr;

SensitivityRequest pendulum_request(const std::string& method, double t_end = 6) {
  SensitivityRequest asked{damped_pendulum_names, {{"q", 1.2}, {"v", 0.3}}, {}};
  asked.settings.method = method;
  asked.settings.t_end = t_end;
  if (integrate::find_method(method)->adaptive)
    asked.settings.tolerance = 1e-9;
  else
    asked.settings.step = 0.2;
  return asked;
}

/// A model whose momenta are the velocities of each other's coordinates: its steps are solved for with exchanges of
/// rows, and do not go in lanes.
Model crossed() {
  return {{"x", "y"}, {"vx", "vy"}, {{"k", 1.3}, {"gamma", 0.2}}, "vx*vy - k*x*y - sin(x)^2 - gamma*z"};
}
const simulate::InitialState crossed_start{{"x", 0.4}, {"y", -0.7}, {"vx", 0.3}, {"vy", 0.2}};

}  // namespace

// Expected are the derivatives of the forward mode, and differences of the same runs.
TEST(ReverseModeOfExchangedRows, GoesThroughSingleSteps) {
  for (const char* method : {"contact-gauss-4", "contact-lobatto-4"}) {
    const Simulator simulator(crossed().system);
    const auto asked = request(20, method, {"gamma", "k", "x", "vy"}, crossed_start, 3, 0.1);
    auto run = run_of(simulator, asked);
    Cotangents cotangents{{"x", "vy"}, {}};
    for (std::size_t k = 0; k < 2 * run.rows(); ++k)
      cotangents.values.push_back(std::sin(1.2 + 3.0 * static_cast<double>(k)));
    const auto loss = [&](const analyse::Trajectory& of) {
      double sum = 0;
      for (std::size_t row = 0; row < of.rows(); ++row)
        sum += cotangents.values[2 * row] * of["x"][row] + cotangents.values[2 * row + 1] * of["vy"][row];
      return sum;
    };
    simulate::Differentiator differentiator(simulator);
    const Gradient gradient = differentiator.gradient(asked, cotangents, run);
    EXPECT_TRUE(gradient.reverse);
    EXPECT_LT(gradient.residual, 1e-13);
    const auto derivatives = differentiator.differentiate(asked, run);
    for (std::size_t k = 0; k < asked.wrt.size(); ++k) {
      EXPECT_NEAR(gradient.by[k], contracted(derivatives, cotangents, asked.wrt[k]), 1e-12) << method << asked.wrt[k];
      EXPECT_NEAR(gradient.by[k], difference(simulator, asked, asked.wrt[k], loss), 1e-9) << method << asked.wrt[k];
    }
  }
}

// What 100 000 implicit steps keep is more than is held at once: their stages are found again from the states between
// them. Expected are the derivatives of the forward mode.
TEST(ReverseModeOfLongRuns, MakesImplicitStepsAgain) {
  const Simulator simulator(crossed().system);
  auto asked = request(1, "contact-gauss-4", {"gamma"}, crossed_start, 2.5, 2.5e-5);
  asked.settings.output_step.reset();
  asked.settings.output_times = {1.00001};
  auto run = run_of(simulator, asked);
  simulate::Differentiator differentiator(simulator);
  const Cotangents cotangents{{"x"}, {0, 1, 1}};
  const Gradient gradient = differentiator.gradient(asked, cotangents, run);
  EXPECT_TRUE(gradient.reverse);
  EXPECT_LT(gradient.residual, 1e-11);
  EXPECT_NEAR(gradient.by[0], contracted(differentiator.differentiate(asked, run), cotangents, "gamma"), 1e-11);
}

class ReverseMode : public testing::TestWithParam<std::string> {};

// The dot-product test, <J^T c, v> = <c, J v>, for the unit vectors v and numbers c at rows on and beside boundaries.
TEST_P(ReverseMode, IsTheTransposeOfTheForwardMode) {
  const Simulator simulator(damped_pendulum(1.7));
  auto asked = pendulum_request(GetParam());
  asked.settings.output_times = {0.2, 0.33, 2.1, 2.15, 5.99};
  auto run = run_of(simulator, asked);
  Cotangents cotangents{{"q", "v", "energy", "height", "z"}, {}};
  for (std::size_t k = 0; k < 5 * run.rows(); ++k)
    cotangents.values.push_back(std::sin(1.2 + 3.0 * static_cast<double>(k)));
  simulate::Differentiator differentiator(simulator);
  const Gradient gradient = differentiator.gradient(asked, cotangents, run);
  EXPECT_TRUE(gradient.reverse);
  EXPECT_LT(gradient.residual, 1e-13);
  EXPECT_GT(gradient.residual, 0);
  const auto derivatives = differentiator.differentiate(asked, run);
  for (std::size_t k = 0; k < damped_pendulum_names.size(); ++k) {
    const double expected = contracted(derivatives, cotangents, damped_pendulum_names[k]);
    EXPECT_NEAR(gradient.by[k], expected, 1e-12 * (1 + std::abs(expected))) << damped_pendulum_names[k];
  }
}

// A time that depends on the motion: the derivative is that of the shorter step in which the event was found, not of
// the exact flow, from which steps of 0.2 are far.
TEST_P(ReverseMode, FollowsTheTimeOfTheEventThatEndsTheRun) {
  auto system = damped_pendulum(1.7);
  system.events.push_back({"down", system.algebroid.x[0], mechanics::Direction::any, true});
  const Simulator simulator(system);
  const auto asked = pendulum_request(GetParam());
  auto run = run_of(simulator, asked);
  ASSERT_LT(run["t"].back(), 3);
  const auto loss = [&](const analyse::Trajectory& of) {
    return Loss(system, of, "duration^2*exp(energy) + t*v/(k + gamma)").at_end(of);
  };
  simulate::Differentiator differentiator(simulator);
  const Gradient gradient = differentiator.gradient(asked, loss(run).cotangents, run);
  EXPECT_TRUE(gradient.reverse);
  EXPECT_LT(gradient.residual, 1e-13);
  const auto derivatives = differentiator.differentiate(asked, run);
  for (std::size_t k = 0; k < damped_pendulum_names.size(); ++k) {
    const double tolerance = GetParam() == "reference" ? 1e-7 : 1e-10;  // the steps of differences are chosen anew
    EXPECT_NEAR(gradient.by[k],
                difference(simulator, asked, damped_pendulum_names[k], [&](const auto& of) { return loss(of).value; }),
                tolerance)
        << damped_pendulum_names[k];
    const auto by_time = std::find_if(derivatives.begin(), derivatives.end(), [&](const auto& column) {
      return column.name == "d.t.d." + damped_pendulum_names[k];
    });
    EXPECT_NEAR(by_time->values.back(),
                difference(simulator, asked, damped_pendulum_names[k], [](const auto& of) { return of["t"].back(); }),
                tolerance)
        << damped_pendulum_names[k];
  }
}

INSTANTIATE_TEST_SUITE_P(RungeKutta, ReverseMode,
                         testing::Values("runge-kutta-4", "runge-kutta-8", "reference", "contact-gauss-2",
                                         "contact-gauss-6", "contact-lobatto-2", "contact-lobatto-4"));

TEST(Loss, IsAnExpressionInColumnsParametersAndTheDuration) {
  auto system = damped_pendulum(1.7);
  system.symmetries.push_back({"turn", {system.graph().number(1)}});
  const Simulator simulator(system);
  const auto asked = pendulum_request("runge-kutta-4", 2);
  const auto run = run_of(simulator, asked);
  const Loss loss(system, run, "momentum.turn^2*k + duration*t + 2.5");
  const auto found = loss.at_end(run);
  const double momentum = run["momentum.turn"].back();
  EXPECT_DOUBLE_EQ(found.value, momentum * momentum * 1.7 + 4 + 2.5);
  EXPECT_EQ(found.cotangents.columns, std::vector<std::string>{"momentum.turn"});
  EXPECT_DOUBLE_EQ(found.cotangents.values.back(), 2 * 1.7 * momentum);
  EXPECT_DOUBLE_EQ(found.cotangents.by_end, 4);
  EXPECT_DOUBLE_EQ(found.cotangents.by_parameters.at("k"), momentum * momentum);
  const std::array<double, 2> times{0.2, 1.0};
  EXPECT_DOUBLE_EQ(Loss(system, run, "t").sum(run, times).value, 1.2);
}

// Models with an index that are written out have such columns.
TEST(Loss, ReadsElementsOfFamilies) {
  const auto system = damped_pendulum(1.7);
  auto run = run_of(Simulator(system), pendulum_request("runge-kutta-4", 2));
  run.columns[1].name = "q[0]";
  run.columns[2].name = "u[2,7]";
  const Loss loss(system, run, "k*q[0]^2 + sin(u[2, 7])");
  const auto found = loss.at_end(run);
  const double q = run["q[0]"].back();
  const double u = run["u[2,7]"].back();
  EXPECT_DOUBLE_EQ(found.value, 1.7 * q * q + std::sin(u));
  EXPECT_EQ(found.cotangents.columns, (std::vector<std::string>{"q[0]", "u[2,7]"}));
  EXPECT_DOUBLE_EQ(found.cotangents.values.end()[-2], 2 * 1.7 * q);
  EXPECT_DOUBLE_EQ(found.cotangents.values.back(), std::cos(u));
  EXPECT_DOUBLE_EQ(found.cotangents.by_parameters.at("k"), q * q);
  const auto refused = [&](const char* text) {
    try {
      (void)Loss(system, run, text);
    } catch (const Refused& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_THAT(refused("z + q[1]"), HasSubstr("loss:1:5: there is no column q[1]"));
  EXPECT_THAT(refused("q[i]"), HasSubstr("loss:1:1: a subscript of q is not the number of a site"));
  EXPECT_THAT(refused("q[count-1]"), HasSubstr("name single elements, as q[0]"));
  EXPECT_THAT(refused("sum(i, q[i])"), HasSubstr("a loss has no sums over sites; declare the sum as an observable"));
}

TEST(Loss, NamesWhatIsWrong) {
  const auto system = damped_pendulum(1.7);
  const Simulator simulator(system);
  const auto run = run_of(simulator, pendulum_request("runge-kutta-4", 2));
  const auto refused = [&](const char* text) {
    try {
      const std::array<double, 1> times{0.31};
      static_cast<void>(Loss(system, run, text).sum(run, times));
    } catch (const Refused& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_THAT(refused("q + energi"), HasSubstr("loss:1:5"));
  EXPECT_THAT(refused("q + energi"), HasSubstr("energy"));
  EXPECT_THAT(refused("q"), HasSubstr("no row at t = 0.31"));
  Cotangents cotangents{{"energy_residual"}, std::vector<double>(run.rows(), 1.0)};
  auto again = run;
  EXPECT_THROW(simulate::Differentiator(simulator).gradient(pendulum_request("runge-kutta-4", 2), cotangents, again),
               Refused);
}
