// The method that `auto` takes where a motion is stiff.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// w' = -c (w - x) follows x = cos t at a distance of 1/c, as a body in a liquid, once a decay at the rate c is over:
/// w = (c^2 cos t + c sin t)/(1 + c^2).
analyse::Trajectory follower(double c, const std::string& simulation) {
  return simulate::simulate(parse_model(
      "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\"]\nfibre = [\"v\", \"w\"]\n[dynamics]\nlagrangian = \"(v^2 "
      "+ w^2)/2 - x^2/2\"\nforces = { w = \"-c*(w - x)\" }\n[parameters]\nc = " +
      std::to_string(c) + "\n[initial]\nx = 1\n[simulation]\n" + simulation));
}

// c = 1e6 holds explicit steps below 5e-6, of which 4e6 would be needed.
TEST(Stiffness, IsFoundAlongTheRun) {
  const double c = 1e6;
  const double t = 20;
  for (const std::string rows : {"", "output_step = 1e-3\n", "output_every = 1\n"}) {
    const auto run = follower(c, "t_end = 20\n" + rows);
    EXPECT_THAT(run.facts.notes, Contains(AllOf(HasSubstr("radau-5 took steps from t = 0.0"),
                                                HasSubstr("followed a decay at rate 1e+06"))));
    EXPECT_LT(run.facts.steps, 50000U);
    EXPECT_LT(run.facts.largest_energy_residual, 1e-10);
    EXPECT_NEAR(run["w"].back(), (c * c * std::cos(t) + c * std::sin(t)) / (1 + c * c), 1e-9);
    EXPECT_NEAR(run["x"].back(), std::cos(t), 1e-9);
    EXPECT_EQ(run["t"].back(), 20);
  }
}

// Backwards the decay is a growth, and steps are short because the motion is fast.
TEST(Stiffness, OfGrowthIsNone) {
  const auto run = follower(1e3, "t_end = -0.2\n");
  EXPECT_THAT(run.facts.notes, Not(Contains(HasSubstr("radau-5 took steps"))));
}

// Where few explicit steps are left, where the method is given, and where nothing is stiff, the run is that of
// `reference`.
TEST(Stiffness, LeavesOtherRunsTheirBits) {
  for (const auto& [c, t_end] : {std::pair{1e6, "0.1"}, std::pair{1.0, "2000"}, std::pair{100.0, "100"}}) {
    const std::string end = std::string("t_end = ") + t_end + "\n";
    const auto automatic = follower(c, end);
    const auto reference = follower(c, end + "method = \"reference\"\n");
    EXPECT_THAT(automatic.facts.notes, Not(Contains(HasSubstr("radau-5 took steps")))) << c;
    EXPECT_EQ(automatic.facts.steps, reference.facts.steps) << c;
    EXPECT_EQ(automatic["w"].back(), reference["w"].back()) << c;
  }
}

// An event and a constraint: a bead on the circle x^2 + y^2 = 1 under gravity, whose third
// coordinate follows x.
TEST(Stiffness, IsFoundWithEventsAndConstraints) {
  const std::string model =
      "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\", \"s\"]\nfibre = [\"v\", \"u\", \"w\"]\n[dynamics]\n"
      "lagrangian = \"(v^2 + u^2 + w^2)/2 - y\"\nforces = { w = \"-1e6*(w - x)\" }\n"
      "[constraints]\nrule = \"nonholonomic\"\nequations = [\"x*v + y*u\"]\n[events]\nthrough = \"x\"\n[initial]\nx = "
      "0.6\ny = -0.8\n"
      "[simulation]\nt_end = 16\n";
  const auto automatic = simulate::simulate(parse_model(model));
  const auto implicit = simulate::simulate(parse_model(model + "method = \"radau-5\"\ntolerance = 1e-12\n"));
  EXPECT_THAT(automatic.facts.notes, Contains(HasSubstr("radau-5 took steps")));
  EXPECT_LT(automatic.facts.steps, 60000U);
  for (const std::string name : {"x", "y", "v", "w"})
    EXPECT_NEAR(automatic[name].back(), implicit[name].back(), 1e-7) << name;
  ASSERT_GT(implicit.events.at(0).count(), 3U);
  ASSERT_EQ(automatic.events.at(0).count(), implicit.events[0].count());
  const auto& times = implicit.events[0].columns.front().values;
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(automatic.events[0].columns.front().values[k], times[k], 1e-7);
}

// So they are in every piece between modes of friction: u comes to rest at t = 1/0.1.
TEST(Stiffness, IsFoundBeforeAndBehindARest) {
  const std::string model =
      "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"q\", \"s\"]\nfibre = [\"v\", \"u\", \"w\"]\n[dynamics]\n"
      "lagrangian = \"(v^2 + u^2 + w^2)/2 - x^2/2\"\nforces = { w = \"-1e6*(w - x)\" }\n[friction]\n"
      "floor = { on = \"u\", static = 0.1 }\n[initial]\nx = 1\nu = 1\n[simulation]\nt_end = 20\n";
  const auto automatic = simulate::simulate(parse_model(model));
  EXPECT_THAT(automatic.facts.notes, Contains(HasSubstr("radau-5 took steps")));
  EXPECT_LT(automatic.facts.steps, 60000U);
  const double c = 1e6;
  EXPECT_NEAR(automatic["w"].back(), (c * c * std::cos(20) + c * std::sin(20)) / (1 + c * c), 1e-8);
  EXPECT_NEAR(automatic["q"].back(), 5, 1e-9);
}

// The stretch q - p - 1 of the spring is known to 2e-16, and its force to 4e-6, which no step makes smaller: steps fell
// to 1e-10 and stayed there. Once the spring is at rest both bodies swing as one, by 2 p'' = -p.
TEST(Stiffness, OfASpringWhoseForceIsRoundedIsFollowed) {
  for (const std::string c : {"1e4", "1e5"}) {
    const auto made = simulate::simulate(
        parse_model("[algebroid]\nkind = \"tangent\"\nbase = [\"q\", \"p\"]\nfibre = [\"v\", \"u\"]\n[dynamics]\n"
                    "lagrangian = \"v^2/2 + u^2/2 - 1e10*(q - p - 1)^2/2 - p^2/2\"\nforces = { v = \"-" +
                    c + "*(v - u)\", u = \"-" + c +
                    "*(u - v)\" }\n[initial]\nq = 2\np = 1\n[simulation]\nt_end = 10\nmethod = \"radau-5\"\n"));
    EXPECT_TRUE(made.facts.complete) << made.facts.status;
    EXPECT_LT(made.facts.steps, 60000U);
    EXPECT_NEAR(made["p"].back(), std::cos(10 / std::sqrt(2.0)), 2e-8) << c;
    EXPECT_NEAR(made["u"].back(), -std::sin(10 / std::sqrt(2.0)) / std::sqrt(2.0), 2e-8) << c;
    EXPECT_THAT(made.facts.notes, Contains(HasSubstr("rounding of forces that nearly cancel"))) << c;
  }
}

/// x'' = -x moves q'' = -k q - 2 d sqrt(k) q' + x, which follows it as q = x/k.
analyse::Trajectory moved_spring(const std::string& damping, const std::string& simulation) {
  return simulate::simulate(parse_model(
      "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"q\"]\nfibre = [\"v\", \"w\"]\n[dynamics]\nlagrangian = \"(v^2 "
      "+ w^2)/2 - x^2/2\"\nforces = { w = \"-1e10*q - 2e5*" +
      damping + "*w + x\" }\n[initial]\nx = 1\n[simulation]\n" + simulation));
}

// A damped oscillation of frequency 1e5 holds explicit steps below 4e-5 long after it is gone.
TEST(Stiffness, OfADampedOscillationIsFound) {
  for (const std::string damping : {"0.05", "0.3", "0.7", "0.95"}) {
    const auto run = moved_spring(damping, "t_end = 50\n");
    EXPECT_THAT(run.facts.notes,
                Contains(AllOf(HasSubstr("radau-5 took steps"), HasSubstr("an oscillation of angular frequency"))))
        << damping;
    EXPECT_LT(run.facts.steps, 60000U) << damping;
    EXPECT_NEAR(run["x"].back(), std::cos(50), 1e-9);
    EXPECT_NEAR(run["q"].back() * 1e10, std::cos(50), 1e-4) << damping;
  }
}

// One without damping is part of the motion, and steps resolve it.
TEST(Stiffness, OfAnOscillationWithoutDampingIsNone) {
  for (const std::string damping : {"0", "0.002"}) {
    const auto automatic = moved_spring(damping, "t_end = 2\n");
    const auto reference = moved_spring(damping, "t_end = 2\nmethod = \"reference\"\n");
    EXPECT_EQ(automatic.facts.steps, reference.facts.steps) << damping;
    EXPECT_EQ(automatic["q"].back(), reference["q"].back()) << damping;
    EXPECT_THAT(reference.facts.notes, Not(Contains(HasSubstr("the steps follow")))) << damping;
  }
}

}  // namespace
}  // namespace herglotz::io
