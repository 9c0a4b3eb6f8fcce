// A box that falls on the floor: laws of momenta whose sections turn with it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {
namespace {

/// A box of mass 1 with the half sides a, b, c on the group se3, and its four lower corners as contacts.
std::string box(const std::string& potential, const std::string& initial) {
  const auto corner = [](const std::string& name, const std::string& a, const std::string& b) {
    const std::string u1 = "(v1 - w2*c - w3*(" + b + "))";
    const std::string u2 = "(v2 + w3*(" + a + ") + w1*c)";
    const std::string u3 = "(v3 + w1*(" + b + ") - w2*(" + a + "))";
    const auto along = [&](const std::string& e) {
      return e + "1*" + u1 + " + " + e + "2*" + u2 + " + " + e + "3*" + u3;
    };
    return name + " = { gap = \"h + n1*(" + a + ") + n2*(" + b +
           ") - n3*c\", restitution = 0.3, friction = 0.3, slip = [\"" + along("a") + "\", \"" + along("b") + "\"] }\n";
  };
  return R"box([model]
name = "box"
[algebroid]
kind = "lie-group"
group = "se3"
base = ["q0", "q1", "q2", "q3", "x", "y", "h"]
fibre = ["w1", "w2", "w3", "v1", "v2", "v3"]
[parameters]
a = 0.3
b = 0.2
c = 0.1
[definitions]
a1 = "q0^2 + q1^2 - q2^2 - q3^2"
a2 = "2*(q1*q2 - q0*q3)"
a3 = "2*(q1*q3 + q0*q2)"
b1 = "2*(q1*q2 + q0*q3)"
b2 = "q0^2 - q1^2 + q2^2 - q3^2"
b3 = "2*(q2*q3 - q0*q1)"
n1 = "2*(q1*q3 - q0*q2)"
n2 = "2*(q2*q3 + q0*q1)"
n3 = "q0^2 - q1^2 - q2^2 + q3^2"
[dynamics]
lagrangian = "(v1^2 + v2^2 + v3^2)/2 + ((b^2 + c^2)*w1^2 + (a^2 + c^2)*w2^2 + (a^2 + b^2)*w3^2)/6 - 9.81*h)box" +
         potential + R"box("
[symmetries]
along = ["0", "0", "0", "a1", "a2", "a3"]
across = ["0", "0", "0", "b1", "b2", "b3"]
[impacts]
)box" + corner("first", "a", "b") +
         corner("second", "-a", "b") + corner("third", "a", "-b") + corner("fourth", "-a", "-b") +
         "[initial]\nh = 0.2\n" + initial + "[simulation]\nmethod = \"moreau-2\"\nstep = 1e-3\nt_end = 0.4\n";
}

// Of a box that falls flat all horizontal momenta are 0, and the entry of their section along the vertical axis of the
// box is known to rounding only, beside the weight: what is left of the momenta is no violation.
TEST(FallingBox, HasNoMomentumAcrossItsFall) {
  for (const std::string slide : {"", "v1 = 0.5\n"}) {
    const auto made = simulate::simulate(parse_model(box("", slide)));
    ASSERT_TRUE(made.facts.complete) << made.facts.status;
    EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
    for (const auto& [name, residual] : made.facts.largest_momentum_residuals)
      EXPECT_LT(residual, 1e-9) << name << slide;
    EXPECT_LT(std::abs(made["momentum.across"].back()), 1e-14) << slide;
  }
}

// It comes to rest turning about a corner that sticks, and all others are found at rest at one time, however slow each
// of them is then.
TEST(FallingBox, ComesToRestByMethodsThatMeetEachImpact) {
  for (const auto& [method, start] :
       {std::pair{"contact-gauss-4", ""}, {"contact-gauss-4", "v1 = 0.5\n"}, {"reference", ""}}) {
    auto problem = parse_model(box("", start));
    problem.settings.method = method;
    problem.settings.step.reset();
    if (problem.settings.method != "reference") problem.settings.step = 5e-3;
    problem.settings.t_end = 0.6;
    const auto made = simulate::simulate(problem);
    ASSERT_TRUE(made.facts.complete) << method << made.facts.status;
    EXPECT_LT(made.facts.largest_energy_residual, 1e-9) << method;
    EXPECT_NEAR(made["h"].back(), 0.1, 1e-12) << method;
    double weight = 0;
    for (const std::string corner : {"first", "second", "third", "fourth"}) weight += made["contact." + corner].back();
    EXPECT_NEAR(weight, 9.81, 1e-9) << method;
    for (const std::string velocity : {"w1", "w2", "w3", "v1", "v2", "v3"})
      EXPECT_NEAR(made[velocity].back(), 0, 1e-14) << method << velocity;
  }
}

// Of a box that is tilted each corner slips as it comes down, and steps there begin without a guess from those before.
TEST(FallingBox, IsFollowedByDiscreteMechanicsFromCornerToCorner) {
  std::string text = box("", "q0 = \"cos(0.1)\"\nq1 = \"sin(0.1)\"\n");
  const std::string was = "restitution = 0.3, friction = 0.3";
  for (auto at = text.find(was); at != std::string::npos; at = text.find(was))
    text.replace(at, was.size(), "restitution = 0, friction = 0.5");
  auto problem = parse_model(text);
  problem.settings.method = "contact-dla-2";
  problem.settings.step = 2e-3;
  problem.settings.t_end = 1.0;
  const auto made = simulate::simulate(problem);
  ASSERT_TRUE(made.facts.complete) << made.facts.status;
  EXPECT_NEAR(made["energy"].back(), 0.981, 1e-9);
}

// It turns about a corner on its floor, whose slip becomes a billionth of the velocities of the others before it rests.
// Steps there are so short that the round-off of places over them is more than that slip.
TEST(FallingBox, TurnsToRestOnItsFloorByDiscreteMechanics) {
  std::string text = box("", "q0 = \"sqrt(1 - 3*0.04^2)\"\nq1 = 0.04\nq2 = -0.04\nq3 = -0.04\n");
  const std::string was = "restitution = 0.3, friction = 0.3";
  for (auto at = text.find(was); at != std::string::npos; at = text.find(was))
    text.replace(at, was.size(), "restitution = 0, friction = 0.5");
  auto problem = parse_model(text);
  problem.settings.method = "contact-dla-2";
  problem.settings.step = 2e-3;
  const auto made = simulate::simulate(problem);
  ASSERT_TRUE(made.facts.complete) << made.facts.status;
  EXPECT_LT(made.facts.largest_energy_residual, 1e-5);
  EXPECT_NEAR(made["energy"].back(), 0.981, 1e-9);
  EXPECT_NEAR(made["w3"].back(), 0, 1e-14);
}

// The correction by which steps obey the energy law moves momenta where L depends on the action, which shows.
TEST(FallingBox, HasLawsOfMomentumThatAreJudgedWhereItMoves) {
  const auto made =
      simulate::simulate(parse_model(box(" - 0.5*z", "v1 = 0.5\nq0 = \"cos(0.1)\"\nq1 = \"sin(0.1)\"\n")));
  ASSERT_TRUE(made.facts.complete) << made.facts.status;
  double largest = 0;
  for (const auto& [name, residual] : made.facts.largest_momentum_residuals) largest = std::max(largest, residual);
  EXPECT_GT(largest, 1e-7);
}

}  // namespace
}  // namespace herglotz::io
