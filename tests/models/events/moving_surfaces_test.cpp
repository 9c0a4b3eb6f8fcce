// Impacts of bodies that moving surfaces and guides drive.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

// A bead on a rod x = y/2 + 0.3 sin(4 t) that is moved to and fro, over a floor. Along the rod 5/4 y'' = -g + 2.4
// sin(4t), and the impulse of the floor gives y' its opposite, half as large. That of the rod does work, which impacts
// may gain.
TEST(MovingGuide, GivesEnergyInAnImpact) {
  const auto made = simulate::simulate(parse_model(R"toml([algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 - 9.81*y"
[constraints]
rule = "nonholonomic"
equations = ["x - 0.5*y - 0.3*sin(4*t)"]
[impacts]
floor = { gap = "y", restitution = 0.5 }
[initial]
x = 0.5
y = 1.0
vx = 1.2
[simulation]
t_end = 3.0
tolerance = 1e-11
)toml"));
  EXPECT_TRUE(made.facts.complete) << made.facts.status;
  EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
  bool gains = false;
  int impacts = 0;
  for (std::size_t k = 1; k < made.rows(); ++k) {
    if (made["t"][k] != made["t"][k - 1] || std::abs(made["vy"][k - 1]) < 1e-3) continue;
    ++impacts;
    EXPECT_NEAR(made["vy"][k], -0.5 * made["vy"][k - 1], 1e-12) << made["t"][k];
    gains = gains || made["energy"][k] > made["energy"][k - 1];
    // x' follows y', and the energy that goes is that of the impulses along the floor and the rod.
    const double vx = made["vy"][k] / 2 + 1.2 * std::cos(4 * made["t"][k]);
    EXPECT_NEAR(made["vx"][k], vx, 1e-12);
    EXPECT_NEAR(made["loss.floor"][k] - made["loss.floor"][k - 1], made["energy"][k - 1] - made["energy"][k], 1e-12);
  }
  EXPECT_GT(impacts, 8);
  EXPECT_TRUE(gains);
  // The first fall from 1 takes y = 1 - g t^2/2.5 + 1.92 (t/4 - sin(4t)/16).
  const auto& floor = made.events[0].columns;
  const double first = floor.front().values.front();
  EXPECT_NEAR(1 - 9.81 * first * first / 2.5 + 1.92 * (first / 4 - std::sin(4 * first) / 16), 0, 1e-10);
  EXPECT_NEAR(made["y"].back(), 0, 1e-14);
  EXPECT_NEAR(made["x"].back(), 0.3 * std::sin(12.0), 1e-12);
}

/// A rod of mass 1 and half length 1 at 45 degrees that comes down on a floor which rises at the speed u, and slips.
std::string rod_over_rising_floor(double u) {
  return "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\", \"a\"]\nfibre = [\"vx\", \"vy\", \"w\"]\n"
         "[parameters]\nu = " +
         std::to_string(u) +
         "\n[dynamics]\nlagrangian = \"(vx^2 + vy^2)/2 + w^2/6\"\n"
         "[impacts]\nfloor = { gap = \"y - sin(a) - u*t\", restitution = 1, friction = 0.8, slip = \"vx + sin(a)*w\" "
         "}\n"
         "[initial]\na = \"pi/4\"\ny = \"sin(pi/4) + 0.1\"\nvx = 0.1\nvy = \"u - 1\"\n"
         "[simulation]\ntolerance = 1e-12\nt_end = 1.0\n";
}

// Along the gap and the slip the inertia is A = [5/2, -3/2; -3/2, 5/2], and the impulses A^-1 (2, -0.1) = (1.2125,
// 0.6875) stop the slip of 0.1 and turn the gap's rate of -1 round: they give the energy 0.6875 * 0.1/2, whatever moves
// the floor.
TEST(MovingFloor, DoesNotHideEnergyThatFrictionWouldGive) {
  for (const double u : {0.0, 0.25, -0.5}) {
    std::string problem = "none";
    try {
      simulate::simulate(parse_model(rod_over_rising_floor(u)));
    } catch (const Error& error) {
      problem = error.problem();
    }
    EXPECT_THAT(problem, HasSubstr("the impact 'floor' at t = 0.1: it would gain the energy 0.0344")) << u;
  }
}

}  // namespace
}  // namespace herglotz::io
