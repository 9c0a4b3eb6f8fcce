// Frictions whose velocities depend on each other: together they hold what the sum of their forces allows.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "contact_runs.hpp"

namespace herglotz::io {
namespace {

/// A body on one line under a force.
std::string body_on_line(const std::string& force, const std::string& frictions, const std::string& how) {
  return R"([model]
name = "body"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2"
forces = { v = ")" +
         force + "\" }\n[friction]\n" + frictions + "[initial]\nx = 0\n[simulation]\nt_end = 2.0\n" + how;
}

constexpr const char* two_on_line =
    "one = { on = \"v\", static = 1.0, kinetic = 0.5 }\ntwo = { on = \"-2*v\", static = 0.4, kinetic = 0.15 }\n";

// The friction on -2 v acts with twice its force on v. Together they hold up to 1 + 2*0.4 = 1.8, and the body slips
// with 0.5 + 2*0.15 = 0.8 from t = 0.9.
TEST(SharedFriction, HoldsWhatTheSumOfTheForcesAllows) {
  for (const std::string how : {adaptive, fixed}) {
    const auto made = complete_run(body_on_line("2*t", two_on_line, how));
    for (std::size_t k = 0; k < made.rows(); ++k) {
      const double t = made["t"][k];
      const double slipping = std::max(t - 0.9, 0.0);
      EXPECT_NEAR(made["v"][k], slipping > 0 ? t * t - 0.81 - 0.8 * slipping : 0, 1e-12) << t;
      if (slipping > 0) continue;
      EXPECT_NEAR(made["friction.one"][k] - 2 * made["friction.two"][k], -2 * t, 1e-12) << t;
      EXPECT_LE(std::abs(made["friction.one"][k]), 1 + 1e-12) << t;
      EXPECT_LE(std::abs(made["friction.two"][k]), 0.4 + 1e-12) << t;
      EXPECT_EQ(made["mode.one"][k], 0) << t;
      EXPECT_EQ(made["mode.two"][k], 0) << t;
    }
  }
}

// Whatever the load does, two frictions on one velocity make the motion of one with the sum of their forces, also from
// a start that neither could hold alone, or that both cannot.
TEST(SharedFriction, MovesAsOneFrictionWithTheSumOfTheForces) {
  const std::string sum = "sum = { on = \"v\", static = 1.8, kinetic = 0.8 }\n";
  for (const std::string force : {"2.1*sin(9*t)", "1.7*cos(4*t)", "2.4*cos(7*t)", "-1.79 - 0.3*t + 5*t^2"})
    for (const std::string how : {adaptive, fixed}) {
      const auto shared = complete_run(body_on_line(force, two_on_line, how));
      const auto alone = complete_run(body_on_line(force, sum, how));
      ASSERT_EQ(shared.rows(), alone.rows());
      for (std::size_t k = 0; k < shared.rows(); ++k)
        EXPECT_NEAR(shared["v"][k], alone["v"][k], 1e-11) << force << " at " << shared["t"][k];
      EXPECT_NEAR(shared["work.one"].back() + shared["work.two"].back(), alone["work.sum"].back(), 1e-11);
    }
}

// Three frictions on two velocities. The load t on a body of mass 1 is held by 0.5 on the ground, and what is beyond
// that by at most 0.7 on the other body, which its own friction holds up to 0.6 against 0.2 t. At t = 1.2 the first
// body slips on both, and the other one stays at rest under 0.65 - 0.2 t.
TEST(SharedFriction, OnVelocitiesThatAreSumsOfOthers) {
  for (const std::string how : {adaptive, fixed}) {
    const auto made = complete_run(R"([model]
name = "bodies"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["v", "u"]
[dynamics]
lagrangian = "v^2/2 + u^2"
forces = { v = "t", u = "-0.2*t" }
[friction]
first = { on = "v", static = 0.5, kinetic = 0.4 }
second = { on = "u", static = 0.6 }
between = { on = "v - u", static = 0.7, kinetic = 0.65 }
[initial]
x = 0
[simulation]
t_end = 2.0
)" + how);
    for (std::size_t k = 0; k < made.rows(); ++k) {
      const double t = made["t"][k];
      EXPECT_NEAR(made["v"][k], t > 1.2 ? (t * t - 1.44) / 2 - 1.05 * (t - 1.2) : 0, 1e-11) << t;
      EXPECT_NEAR(made["u"][k], 0, 1e-12) << t;
      EXPECT_LE(std::abs(made["friction.second"][k]), 0.6 + 1e-12) << t;
    }
    EXPECT_NEAR(made["v"].back(), 0.44, 1e-11);
  }
}

}  // namespace
}  // namespace herglotz::io
