// Friction of [impacts]: in the impact itself, and in the rest contact behind it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "contact_runs.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/simulate/members.hpp"
#include "io/error_of.hpp"

namespace herglotz::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double mu = 0.3;

/// A particle or disc above the floor q = 0 that moves along x and turns with w. Its mass is 1 and its moment 1/2.
std::string disc(const std::string& impact, const std::string& initial, const std::string& more = "t_end = 2.0\n") {
  return R"([model]
name = "disc"
[algebroid]
kind = "tangent"
base = ["x", "q", "a"]
fibre = ["u", "v", "w"]
[parameters]
g = 9.81
pull = 0
mu = 0.3
[dynamics]
lagrangian = "(u^2 + v^2)/2 + w^2/4 - g*q + pull*x"
[impacts]
floor = { )" +
         impact + " }\n[initial]\n" + initial + "[simulation]\ntolerance = 1e-12\n" + more;
}

const std::string block_on_floor = R"(gap = "q", restitution = 0, friction = "mu", slip = "u")";
const std::string wheel_on_floor = R"(gap = "q", restitution = 0, friction = "mu", slip = "u - w")";

// A rod of mass and length 1 falls on its tip at an angle a without spin. With c = cos a, s = sin a and the stopping
// impulse of friction along the slip, Newton's and Coulomb's laws are
//   J_n (1 + 3 s^2 - 3 mu s c) = (1 + e),   slip+ = slip- + 3 s c J_n - mu (1 + 3 c^2) J_n,
// where the slip turns round in the impact: friction acts against the slip behind it, and takes energy.
TEST(ContactFriction, ActsAgainstTheSlipThatAnImpactTurnsRound) {
  constexpr double e = 0.9;
  constexpr double rough = 0.05;
  const auto made = run(R"([model]
name = "rod"
[algebroid]
kind = "tangent"
base = ["x", "y", "a"]
fibre = ["vx", "vy", "w"]
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 + w^2/24"
[impacts]
tip = { gap = "y - cos(a)/2", restitution = 0.9, friction = 0.05, slip = "vx + cos(a)*w/2" }
[initial]
a = 0.6
y = "cos(0.6)/2 + 0.01"
vx = -0.1
vy = -1
[simulation]
tolerance = 1e-12
t_end = 0.0101
)");
  const double c = std::cos(0.6);
  const double s = std::sin(0.6);
  const double J = (1 + e) / (1 + 3 * s * s - 3 * rough * s * c);
  const double slip = -0.1 + 3 * s * c * J - rough * (1 + 3 * c * c) * J;
  ASSERT_GT(slip, 0) << "it turns round";
  EXPECT_NEAR(made["vx"].back(), -0.1 - rough * J, 1e-11);
  EXPECT_NEAR(made["vy"].back(), -1 + J, 1e-11);
  EXPECT_NEAR(made["work.tip"].back(), -rough * J * (slip - 0.1) / 2, 1e-11);
  EXPECT_LT(made["work.tip"].back(), 0);
  EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
}

TEST(ContactFriction, ABlockOnTheFloorSlidesToRestAtItsTimeAndPlace) {
  const auto made =
      run(disc(block_on_floor, "u = 1.0\n", "t_end = 2.0\ncolumns = [\"power.floor\", \"power.constraint\"]\n"));
  const double time = 1 / (mu * g);
  EXPECT_NEAR(made["x"].back(), time / 2, 1e-13);
  EXPECT_NEAR(made["u"].back(), 0, 1e-15);
  for (std::size_t k = 0; k < made.rows(); ++k) {
    const double expected = made["t"][k] < time ? -mu * g : 0;
    EXPECT_NEAR(made["friction.floor"][k], expected, 1e-12);
    EXPECT_NEAR(made["contact.floor"][k], g, 1e-12);
    EXPECT_NEAR(made["power.floor"][k], expected * made["u"][k], 1e-12);
    EXPECT_NEAR(made["power.constraint"][k], 0, 1e-12);
  }
  EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
}

// Its modes are parameters between switches, so that its equations have Taylor polynomials.
TEST(ContactFriction, IsFollowedByTaylorPolynomials) {
  const auto made = run(disc(block_on_floor, "u = 1.0\n", "method = \"taylor\"\nt_end = 2.0\n"));
  EXPECT_TRUE(made.facts.complete) << made.facts.status;
  EXPECT_NEAR(made["x"].back(), 1 / (2 * mu * g), 1e-13);
  EXPECT_NEAR(made["u"].back(), 0, 1e-15);
}

TEST(ContactFriction, HoldsABlockThatIsPulledUpToItsLimit) {
  const auto pulled = [](double pull) {
    auto problem = parse_model(disc(block_on_floor, ""));
    apply_setting(problem, "pull=" + std::to_string(pull));
    return simulate::simulate(problem);
  };
  const auto held = pulled(2.5);
  EXPECT_EQ(held["x"].back(), 0);
  EXPECT_NEAR(held["friction.floor"].back(), -2.5, 1e-13);
  const auto slides = pulled(3.5);
  EXPECT_NEAR(slides["x"].back(), (3.5 - mu * g) * 2, 1e-11);
}

TEST(ContactFriction, AWheelThatSlipsBeginsToRoll) {
  const auto made = run(disc(wheel_on_floor, "u = 1.0\n"));
  const double time = 1 / (3 * mu * g);
  EXPECT_NEAR(made["u"].back(), 2.0 / 3, 1e-13);
  EXPECT_NEAR(made["w"].back(), 2.0 / 3, 1e-13);
  EXPECT_NEAR(made["x"].back(), time * (1 + 2.0 / 3) / 2 + (2 - time) * 2 / 3, 1e-12);
  EXPECT_NEAR(made["friction.floor"].back(), 0, 1e-12);
  EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
  EXPECT_THAT(made.facts.notes,
              testing::Contains(HasSubstr("the friction on 'u - w' sticks 1 time, first from t = 0.11326")));
}

TEST(ContactFriction, GoesOnWhereImpactsAccumulate) {
  // The normal impulses of all bounces, and then the contact, carry the weight: u falls by mu g t on the whole.
  const std::string bouncing = R"(gap = "q", restitution = 0.5, friction = "mu", slip = "u")";
  const auto made = run(disc(bouncing, "q = 0.1\nu = 4.0\n"));
  const double rest = 4 / (mu * g);
  EXPECT_GT(rest, std::sqrt(0.2 / g) * 3) << "the impacts have accumulated before the block is at rest";
  for (std::size_t k = 0; k < made.rows(); ++k) {
    const double t = made["t"][k];
    if (t > 0.5) {
      EXPECT_NEAR(made["u"][k], t < rest ? 4 - mu * g * t : 0, 1e-9) << t;
    }
  }
  EXPECT_LT(made["work.floor"].back(), -0.1);
}

TEST(ContactFriction, FixedStepsKeepTheirOrderBetweenItsEvents) {
  // With drag the block slides to rest at log(1 + 1/(2 mu g))/(1/2).
  auto problem = parse_model(disc(block_on_floor, "u = 1.0\n", "t_end = 1.0\n"));
  problem.system.generator = problem.system.generator - 0.5 * problem.system.z;
  problem.settings.tolerance.reset();
  problem.settings.method = "contact-gauss-4";
  problem.settings.step = 0.05;
  const auto made = simulate::simulate(problem);
  const double time = 2 * std::log(1 + 1 / (2 * mu * g));
  EXPECT_NEAR(made["x"].back(), 2 * (1 - mu * g * time), 1e-8);
  EXPECT_LT(made.facts.largest_energy_residual, 1e-7);
}

/// A ball of radius 1 and mass 1 with the moment 2/5 that falls onto the floor.
std::string ball_in_space(const std::string& slip, const std::string& initial) {
  return R"([model]
name = "ball"
[algebroid]
kind = "tangent"
base = ["x", "y", "q", "a", "b"]
fibre = ["u", "s", "v", "wx", "wy"]
[dynamics]
lagrangian = "(u^2 + s^2 + v^2)/2 + (wx^2 + wy^2)/5 - 9.81*q"
[impacts]
floor = { gap = "q", restitution = 0.5, friction = 0.3, slip = )" +
         slip + " }\n[initial]\n" + initial + "[simulation]\ntolerance = 1e-12\nt_end = 0.3\n";
}

/// A ball without spin that falls for 0.2 with these velocities along the floor.
std::string falling(double u, double s) {
  return "q = 0.1962\nu = " + std::to_string(u) + "\ns = " + std::to_string(s) + "\n";
}

TEST(ContactFriction, OfAnImpactInSpaceIsInItsCone) {
  const double impulse = 1.5 * 9.81 * 0.2;
  // A particle slips on, with the impulse against its slip.
  const auto slips = run(ball_in_space(R"(["u", "s"])", falling(3, 4)));
  EXPECT_NEAR(slips["u"].back(), 3 - mu * impulse * 3 / 5, 1e-11);
  EXPECT_NEAR(slips["s"].back(), 4 - mu * impulse * 4 / 5, 1e-11);
  // The impulse that stops it is within the cone.
  const auto stops = run(ball_in_space(R"(["u", "s"])", falling(0.3, 0.4)));
  EXPECT_NEAR(stops["u"].back(), 0, 1e-14);
  EXPECT_NEAR(stops["s"].back(), 0, 1e-14);
  EXPECT_NEAR(stops["work.floor"].back(), -0.125, 1e-12);
  // A ball that begins to roll keeps 5/7 of its velocity; the impulse is 2/7 of it.
  const auto rolls = run(ball_in_space(R"(["u - wy", "s + wx"])", falling(0.6, 0.8)));
  EXPECT_NEAR(rolls["u"].back(), 0.6 * 5 / 7, 1e-12);
  EXPECT_NEAR(rolls["s"].back(), 0.8 * 5 / 7, 1e-12);
  EXPECT_NEAR(rolls["wy"].back(), 0.6 * 5 / 7, 1e-12);
  EXPECT_NEAR(rolls["wx"].back(), -0.8 * 5 / 7, 1e-12);
  EXPECT_NEAR(rolls["work.floor"].back(), -1.0 / 7, 1e-12);
}

/// Returns the gallery's coin, which falls on its edge, a moment after its first impact at t = 0.0902.
analyse::Trajectory fallen_coin(const std::string& method, double step) {
  auto problem = parse_model(gallery_text("bouncing-coin"), "bouncing-coin");
  problem.settings.method = method;
  problem.settings.t_end = 0.0904;
  problem.settings.step.reset();
  problem.settings.tolerance.reset();
  if (step > 0) problem.settings.step = step;
  if (step == 0) problem.settings.tolerance = 1e-12;
  return simulate::simulate(problem);
}

// An impulse at the rim turns the coin, so that the slip behind the impact has another direction than that before it.
TEST(ContactFriction, OfAnImpactInSpaceActsAgainstTheSlipBehindIt) {
  const auto located = fallen_coin("reference", 0);
  ASSERT_EQ(located.events[0].columns[0].values.size(), 1U);
  const auto stepped = fallen_coin("moreau-2", 1e-6);
  for (const char* name : {"w1", "w2", "w3", "v1", "v2", "v3"})
    EXPECT_NEAR(located[name].back(), stepped[name].back(), 5e-3) << name;
  EXPECT_LT(located["work.rim"].back(), 0);
  EXPECT_LT(located.facts.largest_energy_residual, 1e-12);
  EXPECT_GT(std::abs(located["w3"].back() - located["w3"].front()), 0.3) << "friction turns it about its axis";
}

// Impacts accumulate at t = 0.30044, where the coin slides on for 4e-6 before it rolls. The slip is slow there beside
// the round-off of places over the steps that it takes.
TEST(ContactFriction, BeginsToRollByDiscreteMechanicsAsByOtherMethods) {
  const auto rolling = [](const std::string& method) {
    auto problem = parse_model(gallery_text("bouncing-coin"), "bouncing-coin");
    problem.settings.method = method;
    problem.settings.t_end = 0.315;
    problem.settings.step = 2e-4;
    return simulate::simulate(problem);
  };
  const auto made = rolling("contact-dla-2");
  ASSERT_TRUE(made.facts.complete) << made.facts.status;
  EXPECT_LT(made.facts.largest_energy_residual, 1e-5);
  const auto other = rolling("contact-gauss-4");
  for (const char* name : {"w1", "w2", "w3"}) EXPECT_NEAR(made[name].back(), other[name].back(), 0.1) << name;
  EXPECT_NEAR(made["friction.rim"].back() / made["contact.rim"].back(),
              other["friction.rim"].back() / other["contact.rim"].back(), 1e-3);
}

// A load that turns as it grows lets the body go at t = 0.1, hardly faster than friction brakes it. reference has these
// numbers at tolerance 1e-12.
TEST(ContactFriction, LetsABodyGoWhereItsLoadTurns) {
  for (const std::string method : {"contact-dla-2", "contact-gauss-2"}) {
    const auto made = run(R"toml([algebroid]
kind = "tangent"
base = ["x", "y", "h"]
fibre = ["vx", "vy", "vh"]
[dynamics]
lagrangian = "(vx^2 + vy^2 + vh^2)/2 - h"
forces = { vx = "(0.39 + 0.1*t)*cos(5*t)", vy = "(0.39 + 0.1*t)*sin(5*t)" }
[impacts]
floor = { gap = "h - 0.1*x^2", restitution = 0, friction = 0.4, slip = ["vx", "vy"] }
[initial]
h = 0
[simulation]
step = 2e-3
t_end = 0.5
method = ")toml" + method +
                          "\"\n");
    ASSERT_TRUE(made.facts.complete) << method << made.facts.status;
    EXPECT_NEAR(made["vx"].back(), -0.00589392748, 5e-6) << method;
    EXPECT_NEAR(made["vy"].back(), 0.00521666112, 5e-6) << method;
  }
}

// The gap holds x1 by its own gradient, whose direction is not that of a force with friction in it: Newton's method
// converges quadratically.
TEST(ContactFriction, SlidesThroughABowlByFewIterationsOfDiscreteMechanics) {
  const auto made = run(R"([algebroid]
kind = "tangent"
base = ["x", "h"]
fibre = ["vx", "vh"]
[dynamics]
lagrangian = "(vx^2 + vh^2)/2 - 9.81*h"
[impacts]
bowl = { gap = "h - x^2/2", restitution = 0, friction = 0.4, slip = "vx" }
[initial]
x = 1.0
h = 0.5
vx = -5.0
vh = -5.0
[simulation]
method = "contact-dla-2"
step = 1e-2
t_end = 0.3
)");
  ASSERT_TRUE(made.facts.complete) << made.facts.status;
  EXPECT_LT(made["work.bowl"].back(), -20);
  EXPECT_LT(made.facts.newton_iterations, 13 * made.facts.steps);
}

/// A body on a line with these tables.
std::string body_with(const std::string& lagrangian, const std::string& tables, const std::string& simulation) {
  return "[model]\nname = \"body\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"q\"]\nfibre = "
         "[\"v\"]\n[dynamics]\nlagrangian = \"" +
         lagrangian + "\"\n" + tables + "[simulation]\n" + simulation;
}

// A pawl that falls behind a tooth is a gap that jumps over 0, which stopped the wheel as an impact.
TEST(Jumps, OfGapsAreNoImpacts) {
  const auto error_of = [](const std::string& gap) {
    return error_of_run(body_with("v^2/2",
                                  "forces = { v = \"cos(t)\" }\n[impacts]\npawl = { gap = \"" + gap +
                                      "\", restitution = 0 }\n[initial]\nq = 0.2\n",
                                  "t_end = 6.0\n"));
  };
  const std::string refused = error_of("q - 0.5*floor(q/0.5)");
  EXPECT_THAT(refused, ::testing::HasSubstr("its gap jumps by -1/2 at every step of floor"));
  EXPECT_THAT(refused, ::testing::HasSubstr("give each tooth or step a contact of its own"));
  const std::string ended = error_of("q - 0.5*floor((q + 0.01)/0.5) + 0*floor(q - 9)*t + 0.1*floor(q/9)");
  EXPECT_THAT(ended, ::testing::HasSubstr("the gap of 'pawl' jumps to -0.01 at t = 0.7812981"));
  // A washboard is continuous, though floor in it is not.
  EXPECT_EQ(error_of("q + 1 - 0.1*abs(q - floor(q + 0.5))"), "no error");
}

TEST(Jumps, AndFrictionGoTogether) {
  // The body slides to a wall at q = 1, comes back with half of its velocity, and to rest.
  for (const char* how : {"tolerance = 1e-12\n", "method = \"contact-gauss-4\"\nstep = 0.1\n"}) {
    const auto made =
        run(body_with("v^2/2",
                      "[friction]\nfloor = { on = \"v\", static = 0.4, kinetic = 0.3 }\n[impacts]\nwall = { gap = "
                      "\"1 - q\", restitution = 0.5 }\n[initial]\nv = 1.0\n",
                      how + std::string("t_end = 4.0\n")));
    const double speed = std::sqrt(1 - 0.6);
    EXPECT_NEAR(made["q"].back(), 1 - speed * speed / 4 / 0.6, 1e-11) << how;
    EXPECT_NEAR(made["v"].back(), 0, 1e-14);
    EXPECT_EQ(made["mode.floor"].front(), 1);
    EXPECT_EQ(made["mode.floor"].back(), 0);
    EXPECT_NEAR(made["loss.wall"].back(), speed * speed * 3 / 8, 1e-12);
    EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
    EXPECT_THAT(made.facts.notes, testing::Contains(HasSubstr("the friction on 'v' sticks 1 time")));
    ASSERT_EQ(made.events[0].columns[0].values.size(), 1U);
    EXPECT_NEAR(made.events[0].columns[0].values[0], (1 - speed) / 0.3, 1e-12);
  }
}

TEST(Jumps, AndSwitchesGoTogether) {
  // Above 1/2 the weight is 12, below it is 10; the ball bounces without loss.
  const auto made = run(body_with("v^2/2 - 10*q - 2*max(0, q - 1/2)",
                                  "[impacts]\nfloor = { gap = \"q\", restitution = 1 }\n[initial]\nq = 1.0\n",
                                  "tolerance = 1e-13\nt_end = 3.0\n"));
  const double high = std::sqrt(1.0 / 12);
  const double fast = 12 * high;
  const double low = (std::sqrt(fast * fast + 10) - fast) / 10;
  const auto& times = made.events[0].columns[0].values;
  ASSERT_GE(times.size(), 3U);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(times[k], (high + low) * static_cast<double>(2 * k + 1), 1e-11) << k;
  EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
  EXPECT_THAT(made.facts.notes, testing::Contains(HasSubstr("steps end at the switches that the motion passes: '")));
}

/// Painleve's rod: half-length and mass 1, moment 1/3, its lower end on the floor.
std::string painleve_rod(double angle, double slip) {
  return R"toml([model]
name = "rod"
[algebroid]
kind = "tangent"
base = ["x", "y", "th"]
fibre = ["u", "v", "w"]
[dynamics]
lagrangian = "(u^2 + v^2)/2 + w^2/6 - 9.81*y"
[impacts]
tip = { gap = "y - sin(th)", restitution = 0, friction = 2.0, slip = "u + sin(th)*w" }
[initial]
y = "sin(th)"
)toml" + ("th = " + std::to_string(angle) + "\nu = " + std::to_string(slip) +
          "\n[simulation]\ntolerance = 1e-11\nt_end = 0.02\n");
}

TEST(ContactFriction, PainlevesRodHasNoMotionThatSlidesOn) {
  // 1 + 3 cos(th) (cos(th) - 2 sin(th)) is negative at 0.9, for a slip that presses the tip into the floor.
  EXPECT_THAT(error_of_run(painleve_rod(0.9, -1)),
              AllOf(HasSubstr("Painleve's paradox"), HasSubstr("'tip'"), HasSubstr("t = 0")));
  const auto other_way = run(painleve_rod(0.9, 1));
  EXPECT_GT(other_way["contact.tip"].front(), 0);
}

}  // namespace
}  // namespace herglotz::io
