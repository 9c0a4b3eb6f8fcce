// Slips in a plane that begin where the load has just become what friction holds, with a kinetic force equal to the
// static one: the slip is slow, and friction turns it at the rate of its force over the slip.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "contact_runs.hpp"

namespace herglotz::io {
namespace {

/// Expects these columns of short runs by adaptive methods near those of radau-5.
void expect_short_runs(const std::string& model, const std::vector<std::string>& columns) {
  const auto exact = complete_run(model + "method = \"radau-5\"\ntolerance = 1e-12\n", 1e-9);
  EXPECT_LT(exact.facts.steps, 40000U);
  for (const std::string method : {"reference", "taylor", "radau-5"}) {
    const auto made = complete_run(model + "method = \"" + method + "\"\n", 1e-9);
    EXPECT_LT(made.facts.steps, 30000U) << method;
    for (const auto& name : columns) EXPECT_NEAR(made[name].back(), exact[name].back(), 1e-9) << name << method;
  }
}

std::string block(const std::string& lagrangian, const std::string& forces, const std::string& frictions) {
  return "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\", \"a\"]\nfibre = [\"vx\", \"vy\", \"w\"]\n"
         "[dynamics]\nlagrangian = \"" +
         lagrangian + "\"\nforces = { " + forces + " }\n[friction]\n" + frictions +
         "[initial]\nx = 0\n[simulation]\nt_end = 1.0\n";
}

// Explicit steps followed each turn of a slip of rounding, 1e-14, of which there are millions until it is faster.
TEST(SlipsFromRest, AreFollowedOnBowlsInFewSteps) {
  for (const std::string place : {"0", "0.5"})
    expect_short_runs(
        "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\", \"h\"]\nfibre = [\"vx\", \"vy\", \"vh\"]\n[dynamics]\n"
        "lagrangian = \"(vx^2 + vy^2 + vh^2)/2 - 9.81*h\"\nforces = { vx = \"6*t\", vy = \"3*sin(3*t)\" }\n[impacts]\n"
        "floor = { gap = \"h - ((x - " +
            place +
            ")^2 + y^2)/4\", restitution = 0, friction = 0.3, slip = [\"vx\", \"vy\"] }\n[initial]\nh = 0\nx = " +
            place + "\n[simulation]\nt_end = 1.5\n",
        {"x", "y", "h", "vx", "vy"});
}

// The second pad lets go while the block turns about it: errors of steps are larger than the slip at which it rests.
TEST(SlipsFromRest, OfAPadBesideOneThatSlidesAreNoSlipsBackwards) {
  expect_short_runs(
      block("1.686*vx^2/2 + 1.136*vy^2/2 + 1.49*w^2/2", "vx = \"1.61*t^2\", vy = \"0.213*t\", w = \"1.506*t\"",
            "f0 = { on = [\"vx + 0.203*w\", \"vy - 0.116*w\"], static = 0.329 }\n"
            "f1 = { on = [\"vx - 0.128*w\", \"vy - 0.389*w\"], static = 0.541 }\n"),
      {"x", "y", "a", "vx", "vy", "w"});
}

// All velocities are held, by numbers: what rounding left of accelerations was followed by steps of 1e-12.
TEST(SlipsFromRest, FollowARestThatIsExact) {
  expect_short_runs(block("1.224*vx^2/2 + 1.557*vy^2/2 + 1.416*w^2/2",
                          "vx = \"0.55*t^2\", vy = \"1.155*sin(3.951*t)\", w = \"1.301*t^2\"",
                          "f0 = { on = [\"vx + 0.959*w\", \"vy - 0.361*w\"], static = 0.276 }\n"
                          "f1 = { on = [\"vx + 0.945*w\", \"vy - 0.342*w\"], static = 0.415 }\n"),
                    {"x", "y", "a", "vx", "vy", "w"});
}

// A slip that comes to rest within the rounding of time has Taylor polynomials beyond the largest number.
TEST(SlipsFromRest, EndWithinTheRoundingOfTime) {
  expect_short_runs(
      "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\", \"h\"]\nfibre = [\"vx\", \"vy\", \"vh\"]\n[dynamics]\n"
      "lagrangian = \"1.144*(vx^2 + vy^2 + vh^2)/2 - 1.144*9.81*h - 1.495*x^2/2\"\n"
      "forces = { vx = \"-0.81*sin(2.948*t)\", vy = \"3.316*sin(3.94*t)\" }\n[impacts]\n"
      "floor = { gap = \"h - 0.342*(x - 0.4)^2 - 0.251*y^2\", restitution = 0, friction = 0.297, "
      "slip = [\"vx\", \"vy\"] }\n[initial]\nh = 0\nx = 0.4\n[simulation]\nt_end = 1.4\n",
      {"x", "y", "h", "vx", "vy"});
}

// In the first step friction has the size of the load: the velocity of the step is only the rounding of their
// difference, and updates of it never fell, or were asked to be rounding of it.
TEST(SlipsFromRest, BeginBySymmetricStepsWhereFrictionJustLetsGo) {
  const std::string model =
      "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\"]\nfibre = [\"vx\", \"vy\"]\n[dynamics]\n"
      "lagrangian = \"1.249*vx^2/2 + 0.92*vy^2/2\"\nforces = { vx = \"2.85*t\", vy = \"1.361*t - 0.695*t^2\" }\n"
      "[friction]\np = { on = [\"vx\", \"vy\"], normal = 1.879, static = 0.477 }\n[initial]\nx = 0\n"
      "[simulation]\nt_end = 3.0\n";
  const auto exact = complete_run(model + "method = \"radau-5\"\ntolerance = 1e-11\n", 1e-9);
  double before = 0;
  for (const std::string step : {"0.004", "0.002"}) {
    const auto made = complete_run(model + "method = \"contact-dla-2\"\nstep = " + step + "\n", 1e-2);
    EXPECT_LT(made.facts.steps, 10000U);
    const double error = std::abs(made["x"].back() - exact["x"].back());
    EXPECT_LT(error, 2e-5) << step;
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 2, 0.2);
    }
    before = error;
  }
}

// A slip that comes to rest while the body goes on turning is slower than what an update of x over h let the velocity
// be wrong by, as steps become short with it: the direction of its friction was noise, and it never came to rest.
TEST(SlipsFromRest, OfATurningBodyComeToRestBySymmetricSteps) {
  const std::string model =
      "[algebroid]\nkind = \"hamel\"\nbase = [\"th\", \"x\", \"y\"]\nfibre = [\"w\", \"u\", \"v\"]\n"
      "frame = [[\"1\", \"0\", \"0\"], [\"0\", \"cos(th)\", \"sin(th)\"], [\"0\", \"-sin(th)\", "
      "\"cos(th)\"]]\n[dynamics]\n"
      "lagrangian = \"0.885*(u^2 + v^2)/2 + 0.525*w^2/2 - 1.833*(x^2 + y^2)/2\"\n"
      "forces = { w = \"0.359*sin(0.729*t)\" }\n[friction]\n"
      "p = { on = [\"u + 0.47*w\", \"v - 0.292*w\"], normal = 1.831, static = 0.302 }\n"
      "q = { on = \"w\", normal = 0.936, static = 0.3, kinetic = 0.2 }\n[initial]\nth = -0.046\nx = 0.391\ny = 0.457\n"
      "w = -0.032\nu = -0.279\nv = -0.668\n[simulation]\nt_end = 1.46772\nmethod = \"contact-dla-2\"\nstep = 0.002\n";
  const auto made = complete_run(model, 1e-2);
  EXPECT_LT(made.facts.steps, 5000U);
  EXPECT_EQ(made["mode.p"].back(), 0);
}

// A block turns already where its pad begins to slip: the slips at both ends of the first step are not one, and their
// difference was taken for a slip backwards again and again.
TEST(SlipsFromRest, BeginBySymmetricStepsOfABodyThatTurns) {
  const std::string model =
      "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\", \"th\"]\nfibre = [\"vx\", \"vy\", \"w\"]\n[dynamics]\n"
      "lagrangian = \"1.037*(vx^2 + vy^2)/2 + 0.223*w^2/2\"\nforces = { vx = \"0.79*t\", w = \"0.678*t\" "
      "}\n[friction]\n"
      "p = { on = [\"vx - w*(0.265*sin(th) - 0.301*cos(th))\", \"vy + w*(0.265*cos(th) + 0.301*sin(th))\"], "
      "normal = 1.139, static = 0.541 }\nw = { on = \"w\", normal = 0.725, static = 0.541 }\n[initial]\nth = 0.627\n"
      "[simulation]\nt_end = 0.7552\n";
  const auto made = complete_run(model + "method = \"contact-dla-2\"\nstep = 0.002\n", 1e-2);
  EXPECT_LT(made.facts.steps, 3000U);
  EXPECT_EQ(made["mode.p"].back(), 1);
  const auto exact = complete_run(model + "method = \"radau-5\"\ntolerance = 1e-11\n", 1e-9);
  for (const char* name : {"x", "y", "th", "vx", "vy", "w"})
    EXPECT_NEAR(made[name].back(), exact[name].back(), 1e-5) << name;
}

// The load has just become what friction holds, to the last bit: the slip has no rate yet, and explicit steps as long
// as were asked for threw it far to the side, whatever their size.
TEST(SlipsFromRest, BeginByExplicitStepsThatResolveHowFrictionTurnsThem) {
  const std::string model =
      "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\"]\nfibre = [\"vx\", \"vy\"]\n[dynamics]\n"
      "lagrangian = \"0.896*vx^2/2 + 0.942*vy^2/2\"\nforces = { vx = \"0.664*t\", vy = \"0.996*t + 0.064*t^2\" }\n"
      "[friction]\np = { on = [\"vx\", \"vy\"], normal = 1.185, static = 0.224 }\n[initial]\nx = 0\n"
      "[simulation]\nt_end = 3.0\n";
  const auto exact = complete_run(model + "method = \"radau-5\"\ntolerance = 1e-11\n", 1e-9);
  for (const std::string method : {"runge-kutta-4", "runge-kutta-8"}) {
    const auto made = complete_run(model + "method = \"" + method + "\"\nstep = 0.002\n", 1e-6);
    for (const char* name : {"x", "y", "vx", "vy"})
      EXPECT_NEAR(made[name].back(), exact[name].back(), 1e-8) << name << method;
  }
}

}  // namespace
}  // namespace herglotz::io
