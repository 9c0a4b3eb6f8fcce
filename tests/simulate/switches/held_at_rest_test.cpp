// Bodies that friction holds at rest, and switches on which a motion starts or that change its constraints.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../message_of.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "plane_with_friction.hpp"

namespace herglotz::simulate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// Two velocities whose coefficients depend on the state, so that they give both accelerations: with Phi = 0 these are
/// 0 at rest whatever the forces.
PlaneWithFriction oblique(double second) {
  PlaneWithFriction plane("(v^2 + 3*w^2 + v*w*cos(x - y))/2 + 2.9*x + y");
  plane.rub("one", "v*cos(y) + w*(1 + x)", "8").rub("two", "w + 0.5*v*cos(x)", std::to_string(second));
  return plane;
}

// At the origin all entries of the state are 0, and the rounding of forces that cancel would be the whole of it.
TEST(HeldAtRest, StaysAtTheOriginExactly) {
  for (const char* method : {"reference", "taylor", "runge-kutta-4", "stiff", "radau-5"}) {
    SCOPED_TRACE(method);
    const auto run = oblique(8).run(method, 2);
    EXPECT_TRUE(run.facts.complete);
    EXPECT_EQ(run["t"].back(), 2);
    for (const char* name : {"x", "y", "v", "w"}) EXPECT_EQ(run[name].back(), 0) << name;
    EXPECT_EQ(run.facts.largest_energy_residual, 0);
  }
}

// The other side: a weaker friction lets the body go, and its motion has laws that are no rounding. The force along the
// second row alone is that which holds both, which is 2.9 - 1 along the rows.
TEST(HeldAtRest, IsLeftWhereOneOfTheFrictionsIsTooWeak) {
  const auto strong = oblique(8).run("reference", 2);
  const double held = std::abs(strong["friction.two"].back());
  const auto weak = oblique(held * (1 - 1e-6)).run("reference", 2);
  EXPECT_EQ(weak["mode.one"].back(), 0);
  EXPECT_NE(weak["mode.two"].back(), 0);
  EXPECT_GT(std::abs(weak["v"].back()), 1e-7);
  EXPECT_LT(weak.facts.largest_energy_residual, 1e-9);
  const auto enough = oblique(held * (1 + 1e-6)).run("reference", 2);
  EXPECT_EQ(enough["x"].back(), 0);
}

// Forces of x alone: the body goes to the side of the whole number to which it is pushed. Above, s = x - floor(x) = x
// gives x'' = 1 - s, x = 1 - cos t; below, s = x + 1 gives x'' = -2 - s, x = 3 (cos t - 1).
TEST(Start, OnAWholeNumberOfAFloorTakesTheSideToWhichTheMotionGoes) {
  for (const char* method : {"reference", "runge-kutta-4", "radau-5", "stiff", "contact-gauss-4"}) {
    SCOPED_TRACE(method);
    const PlaneWithFriction above = PlaneWithFriction("(v^2 + w^2)/2").push("1 - (x - floor(x))", "0");
    const auto up = above.run(method, 0.5);
    EXPECT_NEAR(up["x"].back(), 1 - std::cos(0.5), 1e-9);
    EXPECT_THAT(up.facts.notes, Not(Contains(HasSubstr("passes"))));
    const PlaneWithFriction below = PlaneWithFriction("(v^2 + w^2)/2").push("-2 - (x - floor(x))", "0");
    const auto down = below.run(method, 0.5);
    EXPECT_NEAR(down["x"].back(), 3 * (std::cos(0.5) - 1), 1e-9);
    EXPECT_TRUE(down.facts.complete) << down.facts.status;
  }
}

// Hysteresis as a constraint, w = v (1 - |y|) - |v| y/2 with y' = w [Bouc-Wen], of a body with x = 1 - cos t: |v| turns
// where v is 0 but for the rounding of the place, and so is the constraint there. Loops are closed: y comes back.
TEST(Switches, InConstraintsMoveTheStateByRoundOffAlone) {
  for (const char* method : {"reference", "runge-kutta-4", "radau-5", "contact-gauss-4"}) {
    SCOPED_TRACE(method);
    const PlaneWithFriction plane =
        PlaneWithFriction("v^2/2 + 1e-9*w^2/2").push("cos(t)", "0").constrain("w - (v*(1 - abs(y)) - 0.5*abs(v)*y)");
    const auto run = plane.run(method, 12.5);
    EXPECT_TRUE(run.facts.complete) << run.facts.status;
    EXPECT_EQ(run["t"].back(), 12.5);
    EXPECT_NEAR(run["x"].back(), 1 - std::cos(12.5), 1e-6);
    EXPECT_LT(run.facts.largest_constraint_residual, 1e-9);
  }
}

// A constraint that jumps has no motion across the jump, and the message says so.
TEST(Switches, OfConstraintsThatJumpEndTheRun) {
  const PlaneWithFriction plane = PlaneWithFriction("(v^2 + w^2)/2").constrain("w - if(x > 1, 2, 1)*v");
  EXPECT_THAT(message_of([&] { (void)plane.run("reference", 5, {{"v", 1.0}, {"w", 1.0}}); }),
              HasSubstr("the constraints jump where 'x - 1' passes 0: velocities would change by 0.4 at t = 1"));
}

// Two frictions on one velocity: each may have any part of the load.
TEST(Notes, SayWhichForcesAreChosen) {
  PlaneWithFriction twice("(v^2 + w^2)/2 + 0.5*x");
  twice.rub("one", "v", "0.4").rub("two", "v", "0.4").rub("other", "w", "0.4");
  const auto shared = twice.run("reference", 1);
  EXPECT_THAT(shared.facts.notes, Contains(HasSubstr("one of many choices")));
  EXPECT_NEAR(shared["friction.one"].back() + shared["friction.two"].back(), -0.5, 1e-12);
  PlaneWithFriction apart("(v^2 + w^2)/2 + 0.3*x");
  apart.rub("one", "v", "0.4").rub("other", "w", "0.4");
  EXPECT_THAT(apart.run("reference", 1).facts.notes, Not(Contains(HasSubstr("one of many choices"))));
}

}  // namespace
}  // namespace herglotz::simulate
