// Friction on a slider whose crank leaves it no velocity at its dead centres.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

constexpr double pi = std::numbers::pi;
constexpr double radius = 0.2;
constexpr double moment = 0.1;
constexpr double force = 1.0;

/// A crank with a moment of inertia, a rod without mass, and a slider of mass 1 under the friction 1.
std::string crank(const std::string& angle, const std::string& turn, const std::string& torque,
                  const std::string& how = "tolerance = 1e-12\n") {
  return R"([model]
name = "slider-crank"
[algebroid]
kind = "tangent"
base = ["a", "x"]
fibre = ["w", "v"]
[parameters]
r = 0.2
l = 0.5
[dynamics]
lagrangian = "0.1*w^2/2 + v^2/2"
forces = { w = ")" +
         torque + R"(" }
[constraints]
rule = "nonholonomic"
equations = ["(x - r*cos(a))^2 + (r*sin(a))^2 - l^2"]
[friction]
slide = { on = "v", static = 1.0 }
[events]
turned = { at = "a - )" +
         angle + R"( - 2*pi", stop = true }
[initial]
a = ")" + angle +
         "\"\nx = \"r*cos(" + angle + ") + sqrt(l^2 - (r*sin(" + angle + "))^2)\"\n" + turn +
         "[simulation]\nt_end = 5.0\n" + how;
}

double last_rate(const std::string& text) {
  const auto made = simulate::simulate(parse_model(text));
  EXPECT_TRUE(made.facts.complete);
  const auto value = [&](const std::string& name) {
    for (const auto& column : made.events.at(0).columns)
      if (column.name == name) return column.values.at(0);
    return std::nan("");
  };
  EXPECT_NEAR(value("work.slide"), -4 * radius * force, 1e-7) << "it brakes along both strokes";
  return value("w");
}

// In a turn the slider goes the way 4 r against the friction F. Where the turn begins and ends at a dead centre, the
// slider is at rest there, and J (w^2 - w_0^2)/2 = 2 pi M - 4 r F for a torque M on the crank.
TEST(DeadCentre, IsPassedWithTheVelocityThatFrictionLeaves) {
  const double expected = std::sqrt(36 - 8 * radius * force / moment);
  EXPECT_NEAR(last_rate(crank("0", "w = 6.0\n", "0")), expected, 1e-9) << "from the outer one";
  EXPECT_NEAR(last_rate(crank("pi", "w = 6.0\n", "0")), expected, 1e-9) << "from the inner one";
  EXPECT_NEAR(last_rate(crank("0", "w = 6.0\n", "0", "method = \"contact-gauss-6\"\nstep = 2e-3\n")), expected, 1e-7);
  const auto made = simulate::simulate(parse_model(crank("0.3",
                                                         "w = 6.0\nv = \"-r*sin(0.3)*6*(1 + "
                                                         "r*cos(0.3)/sqrt(l^2 - (r*sin(0.3))^2))\"\n",
                                                         "0")));
  EXPECT_NEAR(made["work.slide"].back(), -4 * radius * force, 1e-9) << "from between them";
  EXPECT_LT(made.facts.largest_energy_residual, 1e-10);
}

TEST(DeadCentre, IsLeftByATorqueOnTheCrank) {
  const double expected = std::sqrt(2 * (2 * pi * 0.3 - 4 * radius * force) / moment);
  EXPECT_NEAR(last_rate(crank("0", "", "0.3")), expected, 1e-9);
  EXPECT_NEAR(last_rate(crank("pi", "", "0.3")), expected, 1e-9);
}

// The slider has no velocity whatever friction does, so that its force may have any value within its bounds.
TEST(DeadCentre, DeterminesNoFrictionAtRest) {
  std::string error;
  try {
    simulate::simulate(parse_model(crank("0", "", "0")));
  } catch (const Error& thrown) {
    error = thrown.problem();
  }
  EXPECT_THAT(error,
              HasSubstr("the force of the friction on 'v' is not determined where something else holds that velocity"));
}

// The event lies at the time at which the velocity of the slider goes through zero, where one piece of the run ends and
// the next one begins.
TEST(DeadCentre, HasARowWhereAnEventEndsTheRun) {
  for (const std::string turn : {"w = 5.8\n", "w = 6.0\n", "w = 6.3\n"})
    for (const std::string how : {"tolerance = 1e-12\n", "method = \"contact-gauss-4\"\nstep = 2e-3\n"}) {
      const auto made = simulate::simulate(parse_model(crank("pi", turn, "0", how)));
      const auto& event = made.events.at(0).columns;
      ASSERT_EQ(event.at(0).values.size(), 1u) << turn << how;
      EXPECT_EQ(made["t"].back(), event.at(0).values.back()) << turn << how;
      EXPECT_NEAR(made["a"].back(), 3 * pi, 1e-12) << turn << how;
      EXPECT_NEAR(made["work.slide"].back(), -4 * radius * force, 1e-7) << turn << how;
    }
}

}  // namespace
}  // namespace herglotz::io
