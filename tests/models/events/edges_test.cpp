// Bodies that come over edges of surfaces and of potentials.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "contact_runs.hpp"

namespace herglotz::io {
namespace {

constexpr const char* methods[] = {"tolerance = 1e-11\n", "method = \"radau-5\"\ntolerance = 1e-11\n",
                                   "method = \"contact-gauss-4\"\nstep = 5e-3\n"};

/// A particle on a surface, of restitution 0.4, until a time.
analyse::Trajectory particle(const std::string& gap, const std::string& initial, const std::string& simulation,
                             double residual = 1e-11) {
  return complete_run(
      "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\"]\nfibre = [\"vx\", \"vy\"]\n[dynamics]\n"
      "lagrangian = \"(vx^2 + vy^2)/2 - 9.81*y\"\n[impacts]\nboard = { gap = \"" +
          gap + "\", restitution = 0.4 }\n[initial]\n" + initial + "[simulation]\n" + simulation,
      residual);
}

/// Acceleration along x on a slope of 1/2.
constexpr double along = g * 0.5 / 1.25;

// Runs ended at the edge, where velocities "would change by 2.28".
TEST(Edges, OfARoofLetFly) {
  for (const std::string method : methods) {
    const auto made = particle("y + 0.5*abs(x)", "x = -1\ny = -0.5\nvx = 4\nvy = 2\n", "t_end = 0.7\n" + method);
    const double vx = std::sqrt(16 - 2 * along);
    const double t = 0.7 - (4 - vx) / along;
    EXPECT_NEAR(made["vx"].back(), vx, 1e-9) << method;
    EXPECT_NEAR(made["x"].back(), vx * t, 1e-9) << method;
    EXPECT_NEAR(made["y"].back(), vx / 2 * t - g * t * t / 2, 1e-9) << method;
  }
}

// The surface behind has the normal n = (-1/2, 1), and the velocity (1, -1/2) u meets it at the rate -u.
TEST(Edges, OfAValleyAreHit) {
  for (const std::string method : methods) {
    const auto made = particle("y - 0.5*abs(x)", "x = -1\ny = 0.5\nvx = 4\nvy = -2\n", "t_end = 0.6\n" + method);
    const double u = std::sqrt(16 + 2 * along);
    const double t = 0.6 - (u - 4) / along;
    const double impulse = 1.4 * u / 1.25;
    EXPECT_NEAR(made["vx"].back(), u - impulse / 2, 1e-9) << method;
    EXPECT_NEAR(made["vy"].back(), -u / 2 + impulse - g * t, 1e-9) << method;
    EXPECT_NEAR(made["y"].back(), (impulse - u / 2) * t - g * t * t / 2, 1e-9) << method;
    EXPECT_NEAR(made["loss.board"].back(), 0.84 * u * u / 1.25 / 2, 1e-9) << method;
    ASSERT_EQ(made.events.at(0).count(), 1U) << method;
  }
}

// moreau-2 pushes in the direction of the middle of its step, which with friction gives energy in a valley: a note
// says so.
TEST(Edges, WhoseStepGivesEnergyAreNoted) {
  const std::string model =
      "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\"]\nfibre = [\"vx\", \"vy\"]\n[dynamics]\nlagrangian = "
      "\"(vx^2 + vy^2)/2 - 9.81*y\"\n[impacts]\nboard = { gap = \"y - 0.5*abs(x)\", restitution = 0, friction = 0.2, "
      "slip = \"vx\" }\n[initial]\nx = -1\ny = 0.5\nvx = 4\nvy = -2\n[simulation]\nmethod = \"moreau-2\"\nstep = "
      "1e-3\nt_end = ";
  const auto raised = ::testing::Contains(::testing::HasSubstr("contacts raise the energy by"));
  EXPECT_THAT(run(model + "0.2\n").facts.notes, ::testing::Not(raised));
  const auto made = run(model + "0.3\n");
  EXPECT_THAT(made.facts.notes, raised);
  EXPECT_LT(made["loss.board"].back(), -10);
}

// Valleys at all whole numbers and ridges between: at x = -1/2 the floor in the gap jumps, and with it the sign of what
// the absolute value takes. The place jumped to x = -0.3.
TEST(Edges, OfAWashboardAreThoseOfItsPieces) {
  for (const std::string method : methods) {
    const auto made = particle("y + 0.5*abs(x - floor(x + 0.5))", "x = -0.9\ny = -0.05\nvx = 4\nvy = -2\n",
                               "t_end = 0.12\n" + method);
    // Down to x = -1/2, where the surface goes up again.
    const double u = std::sqrt(16 + 2 * along * 0.4);
    const double t = 0.12 - (u - 4) / along;
    const double impulse = 1.4 * u / 1.25;
    EXPECT_NEAR(made["x"].back(), -0.5 + (u - impulse / 2) * t, 1e-9) << method;
    EXPECT_NEAR(made["y"].back(), -0.25 + (impulse - u / 2) * t - g * t * t / 2, 1e-9) << method;
  }
}

// A potential 3 |q - n| about the nearest whole number n: v falls and grows by 3 t, and half a cell takes the time
// (sqrt(9.6) - sqrt(6.6))/3. Runs ended where "the energy jumps by -3".
TEST(Edges, OfAPotentialOfTeethAreNoJumps) {
  for (const std::string method : methods) {
    const auto made = complete_run(
        "[algebroid]\nkind = \"tangent\"\nbase = [\"q\"]\nfibre = [\"v\"]\n[dynamics]\nlagrangian = \"v^2/2 - 3*abs(q "
        "- "
        "floor(q + 0.5))\"\n[initial]\nq = 0.1\nv = 3\n[simulation]\nt_end = 3\n" +
        method);
    const double slow = std::sqrt(6.6);
    const double fast = std::sqrt(9.6);
    const double rest = 3 - (3 - slow) / 3 - 16 * (fast - slow) / 3;
    EXPECT_NEAR(made["v"].back(), slow + 3 * rest, 1e-9) << method;
    EXPECT_NEAR(made["q"].back(), 8.5 + slow * rest + 1.5 * rest * rest, 1e-9) << method;
  }
}

}  // namespace
}  // namespace herglotz::io
