// Slips in a plane that begin where the load has just become what friction holds, with a kinetic force equal to the
// static one: the slip is slow, and friction turns it at the rate of its force over the slip.

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace herglotz::io
