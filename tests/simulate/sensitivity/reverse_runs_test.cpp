// The reverse mode through constraints, inputs and what holds a motion, beside the forward mode: the dot-product test
// <J^T c, v> = <c, J v> for the unit vectors v and numbers c at rows on and beside the ends of steps.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "herglotz/mechanics/events/friction.hpp"
#include "simulate/run_differences.hpp"
#include "simulate/sensitivity/constrained_models.hpp"

namespace {

using namespace herglotz;
using simulate::SensitivityRequest;
using simulate::Simulator;
using symbolic::Interpolation;

/// Compares both modes for all these columns, and returns the residual of the pairing.
double expect_transpose(const Model& model, const SensitivityRequest& asked, const std::vector<std::string>& columns,
                        double tolerance = 1e-12) {
  const Simulator simulator(model.system);
  auto run = run_of(simulator, asked);
  simulate::Cotangents cotangents{columns, {}};
  for (std::size_t k = 0; k < columns.size() * run.rows(); ++k)
    cotangents.values.push_back(std::sin(1.2 + 3.0 * static_cast<double>(k)));
  simulate::Differentiator differentiator(simulator);
  const auto gradient = differentiator.gradient(asked, cotangents, run);
  EXPECT_TRUE(gradient.reverse) << asked.settings.method;
  EXPECT_GT(gradient.residual, 0) << asked.settings.method;
  const auto derivatives = differentiator.differentiate(asked, run);
  for (std::size_t k = 0; k < asked.wrt.size(); ++k) {
    const double expected = contracted(derivatives, cotangents, asked.wrt[k]);
    EXPECT_GT(std::abs(expected), 1e-6) << asked.wrt[k];
    EXPECT_NEAR(gradient.by[k], expected, tolerance * (1 + std::abs(expected)))
        << asked.settings.method << " by " << asked.wrt[k];
  }
  return gradient.residual;
}

SensitivityRequest projected(SensitivityRequest asked) {
  asked.settings.project = true;
  return asked;
}

/// The model with a force that a table of values gives.
Model driven(Model model, std::size_t on, Interpolation kind) {
  model.system.forces[on] =
      model.system.graph().tabulated(symbolic::make_table("u", kind, {0, 0.31, 0.74, 1.2, 2}, {0.4, -1, 0.7, 0.2, 1}),
                                     model.system.t) +
      model.system.forces[on];
  return model;
}

const simulate::InitialState on_blade{{"phi", 0.3}, {"vx", 0.5}, {"vy", 0.0}, {"w", 1.1}};
const simulate::InitialState on_wire{{"x", 0.5}, {"y", 0.1}, {"vx", 0.4}, {"vs", 0.3}};

}  // namespace

TEST(ReverseConstraints, AreTransposesOfTheForwardMode) {
  for (const char* method : {"runge-kutta-4", "runge-kutta-8", "reference"}) {
    const auto asked = projected(request(7, method, {"inertia", "gamma", "phi", "vx"}, on_blade, 1.5, 0.02));
    EXPECT_LT(expect_transpose(blade(), asked, {"x", "phi", "vy", "w", "z", "lambda1", "energy"}), 1e-13);
  }
  const auto asked = projected(request(7, "reference", {"a", "b", "vx"}, on_wire, 1.5, 0));
  EXPECT_LT(expect_transpose(wire(), asked, {"x", "y", "s", "vy", "vs", "z", "lambda1", "lambda2", "energy"}), 1e-13);
}

// The end of the run moves with the event, and the time of the projection with it.
TEST(ReverseConstraints, AreTransposesUpToAnEventThatEndsTheRun) {
  const auto with_end = [](Model model, const char* function) {
    mechanics::Event event{"end", model.read(function), mechanics::Direction::any};
    event.stop = true;
    model.system.events.push_back(event);
    return model;
  };
  const auto compare = [](const Model& model, const SensitivityRequest& asked) {
    EXPECT_LT(run_of(Simulator(model.system), asked)["t"].back(), 6);
    EXPECT_LT(expect_transpose(model, asked, {"y", "z", "energy"}), 1e-13) << asked.settings.method;
  };
  compare(with_end(wire(), "x - 1/4"), projected(request(7, "reference", {"a", "b", "vx"}, on_wire, 6, 0)));
  compare(with_end(blade(), "x - 1/5"),
          projected(request(7, "runge-kutta-8", {"gamma", "phi", "vx"}, on_blade, 6, 0.02)));
}

// Steps end at the points of inputs, which stay where they are.
TEST(ReverseInputs, AreTransposesOfTheForwardMode) {
  for (const Interpolation kind : {Interpolation::hold, Interpolation::linear}) {
    for (const char* method : {"reference", "radau-5"}) {
      const Model free({"q"}, {"v"}, {{"k", 1.3}, {"gamma", 0.25}}, "v^2/2 - k*sin(q)^2/2 - gamma*z");
      auto asked = request(7, method, {"k", "gamma", "q", "v"}, {{"q", 0.8}, {"v", -0.3}}, 1.5, 0);
      asked.settings.output_step.reset();
      asked.settings.output_times = {0.2, 0.31, 0.5, 0.74, 1.3};
      const double tolerance = method == std::string("radau-5") ? 1e-10 : 1e-12;
      EXPECT_LT(expect_transpose(driven(free, 0, kind), asked, {"q", "v", "z", "energy"}, tolerance), 1e-13) << method;
    }
    const auto asked = projected(request(7, "reference", {"inertia", "gamma", "phi", "vx"}, on_blade, 1.5, 0));
    EXPECT_LT(expect_transpose(driven(blade(), 2, kind), asked, {"x", "phi", "vy", "w", "lambda1", "energy"}), 1e-13);
  }
}

// Backwards in time steps leave the points of inputs on their other side.
TEST(ReverseInputs, AreTransposesInRunsBackwards) {
  const Model free({"q"}, {"v"}, {{"k", 1.3}, {"gamma", 0.25}}, "v^2/2 - k*sin(q)^2/2 - gamma*z");
  auto asked = request(7, "reference", {"k", "gamma", "q"}, {{"q", 0.8}, {"v", -0.3}, {"t", 1.5}}, 0, 0);
  asked.settings.output_step = 0.25;
  EXPECT_LT(expect_transpose(driven(free, 0, Interpolation::hold), asked, {"q", "v", "z"}), 1e-13);
}

// It slips, sticks and is pulled loose again, with the projection onto the slip in between.
TEST(ReverseFriction, IsTheTransposeOfTheForwardMode) {
  Model model({"x", "y"}, {"vx", "vy"}, {{"gamma", 0.1}, {"held", 0.9}, {"slid", 0.6}},
              "(1 + x^2/4)*vx^2/2 + sin(y)*vx*vy/4 + 0.6*vy^2 - 2*x^2 - y^2/2 - gamma*z");
  mechanics::Friction friction;
  friction.name = "rub";
  friction.on = model.read("vx - (0.3 + x/2)*vy - 0.2*cos(t/4)");
  friction.held = model.read("held");
  friction.slid = model.read("slid");
  friction.normal = model.system.graph().number(1);
  mechanics::add_friction(model.system, std::move(friction));
  for (const char* method : {"runge-kutta-4", "reference"}) {
    const auto asked = request(16, method, {"gamma", "held", "slid", "x"},
                               {{"x", 0.8}, {"vx", 0.1}, {"y", 0.3}, {"vy", 0.5}}, 6.3, 0.11);
    const auto run = run_of(Simulator(model.system), asked);
    EXPECT_NE(std::count(run["mode.rub"].begin(), run["mode.rub"].end(), 0.0), 0);
    EXPECT_NE(run["mode.rub"].back(), 0);
    EXPECT_LT(expect_transpose(model, asked, {"x", "vy", "z", "energy"}), 1e-13) << method;
  }
}

// Accelerations and multipliers are too many to be eliminated by straight-line code with exchanges of rows.
TEST(ReverseConstraints, AreTransposesForLargeSystems) {
  const std::size_t count = 9;
  std::vector<std::string> base;
  std::vector<std::string> fibre;
  std::string lagrangian = "-z/10";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    base.push_back("q" + n);
    fibre.push_back("v" + n);
    lagrangian += " + (1 + q" + n + "^2/4)*v" + n + "^2/2 - k*q" + n + "^2/2";
    if (i > 0) lagrangian += " - (1 - cos(q" + n + " - q" + std::to_string(i - 1) + "))";
  }
  Model model(base, fibre, {{"k", 0.8}}, lagrangian);
  mechanics::constrain(model.system, mechanics::Rule::nonholonomic, {model.read("v0 + q1*v2/2 - v4/3")});
  const auto asked =
      projected(request(5, "reference", {"k", "q1", "v2"}, {{"q1", 0.4}, {"q3", -0.2}, {"v2", 0.5}}, 1.5, 0));
  EXPECT_LT(expect_transpose(model, asked, {"q0", "q4", "v2", "z", "energy"}), 1e-13);
}
