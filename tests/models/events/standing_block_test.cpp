// A block that stands on two corners: its contacts and frictions depend on each other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "contact_runs.hpp"

namespace herglotz::io {
namespace {

/// A block of mass 1 and the half sides `b` and 0.2 on two corners, and a ball of mass 0.5 on the line y = 0.2.
std::string block_on_corners(const std::string& corners, const std::string& more) {
  const auto corner = [&](const std::string& name, const std::string& sign) {
    return name + " = { gap = \"y " + sign + " b*sin(a) - 0.2*cos(a)\", restitution = 0" + corners +
           (corners.empty()
                ? ""
                : ", slip = \"vx + (0.2*cos(a) " + std::string(sign == "+" ? "-" : "+") + " b*sin(a))*w\"") +
           " }\n";
  };
  return R"([model]
name = "block"
[algebroid]
kind = "tangent"
base = ["x", "y", "a", "s"]
fibre = ["vx", "vy", "w", "vs"]
[parameters]
g = 9.81
b = 0.5
mu = 0.3
pull = 2.0
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 + (b^2 + 0.04)/6*w^2 - g*y + vs^2/4"
)" + more +
         "[impacts]\n" + corner("left", "-") + corner("right", "+") +
         R"(ball = { gap = "(x - s)*cos(a) + (y - 0.2)*sin(a) - b", restitution = 0.5, friction = 0.4, slip = "vy - b*cos(a)*w" }
)";
}

// The slips of both corners are one velocity, whose friction is not determined corner by corner. At t = 0.694 one of
// them has all that its own normal force allows, and the other one takes the rest. Together they hold the load F' t up
// to mu m g, at t = 1.4715.
TEST(StandingBlock, IsHeldByBothCornersTogether) {
  const double slips = 0.3 * g / 2;
  for (const std::string how : {"tolerance = 1e-12\n", "method = \"contact-gauss-4\"\nstep = 5e-3\n"}) {
    const auto made = complete_run(block_on_corners(", friction = \"mu\"", "forces = { vx = \"pull*t\" }\n") +
                                   "[initial]\ny = 0.2\ns = -9.0\n[simulation]\nt_end = 2.0\n" + how);
    for (std::size_t k = 0; k < made.rows(); ++k) {
      const double t = made["t"][k];
      EXPECT_NEAR(made["vx"][k], t > slips ? t * t - slips * slips - 0.3 * g * (t - slips) : 0, 1e-11) << t;
      EXPECT_NEAR(made["a"][k], 0, 1e-12) << t;
      for (const std::string corner : {"left", "right"})
        EXPECT_LE(std::abs(made["friction." + corner][k]), 0.3 * made["contact." + corner][k] + 1e-9) << corner << t;
      if (t > 0) {
        EXPECT_NEAR(made["friction.left"][k] + made["friction.right"][k], -std::min(2 * t, 0.3 * g), 1e-9) << t;
      }
    }
  }
}

// As one body with the friction mu m g, also where the load turns round.
TEST(StandingBlock, SlidesToAndFroAsOneFrictionWouldLetIt) {
  const std::string load = "5*cos(4*t)";
  const std::string how = "[simulation]\ntolerance = 1e-12\nt_end = 3.0\n";
  const auto made = complete_run(block_on_corners(", friction = \"mu\"", "forces = { vx = \"" + load + "\" }\n") +
                                 "[initial]\ny = 0.2\ns = -9.0\n" + how);
  const auto body = complete_run(
      "[model]\nname = \"body\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = [\"v\"]\n"
      "[dynamics]\nlagrangian = \"v^2/2\"\nforces = { v = \"" +
      load + "\" }\n[friction]\nground = { on = \"v\", static = \"0.3*9.81\" }\n[initial]\nx = 0\n" + how);
  ASSERT_EQ(made.rows(), body.rows());
  for (std::size_t k = 0; k < made.rows(); ++k) EXPECT_NEAR(made["vx"][k], body["v"][k], 1e-10) << made["t"][k];
  EXPECT_NEAR(made["work.left"].back() + made["work.right"].back(), body["work.ground"].back(), 1e-10);
}

// The corners hold the velocity of the side upwards at 0, so that friction there has no slip to stop, and Newton's law
// gives vx = (1 + e) M u/(M + m) for the ball of mass M.
TEST(StandingBlock, IsStruckAtItsSideWithFriction) {
  const auto made =
      complete_run(block_on_corners("", "") +
                   "[initial]\ny = 0.2\ns = -1.5\nvs = 2.0\n[simulation]\ntolerance = 1e-12\nt_end = 1.0\n");
  EXPECT_NEAR(made["vx"].back(), 1.5 * 0.5 * 2 / 1.5, 1e-12);
  EXPECT_NEAR(made["vs"].back(), 2 - 1.5 * 2 / 1.5, 1e-12);
  EXPECT_NEAR(made["w"].back(), 0, 1e-12);
  EXPECT_NEAR(made["work.ball"].back(), 0, 1e-15);
}

/// A rod of moment of inertia 1/3 on a hinge at height 0.5 that hits the floor with its end at the angle 60 degrees
/// from the vertical.
std::string hinged_rod(double restitution) {
  return "[model]\nname = \"rod\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"a\"]\nfibre = [\"w\"]\n"
         "[dynamics]\nlagrangian = \"w^2/6\"\n"
         "[impacts]\nfloor = { gap = \"0.5 - cos(a)\", friction = 0.2, slip = \"cos(a)*w\", restitution = " +
         std::to_string(restitution) +
         " }\n[initial]\na = 1.4\nw = -1.0\n[simulation]\ntolerance = 1e-12\nt_end = 1.0\n";
}

// The hinge leaves one velocity, so that the rate of the gap, sin(a) w, gives the slip cos(a) w behind the impact. The
// impulse J and the friction -mu J against that slip give w+ = -e w- with W (w+ - w-) = J (sin(a) - mu cos(a)).
TEST(HingedRod, HitsTheFloorWithFriction) {
  const double pi = std::numbers::pi;
  const auto bounced = complete_run(hinged_rod(0.5));
  EXPECT_NEAR(bounced["w"].back(), 0.5, 1e-12);
  const double J = (0.5 + 1) / 3 / (std::sin(pi / 3) - 0.2 * std::cos(pi / 3));
  EXPECT_NEAR(bounced["work.floor"].back(), -0.2 * J * std::cos(pi / 3) * (0.5 - 1) / 2, 1e-12);
  EXPECT_NEAR(bounced["loss.floor"].back() - bounced["work.floor"].back(), (1 - 0.25) / 6, 1e-12);
}

// A beam on three corners in line: the third gap follows from the other two, though friction gives each contact force a
// direction of its own. It is held up to mu m g, at t0 = mu g/4, and slides with v = 2 (t^2 - t0^2) - mu g (t - t0).
TEST(StandingBlock, OnThreeCornersInLineSlidesWithTheFrictionOfItsWeight) {
  const double mu = 0.3;
  const double t0 = mu * g / 4;
  for (const std::string how : {"tolerance = 1e-12\n", "method = \"contact-gauss-4\"\nstep = 1e-2\n"}) {
    const auto made = complete_run(R"([algebroid]
kind = "tangent"
base = ["x", "y", "a"]
fibre = ["vx", "vy", "w"]
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 + w^2/12 - 9.81*y"
forces = { vx = "4*t" }
[impacts]
left = { gap = "-sin(a) + y", restitution = 0, friction = 0.3, slip = "vx + sin(a)*w" }
middle = { gap = "y", restitution = 0, friction = 0.3, slip = "vx" }
right = { gap = "sin(a) + y", restitution = 0, friction = 0.3, slip = "vx - sin(a)*w" }
[initial]
x = 0
[simulation]
t_end = 2.0
)" + how);
    for (std::size_t k = 0; k < made.rows(); ++k) {
      const double t = made["t"][k];
      EXPECT_NEAR(made["vx"][k], t > t0 ? 2 * (t * t - t0 * t0) - mu * g * (t - t0) : 0, 1e-9) << t;
      EXPECT_NEAR(made["contact.left"][k] + made["contact.middle"][k] + made["contact.right"][k], g, 1e-11) << t;
      EXPECT_NEAR(made["contact.left"][k], made["contact.right"][k], 1e-11) << t;
    }
  }
}

// It may slide from the start: the third contact opens no more than the others, so that its friction is no paradox. It
// slows down by mu g, and a note names the contact whose force is chosen.
TEST(StandingBlock, OnThreeCornersInLineMayStartSliding) {
  const double mu = 0.3;
  const auto made = complete_run(R"([algebroid]
kind = "tangent"
base = ["x", "y", "a"]
fibre = ["vx", "vy", "w"]
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 + w^2/12 - 9.81*y"
[impacts]
left = { gap = "-sin(a) + y", restitution = 0, friction = 0.3, slip = "vx" }
middle = { gap = "y", restitution = 0, friction = 0.3, slip = "vx" }
right = { gap = "sin(a) + y", restitution = 0, friction = 0.3, slip = "vx" }
[initial]
vx = 1.0
[simulation]
t_end = 1.0
tolerance = 1e-12
)");
  EXPECT_NEAR(made["x"].back(), 1 / (2 * mu * g), 1e-10);
  EXPECT_NEAR(made["vx"].back(), 0, 1e-12);
  const auto& notes = made.facts.notes;
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const auto& note) {
    return note.find("the gap of 'right' follows from those of other closed contacts") != std::string::npos;
  }));
}

}  // namespace
}  // namespace herglotz::io
