// Frictions and forces that are different on both sides of a switch.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "../message_of.hpp"
#include "plane_with_friction.hpp"

namespace herglotz::simulate {
namespace {

using testing::HasSubstr;

// A band around a drum with a pull P at its slack end holds with P (exp(mu theta) - 1) against the turn that winds it
// up, and with P (1 - exp(-mu theta)) against the other one (Euler and Eytelwein).
const std::string band = "10*if(v > 0, exp(1.2) - 1, 1 - exp(-1.2))";
const double winding = 10 * (std::exp(1.2) - 1);
const double unwinding = 10 * (1 - std::exp(-1.2));

class TwoSided : public testing::TestWithParam<std::string> {};

TEST_P(TwoSided, ABandBrakeStopsADrumByItsTurn) {
  const PlaneWithFriction drum = PlaneWithFriction("(v^2 + w^2)/2").rub("band", "v", band);
  EXPECT_NEAR(drum.run(GetParam(), 5, {{"v", 7}})["x"].back(), 49 / (2 * winding), 1e-13);
  EXPECT_NEAR(drum.run(GetParam(), 5, {{"v", -7}})["x"].back(), -49 / (2 * unwinding), 1e-13);
}

TEST_P(TwoSided, ABandBrakeLetsGoByItsTurn) {
  for (const double way : {1.0, -1.0}) {
    PlaneWithFriction drum("(v^2 + w^2)/2");
    drum.push(way > 0 ? "10*t" : "-10*t", "0").rub("band", "v", band);
    const double left = (way > 0 ? winding : unwinding) / 10;
    const auto run = drum.run(GetParam(), 4);
    // Steps that end where it lets go, and friction of one size beside the load 10 t: steps of order 4 are exact.
    EXPECT_NEAR(run["x"].back(), way * 10 * std::pow(4 - left, 3) / 6, 1e-12);
  }
}

TEST_P(TwoSided, AFreewheelTurnsOneWay) {
  PlaneWithFriction wheel("(v^2 + w^2)/2");
  wheel.push("sin(t)", "0").rub("pawl", "v", "if(v < 0, 1000, 0)");
  // v = 1 - cos t comes to rest at 2 pi, and goes on. Steps of 0.01 have an error of order 4.
  EXPECT_NEAR(wheel.run(GetParam(), 10)["x"].back(), 10 - std::sin(10), 1e-9);
  PlaneWithFriction loaded("(v^2 + w^2)/2");
  loaded.push("-1", "0").rub("pawl", "v", "if(v < 0, 1000, 0)");
  EXPECT_EQ(loaded.run(GetParam(), 10, {{"v", 2}})["x"].back(), 2);
}

// Friction that is written as a force: -0.3 forwards and 0.2 backwards. From x = 1 the first swing ends at
// 2*0.2 - 1 = -0.6, the second one at -0.6 + 2*(0.6 - 0.3) = 0, where the spring is slack.
TEST_P(TwoSided, ForcesByIfHoldABodyAtRest) {
  for (const std::string force :
       {"if(v > 0, -0.3, 0.2)", "if(v >= 0, -0.3, 0.2)", "-if(v > 0, 0.3, 0.2)*sign(v)", "-0.05 - 0.25*sign(v)"}) {
    SCOPED_TRACE(force);
    PlaneWithFriction body("(v^2 + w^2)/2 - x^2/2");
    body.push(force, "0");
    const auto run = body.run(GetParam(), 20, {{"x", 1}});
    EXPECT_NEAR(run["x"].back(), 0, 1e-9);
    EXPECT_EQ(run["v"].back(), 0);
  }
}

TEST_P(TwoSided, ForcesMayHaveSizesOfTheSpeed) {
  // A term of the speed that vanishes at rest changes the way there, and not whether it holds.
  PlaneWithFriction body("(v^2 + w^2)/2 - x^2/2");
  body.push("-sign(v)*(0.3 + 0.1*abs(v))", "0");
  const auto run = body.run(GetParam(), 20, {{"x", 1}});
  EXPECT_EQ(run["v"].back(), 0);
  PlaneWithFriction same("(v^2 + w^2)/2 - x^2/2");
  same.push("-0.1*v", "0").rub("same", "v", "0.3");
  EXPECT_NEAR(run["x"].back(), same.run(GetParam(), 20, {{"x", 1}})["x"].back(), 1e-12);
}

// Two frictions on one velocity hold the sum of their bounds on each side.
TEST_P(TwoSided, FrictionsShareByTheSide) {
  for (const double way : {1.0, -1.0}) {
    PlaneWithFriction drum("(v^2 + w^2)/2");
    drum.push(way > 0 ? "t" : "-t", "0").rub("even", "v", "1").rub("uneven", "v", "if(v > 0, 0.5, 2)");
    const double left = way > 0 ? 1.5 : 3;
    EXPECT_NEAR(drum.run(GetParam(), 5)["x"].back(), way * std::pow(5 - left, 3) / 6, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, TwoSided, testing::Values("reference", "contact-gauss-4"), [](const auto& of) {
  return of.param == "reference" ? std::string("reference") : std::string("contact_gauss_4");
});

TEST(TwoSidedBounds, AreRefusedBesideSlipsInAPlane) {
  PlaneWithFriction body("(v^2 + w^2)/2");
  body.rub("floor", "v", "w", "0.4").rub("rail", "v", "if(v > 0, 0.3, 0.6)");
  EXPECT_THAT(message_of([&] { body.run("reference", 1); }),
              HasSubstr("the friction on 'v' has different bounds forwards and backwards"));
  // Bounds that are equal at rest are even.
  PlaneWithFriction even("(v^2 + w^2)/2");
  even.rub("floor", "v", "w", "0.4").rub("rail", "v", "0.3 + 0.1*abs(v)");
  EXPECT_EQ(even.run("reference", 1)["x"].back(), 0);
}

// A slip in a plane goes to all sides: a coefficient of the size of one of its velocities has one value for v and -v.
TEST(TwoSidedBounds, FrictionInAPlaneMayDependOnTheSizeOfAVelocity) {
  PlaneWithFriction body("(v^2 + w^2)/2");
  body.rub("floor", "v", "w", "0.5 + 0.4*exp(-abs(v))");
  const auto right = body.run("reference", 5, {{"v", 1}, {"w", 0.5}});
  const auto left = body.run("reference", 5, {{"v", -1}, {"w", 0.5}});
  EXPECT_NEAR(left["x"].back(), -right["x"].back(), 1e-12);
  EXPECT_NEAR(left["y"].back(), right["y"].back(), 1e-12);
}

}  // namespace
}  // namespace herglotz::simulate
