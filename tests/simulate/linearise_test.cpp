// Linear motions, equilibria and relative equilibria, against their closed forms.

#include "herglotz/simulate/linearise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/continuation.hpp"
#include "simulate/damped_pendulum.hpp"

namespace {

using namespace herglotz;
using simulate::Simulator;
using simulate::Stability;
using symbolic::Expr;
using testing::ElementsAre;
using testing::HasSubstr;

/// A bead on a hoop of radius 1 that turns freely about its vertical diameter: L = (v^2 + sin(q)^2 s^2 + I s^2)/2 -
/// g (1 - cos(q)), s = dphi/dt.
mechanics::System hoop(double gamma) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr phi = graph->symbol("phi");
  const Expr v = graph->symbol("v");
  const Expr s = graph->symbol("s");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q, phi}, {v, s}}));
  system.name = "hoop";
  system.generator = (v * v + (sin(q) * sin(q) + 3.0) * s * s) / 2 - 2.0 * (1.0 - cos(q));
  if (gamma != 0) system.generator = system.generator - gamma * system.z;
  return system;
}

TEST(Linearise, RefusesSingularLagrangians) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr x = graph->symbol("x");
  const Expr y = graph->symbol("y");
  const Expr vx = graph->symbol("vx");
  auto singular = mechanics::make_system(geometry::tangent(graph, {{x, y}, {vx, graph->symbol("vy")}}));
  singular.name = "singular";
  singular.generator = vx * vx / 2 - (x - y) * (x - y);  // nothing determines the acceleration of y
  try {
    simulate::linearise(Simulator(singular), {{{"x", 0.0}, {"y", 0.0}}});
    FAIL() << "a singular Lagrangian is linearised";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("the motion of a singular Lagrangian on its final set is not linearised"));
  }
}

}  // namespace

TEST(Linearise, GivesTheMatricesOfAPendulum) {
  const Simulator simulator(damped_pendulum(4.0));
  const auto linear =
      simulate::linearise(simulator, {{{"q", 0.7}, {"v", 0.3}}, {{"gamma", 0.5}}, {"gamma"}, {"q", "height"}});
  EXPECT_THAT(linear.states, ElementsAre("q", "v", "z"));
  const double c = std::cos(0.7);
  const double s = std::sin(0.7);
  const std::vector<double> A{0, 1, 0, -4 * c, -0.5, 0, -4 * s, 0.3, -0.5};
  for (std::size_t k = 0; k < A.size(); ++k) EXPECT_NEAR(linear.A[k], A[k], 1e-14) << k;
  EXPECT_THAT(linear.B, ElementsAre(0, -0.3, 0));
  EXPECT_EQ(linear.C[0], 1);
  EXPECT_NEAR(linear.C[3], 4 * s, 1e-14);
  EXPECT_THAT(linear.D, ElementsAre(0, 0));
  EXPECT_EQ(linear.stability, Stability::none);
}

TEST(Linearise, FindsEquilibriaAndTheirStability) {
  const Simulator simulator(damped_pendulum(4.0));
  const auto down = simulate::linearise(simulator, {{{"q", 0.4}, {"v", 0.1}}, {}, {}, {}, true});
  EXPECT_NEAR(down.at[0], 0, 1e-10);
  EXPECT_EQ(down.stability, Stability::asymptotic);
  ASSERT_EQ(down.poles.size(), 3U);
  EXPECT_NEAR(down.poles[0].real(), -0.1, 1e-12);
  EXPECT_NEAR(down.poles[0].imag(), std::sqrt(4 - 0.01), 1e-12);
  EXPECT_NEAR(down.poles[2].real(), -0.2, 1e-12);
  const auto up = simulate::linearise(simulator, {{{"q", 2.9}}, {}, {}, {}, true});
  EXPECT_NEAR(up.at[0], std::acos(-1.0), 1e-9);
  EXPECT_EQ(up.stability, Stability::unstable);
  EXPECT_NEAR(up.poles[0].real(), -0.1 + std::sqrt(4.01), 1e-9);
}

TEST(Linearise, LetsTheActionDriftWhereItsParameterIsZero) {
  const Simulator simulator(damped_pendulum(4.0));
  const auto down = simulate::linearise(simulator, {{{"q", 0.4}, {"v", 0.1}}, {{"gamma", 0.0}}, {}, {}, true});
  EXPECT_THAT(down.drifting, ElementsAre("z"));
  EXPECT_NEAR(down.at[0], 0, 1e-10);
  EXPECT_EQ(down.stability, Stability::marginal);
  ASSERT_EQ(down.poles.size(), 2U);
  EXPECT_NEAR(down.poles[0].imag(), 2, 1e-12);
  // The top of the pendulum has z' = -2 k, whatever z is.
  const auto up = simulate::linearise(simulator, {{{"q", 2.9}}, {{"gamma", 0.0}}, {}, {}, true});
  EXPECT_NEAR(up.at[0], std::acos(-1.0), 1e-9);
  EXPECT_EQ(up.stability, Stability::unstable);
}

// L = v^2/2 + s^2 sin(q)^2/2 + 2 cos(q) - gamma z: where gamma is small, z is large, and moves far with s.
TEST(FollowEquilibria, MakesStepsInTheUnitsOfTheStates) {
  auto system = damped_pendulum(0);
  const Expr q = system.algebroid.x[0];
  const Expr v = system.algebroid.y[0];
  const Expr s = system.parameters[1].symbol;
  system.generator = v * v / 2 + s * s * sin(q) * sin(q) / 2 + 2.0 * cos(q) - system.parameters[0].symbol * system.z;
  const Simulator simulator(std::move(system));
  const auto branch =
      simulate::follow_equilibria(simulator, {{{"q", 1.1}}, {{"k", 3.0}, {"gamma", 0.01}}, "k", 2.0, 0, 500});
  ASSERT_LT(branch.points.size(), 300U);
  EXPECT_EQ(branch.status, "complete");
  const auto short_of_it =
      simulate::follow_equilibria(simulator, {{{"q", 1.1}}, {{"k", 3.0}, {"gamma", 0.01}}, "k", 2.0, 0, 5});
  EXPECT_THAT(short_of_it.status, testing::StartsWith("5 points lead to k = 2.9"));
  EXPECT_NEAR(branch.points.back().parameter, 2, 1e-12);
  EXPECT_NEAR(branch.points.back().at[0], std::acos(0.5), 1e-9);
}

TEST(Linearise, FindsRelativeEquilibria) {
  // The bead stays where cos(q) = g/s^2, and oscillates about it with a known frequency.
  const Simulator simulator(hoop(0));
  const auto linear = simulate::linearise(simulator, {{{"q", 1.0}, {"s", 1.9}}, {}, {}, {}, true});
  EXPECT_THAT(linear.drifting, ElementsAre("phi", "z"));
  const double q = linear.at[0];
  const double s = linear.at[3];
  EXPECT_GT(q, 0.5);
  EXPECT_NEAR(std::cos(q), 2 / (s * s), 1e-10);
  EXPECT_EQ(linear.stability, Stability::marginal);
  const double moment = std::sin(q) * std::sin(q) + 3;
  const double squared = s * s * std::sin(q) * std::sin(q) * (1 + 4 * std::cos(q) * std::cos(q) / moment);
  EXPECT_NEAR(linear.poles[0].imag(), std::sqrt(squared), 1e-8);
}

TEST(Linearise, StopsARotationThatFrictionStops) {
  const Simulator simulator(hoop(0.1));
  const auto linear = simulate::linearise(simulator, {{{"q", 0.3}, {"s", 0.5}}, {}, {}, {}, true});
  EXPECT_NEAR(linear.at[0], 0, 1e-9);
  EXPECT_NEAR(linear.at[3], 0, 1e-9);
  EXPECT_EQ(linear.stability, Stability::asymptotic);
}

TEST(Linearise, KeepsToTheConstraints) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr x = graph->symbol("x");
  const Expr y = graph->symbol("y");
  const Expr vx = graph->symbol("vx");
  const Expr vy = graph->symbol("vy");
  auto wire = mechanics::make_system(geometry::tangent(graph, {{x, y}, {vx, vy}}));
  wire.name = "wire";
  wire.generator = (vx * vx + vy * vy) / 2 - 9.0 * y - 0.2 * wire.z;
  mechanics::constrain(wire, mechanics::Rule::nonholonomic, {y - x * x / 2});  // a bead on a parabola: x'' = -9 x
  const auto linear = simulate::linearise(Simulator(wire), {{{"x", 0.2}, {"y", 0.02}}, {}, {}, {}, true});
  EXPECT_NEAR(linear.at[0], 0, 1e-9);
  ASSERT_EQ(linear.poles.size(), 3U);
  EXPECT_NEAR(linear.poles[0].imag(), std::sqrt(9 - 0.01), 1e-9);
  EXPECT_EQ(linear.stability, Stability::asymptotic);
}

TEST(Linearise, RefusesByName) {
  const Simulator simulator(damped_pendulum(4.0));
  const auto refused = [&](const simulate::LinearisationRequest& request) -> std::string {
    try {
      simulate::linearise(simulator, request);
    } catch (const std::exception& e) {
      return e.what();
    }
    return "nothing was thrown";
  };
  EXPECT_THAT(refused({{}, {}, {"gama"}}), HasSubstr("gamma"));
  EXPECT_THAT(refused({{}, {}, {}, {"heigth"}}), HasSubstr("height"));
  EXPECT_THAT(refused({{{"p", 1}}}), HasSubstr("p"));
}
