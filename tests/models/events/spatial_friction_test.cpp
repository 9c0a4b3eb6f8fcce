// Friction on two velocities: in rest contact, and as [friction].

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "contact_runs.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/model_text.hpp"
#include "herglotz/simulate/members.hpp"
#include "io/error_of.hpp"
#include "order_slope.hpp"

namespace herglotz::io {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// A puck of mass 1 on a plane that falls by the angle alpha along x; of the mass `heavy` along y.
std::string puck(const std::string& friction, const std::string& initial, const std::string& more = "t_end = 1.0\n") {
  return R"x([model]
name = "puck"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[parameters]
g = 9.81
alpha = 0.3
heavy = 1
px = 0
py = 0
[dynamics]
lagrangian = "(vx^2 + heavy*vy^2)/2 + g*sin(alpha)*x + px*x + py*y"
[friction]
plane = { on = ["vx", "vy"], normal = "g*cos(alpha)", )x" +
         friction + " }\n[initial]\n" + initial + "[simulation]\ntolerance = 1e-12\n" + more;
}

analyse::Trajectory run_with(const std::string& model, const std::vector<std::string>& settings = {}) {
  auto problem = parse_model(model);
  for (const auto& setting : settings) apply_setting(problem, setting);
  return simulate::simulate(problem);
}

// On an incline whose angle is that of friction, the speed and the velocity down the incline have a constant sum.
TEST(SpatialFriction, OnAnInclineOfItsAngleKeepsSpeedAndVelocityDown) {
  const auto made = run_with(puck("static = \"tan(alpha)\"", "vx = -1\nvy = 2\n", "t_end = 3.0\n"));
  for (std::size_t k = 0; k < made.rows(); ++k)
    EXPECT_NEAR(std::hypot(made["vx"][k], made["vy"][k]) + made["vx"][k], std::sqrt(5) - 1, 1e-10);
  EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
}

// With the angle phi of the velocity from the line of fall and k = mu/tan alpha, v sin(phi)/tan(phi/2)^k is constant:
// dv/dt = g sin(alpha)(cos phi - k), v dphi/dt = -g sin(alpha) sin phi.
TEST(SpatialFriction, OnASteeperCoefficientComesToRestAlongTheClosedForm) {
  const auto made = run_with(puck("static = 0.5", "vx = 1\nvy = 1.5\n"));
  const double k = 0.5 / std::tan(0.3);
  const auto kept = [&](double vx, double vy) { return vy / std::pow(std::tan(std::atan2(vy, vx) / 2), k); };
  for (std::size_t i = 0; i < made.rows(); ++i) {
    if (std::hypot(made["vx"][i], made["vy"][i]) < 0.05) continue;
    EXPECT_NEAR(kept(made["vx"][i], made["vy"][i]) / kept(1, 1.5), 1, 1e-8) << made["t"][i];
  }
  // The time of rest: d(v (k + cos phi))/dt = g sin(alpha)(1 - k^2).
  const double rest = (std::hypot(1, 1.5) * k + 1) / (g * std::sin(0.3) * (k * k - 1));
  EXPECT_THAT(made.facts.notes, Contains(HasSubstr("the friction on 'vx, vy' sticks 1 time, first from t = " +
                                                   std::to_string(rest).substr(0, 7))));
  EXPECT_EQ(made["mode.plane"].front(), 1);
  EXPECT_EQ(made["mode.plane"].back(), 0);
  EXPECT_NEAR(made["friction.plane"].front(), 0.5 * g * std::cos(0.3), 1e-12);
  EXPECT_NEAR(made["friction.plane"].back(), g * std::sin(0.3), 1e-12);
  EXPECT_LT(std::hypot(made["vx"].back(), made["vy"].back()), 1e-15);
  EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
  // E - W is constant, and the puck has fallen.
  EXPECT_NEAR(made["energy"].back() - made["work.plane"].back(), made["energy"].front(), 1e-12);
}

// Barely steep enough to stop, friction turns the slip towards the line of fall fifty times as fast as it brakes it.
// Steps that resolved the braking alone would keep the puck slipping for ever.
TEST(SpatialFriction, ThatTurnsFasterThanItBrakesComesToRestByStepsOfOneSize) {
  const double k = 1.02;
  const double rest = (std::hypot(0.3, 0.2) * k + 0.3) / (g * std::sin(0.3) * (k * k - 1));
  for (const std::string method : {"runge-kutta-4", "contact-gauss-4"}) {
    auto text = puck(fmt::format("static = \"{}*tan(alpha)\"", k), "vx = 0.3\nvy = 0.2\n");
    text.replace(text.find("tolerance = 1e-12\n"), 18, fmt::format("method = \"{}\"\nstep = 0.01\n", method));
    auto problem = parse_model(text);
    problem.settings.t_end = 1.5 * rest;
    const simulate::Simulator simulator(problem.system);
    const auto made = simulator.run(problem.initial, problem.settings);
    const auto still =
        std::find(made["mode.plane"].begin(), made["mode.plane"].end(), 0.0) - made["mode.plane"].begin();
    ASSERT_LT(still, static_cast<std::ptrdiff_t>(made.rows())) << method;
    EXPECT_NEAR(made["t"][static_cast<std::size_t>(still)], rest, 0.011) << method;
    EXPECT_LT(std::hypot(made["vx"].back(), made["vy"].back()), 1e-15) << method;
    EXPECT_LT(made.facts.largest_energy_residual, 1e-6) << method;
  }
}

TEST(SpatialFriction, BringsABodyToRestOnALineAtItsTimeAndPlace) {
  for (const std::string method : {"method = \"reference\"\ntolerance = 1e-12\n", "method = \"radau-5\"\n",
                                   "method = \"taylor\"\ntolerance = 1e-12\n"}) {
    auto text = puck("static = 0.5", "vx = 0.6\nvy = 0.8\n", "t_end = 1.0\n");
    text.replace(text.find("tolerance = 1e-12\n"), 18, method);
    const auto made = run_with(text, {"alpha=0"});
    const double way = 1 / (2 * 0.5 * g);
    EXPECT_NEAR(made["x"].back(), 0.6 * way, 1e-11) << method;
    EXPECT_NEAR(made["y"].back(), 0.8 * way, 1e-11) << method;
    EXPECT_LT(std::hypot(made["vx"].back(), made["vy"].back()), 1e-15) << method;
  }
}

// On two springs a body turns at every speed, and stops and slips again: all methods find the same place and time of
// rest.
TEST(SpatialFriction, BringsABodyOnSpringsToRestByEveryMethod) {
  for (const std::string inertia : {"1", "4"}) {
    auto text = puck("static = 0.5, kinetic = 0.3", "", "t_end = 10.0\ncolumns = [\"x\", \"y\", \"mode.plane\"]\n");
    text.replace(text.find("+ px*x + py*y"), 13, "- 1.5*x^2 - y^2/2");
    auto problem = parse_model(text);
    apply_setting(problem, "heavy=" + inertia);
    apply_setting(problem, "alpha=0");
    problem.settings.tolerance = 1e-10;
    const simulate::Simulator simulator(problem.system);
    std::mt19937 random(7);
    const auto between = [&](double most) {
      return most * (2 * static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) - 1);
    };
    for (int k = 0; k < 15; ++k) {
      auto initial = problem.initial;
      for (const std::string name : {"x", "y", "vx", "vy"}) initial[name] = between(4);
      std::vector<double> end;
      for (const std::string method : {"reference", "radau-5", "stiff", "taylor"}) {
        problem.settings.method = method;
        const auto made = simulator.run(initial, problem.settings);
        ASSERT_TRUE(made.facts.complete) << method << ": " << made.facts.status;
        const auto& modes = made["mode.plane"];
        const auto rests = static_cast<double>(std::count(modes.begin(), modes.end(), 0.0));
        const std::vector<double> here{made["x"].back(), made["y"].back(), rests};
        EXPECT_EQ(modes.back(), 0) << method;
        if (end.empty()) end = here;
        for (std::size_t i = 0; i < end.size(); ++i) EXPECT_NEAR(here[i], end[i], 1e-7) << method << ", start " << k;
      }
    }
  }
}

// Behind the ends of some pieces of these motions a slip turns so sharply that no steps go there, or too many.
TEST(SpatialFriction, EndsPiecesBehindWhichNoStepGoes) {
  struct At {
    double stiffness, inertia, x, y, vx, vy;
  };
  for (const At& at : {At{1, 1, 3.198, -0.312, 0.542, 3.363}, At{1, 1, 0.94, -2.986, -3.986, 2.971},
                       At{3, 4, 2.126, -2.723, 2.377, -2.89}, At{1, 1, 3.664, 2.778, -3.996, -2.322}}) {
    auto text = puck("static = 0.5, kinetic = 0.3", "", "t_end = 10.0\n");
    text.replace(text.find("+ px*x + py*y"), 13, "- px*x^2/2 - y^2/2");
    auto problem = parse_model(text);
    apply_setting(problem, "alpha=0");
    apply_setting(problem, fmt::format("heavy={}", at.inertia));
    apply_setting(problem, fmt::format("px={}", at.stiffness));
    problem.initial = {{"x", at.x}, {"y", at.y}, {"vx", at.vx}, {"vy", at.vy}};
    std::vector<double> places;
    for (const double tolerance : {3e-8, 1e-8, 1e-11}) {
      problem.settings.method = "reference";
      problem.settings.tolerance = tolerance;
      const auto made = simulate::simulate(problem);
      ASSERT_TRUE(made.facts.complete) << at.x << ": " << made.facts.status;
      EXPECT_EQ(made["mode.plane"].back(), 0);
      places.push_back(made["x"].back());
    }
    EXPECT_NEAR(places.front(), places.back(), 1e-6);
  }
}

// A slip across the load turns into it, whatever the other velocities and the units are.
TEST(SpatialFriction, RestsAtOneTimeInAllUnitsAndBesideOtherVelocities) {
  const std::string rest = "the friction on 'vx, vy' sticks 1 time, first from t = 0.837187391";
  const auto rests = [&](const std::string& text, const std::vector<std::string>& settings) {
    EXPECT_THAT(run_with(text, settings).facts.notes, Contains(HasSubstr(rest))) << settings.front();
  };
  const std::string start = puck("static = 0.5", "vx = 1\nvy = 1.5\n");
  for (const std::string scale : {"e-110", "e0", "e100"})
    rests(start, {"g=9.81" + scale, "vx=1" + scale, "vy=1.5" + scale});
  std::string turning = start;
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"y\"]", "\"y\", \"th\"]"},
                                 {"\"vy\"]\n[par", "\"vy\", \"w\"]\n[par"},
                                 {"py*y", "py*y + 1e-30*w^2/2"}})
    turning.replace(turning.find(from), from.size(), to);
  for (const std::string w : {"0", "1e5", "1e9"}) rests(turning, {"w=" + w});
}

TEST(SpatialFriction, TurnsTowardsASteepIncline) {
  for (const std::string method : {"reference", "radau-5", "stiff", "taylor"}) {
    auto text = puck("static = 0.2", "vx = -1\nvy = 1e-6\n");
    text.replace(text.find("tolerance = 1e-12"), 17, "method = \"" + method + "\"\ntolerance = 1e-12");
    const auto made = run_with(text);
    ASSERT_TRUE(made.facts.complete) << method;
    const double pull = g * std::sin(0.3);
    const double brake = 0.2 * g * std::cos(0.3);
    // It stops at once within 1e-6, and goes back down the incline.
    EXPECT_NEAR(made["vx"].back(), (pull - brake) * (1 - 1 / (pull + brake)), 1e-6) << method;
  }
}

TEST(SpatialFriction, HoldsWhatLiesInItsCone) {
  const std::string at_rest = puck("static = 0.5, kinetic = 0.3", "");
  const double largest = 0.5 * g;
  const auto held = run_with(at_rest, {"alpha=0", "px=" + std::to_string(0.6 * largest * 0.999),
                                       "py=" + std::to_string(0.8 * largest * 0.999)});
  EXPECT_EQ(held["x"].back(), 0);
  EXPECT_NEAR(held["friction.plane"].back(), 0.999 * largest, 1e-5);
  const auto slips = run_with(at_rest, {"alpha=0", "px=" + std::to_string(0.6 * largest * 1.001),
                                        "py=" + std::to_string(0.8 * largest * 1.001)});
  const double way = (largest * 1.001 - 0.3 * g) / 2;
  EXPECT_NEAR(slips["x"].back(), 0.6 * way, 1e-5);
  EXPECT_NEAR(slips["y"].back(), 0.8 * way, 1e-5);
}

// A body that is heavier along y slips off towards x more than the load points: along e with
// M^-1 (F - mu_k N e) parallel to e.
TEST(SpatialFriction, SlipsOffWhereItsOwnFrictionLetsIt) {
  const auto made =
      run_with(puck("static = 0.5, kinetic = 0.4", "", "t_end = 0.2\n"), {"alpha=0", "heavy=4", "px=4", "py=4"});
  const double vx = made["vx"].back();
  const double vy = made["vy"].back();
  const double size = std::hypot(vx, vy);
  EXPECT_NEAR((4 - 0.4 * g * vx / size) * vy - (4 - 0.4 * g * vy / size) / 4 * vx, 0, 1e-9);
  EXPECT_GT(vx, 1.5 * vy);
  EXPECT_NEAR(vx, (4 - 0.4 * g * vx / size) * 0.2, 1e-10);
}

TEST(SpatialFriction, OfAMovingBeltFeedsIn) {
  auto text = puck("static = 0.5", "", "t_end = 1.0\n");
  text.replace(text.find("\"vx\", \"vy\"], normal"), 10, "\"vx - 0.3\", \"vy - 0.4\"");
  const auto made = run_with(text, {"alpha=0"});
  EXPECT_NEAR(made["vx"].back(), 0.3, 1e-14);
  EXPECT_NEAR(made["vy"].back(), 0.4, 1e-14);
  EXPECT_NEAR(made["work.plane"].back(), 0.125, 1e-12);
  EXPECT_NEAR(made["x"].back(), 0.3 * (1 - 0.5 / (2 * 0.5 * g)), 1e-11);
}

/// A ball of radius 1 and mass 1 with the moment 2/5 on a table.
const std::string ball_on_table = R"([model]
name = "ball"
[algebroid]
kind = "tangent"
base = ["x", "y", "q", "a", "b"]
fibre = ["u", "s", "v", "wx", "wy"]
[dynamics]
lagrangian = "(u^2 + s^2 + v^2)/2 + (wx^2 + wy^2)/5 - 9.81*q"
[impacts]
table = { gap = "q", restitution = 0.5, friction = 0.3, slip = ["u - wy", "s + wx"] }
[simulation]
tolerance = 1e-12
t_end = 2
)";

// The slip of a ball keeps its direction, and falls by 7/2 mu g: the ball moves along a parabola until it rolls, with
// u - mu g t e for the direction e of the slip.
TEST(SpatialFriction, InRestContactTurnsABallUntilItRolls) {
  for (const std::string q : {"", "q = 0.002\n"}) {
    const auto made = run_with(ball_on_table + "[initial]\nu = 2\ns = 1\nwx = 3\nwy = -1\n" + q);
    const double slip = 5;  // (3, 4)
    const double time = slip / (3.5 * 0.3 * g);
    EXPECT_NEAR(made["u"].back(), 2 - 0.3 * g * time * 0.6, 1e-9);
    EXPECT_NEAR(made["s"].back(), 1 - 0.3 * g * time * 0.8, 1e-9);
    EXPECT_NEAR(made["wy"].back(), made["u"].back(), 1e-13);
    EXPECT_NEAR(made["wx"].back(), -made["s"].back(), 1e-13);
    EXPECT_NEAR(made["work.table"].back(), -slip * slip / 7, 1e-9);
    EXPECT_NEAR(made["contact.table"].back(), g, 1e-12);
    EXPECT_NEAR(made["friction.table"].back(), 0, 1e-12);
    EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
    if (q.empty()) {
      EXPECT_NEAR(made["friction.table"].front(), 0.3 * g, 1e-12);
    }
  }
}

// The same parabola by steps of one size, in rest contact from the start and behind bounces.
TEST(SpatialFriction, InRestContactTurnsABallByStepsOfOneSize) {
  for (const std::string method : {"contact-gauss-4", "runge-kutta-4", "runge-kutta-8"})
    for (const std::string q : {"", "q = 0.002\n"}) {
      auto text = ball_on_table + "[initial]\nu = 2\ns = 1\nwx = 3\nwy = -1\n" + q;
      text.replace(text.find("tolerance = 1e-12"), 17, "method = \"" + method + "\"\nstep = 0.01");
      const auto made = run_with(text);
      const double time = 5 / (3.5 * 0.3 * g);
      EXPECT_NEAR(made["u"].back(), 2 - 0.3 * g * time * 0.6, 1e-9) << method;
      EXPECT_NEAR(made["s"].back(), 1 - 0.3 * g * time * 0.8, 1e-9) << method;
      EXPECT_NEAR(made["wy"].back(), made["u"].back(), 1e-13) << method;
      EXPECT_NEAR(made["work.table"].back(), -25.0 / 7, 1e-9) << method;
      EXPECT_LT(made.facts.largest_energy_residual, 1e-9) << method;
    }
}

/// Returns the distance between the places at which a puck on an incline has come to rest, by a method and in truth.
double error_at_rest(const std::string& method, double step) {
  static const auto in_truth = run_with(puck("static = 0.5", "vx = 1\nvy = 1.5\n", "t_end = 1.0\n"), {"alpha=0.3"});
  auto text = puck("static = 0.5", "vx = 1\nvy = 1.5\n", "t_end = 1.0\n");
  text.replace(text.find("tolerance = 1e-12"), 17, fmt::format("method = \"{}\"\nstep = {:.17g}", method, step));
  const auto made = run_with(text);
  EXPECT_EQ(made["mode.plane"].back(), 0) << method << ", " << step;
  EXPECT_LT(std::hypot(made["vx"].back(), made["vy"].back()), 1e-14) << method << ", " << step;
  return std::hypot(made["x"].back() - in_truth["x"].back(), made["y"].back() - in_truth["y"].back());
}

// The direction of a slip turns without end as the slip comes to rest: steps that are shorter the slower the slip is
// have their order over that, too.
TEST(SpatialFriction, IsFollowedToRestByMethodsOfOneStepSizeWithTheirOrders) {
  struct Of {
    std::string method;
    int order;
    std::vector<double> steps;
  };
  const std::vector<double> coarse{0.05, 0.035, 0.025, 0.0175, 0.0125};
  for (const auto& [method, order, steps] : {Of{"contact-gauss-2", 2, {0.004, 0.002, 0.001, 0.0005}},
                                             Of{"contact-gauss-4", 4, coarse}, Of{"runge-kutta-4", 4, coarse}}) {
    std::vector<double> errors;
    for (const double step : steps) errors.push_back(error_at_rest(method, step));
    EXPECT_NEAR(test::slope_at_small_steps(steps, errors, 0), order, 0.2) << method << " " << errors.back();
    EXPECT_GT(errors.back(), 1e-11) << method;
  }
}

// At a loose tolerance steps are allowed errors above a slow slip. These would throw it to the other side of its rest
// again and again.
TEST(SpatialFriction, ComesToRestAtAnyTolerance) {
  const auto end = [](const std::string& tolerance) {
    return run_with(R"x([model]
name = "puck"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 + 9.81*sin(0.4)*x - 15.09*(x^2 + y^2)/2"
[friction]
plane = { on = ["vx", "vy"], normal = "9.81*cos(0.4)", static = 0.49, kinetic = 0.38 }
[initial]
x = 0.94
y = -0.33
vx = -2.96
vy = 0.01
[simulation]
t_end = 5.0
tolerance = )x" + tolerance);
  };
  const auto sharp = end("1e-12");
  for (const std::string tolerance : {"1e-2", "1e-3", "1e-4", "1e-6"}) {
    const auto made = end(tolerance);
    EXPECT_EQ(made["mode.plane"].back(), 0) << tolerance;
    EXPECT_NEAR(made["x"].back(), sharp["x"].back(), 10 * std::stod(tolerance)) << tolerance;
  }
}

TEST(SpatialFriction, IsWrittenWithTheModel) {
  const auto problem = parse_model(puck("static = 0.5, kinetic = 0.4", "vx = 1\nvy = 0.2\n"));
  const auto again = parse_model(text_of(problem));
  EXPECT_NEAR(simulate::simulate(again)["x"].back(), simulate::simulate(problem)["x"].back(), 1e-13);
}

TEST(SpatialFriction, SaysWhatIsWrong) {
  const auto error = [](const std::string& on) {
    auto text = puck("static = 0.5", "");
    text.replace(text.find("[\"vx\", \"vy\"], normal"), 12, on);
    return error_of([&] { parse_model(text, "m.toml"); });
  };
  EXPECT_THAT(error(R"(["vx", "vy", "vx"])"), HasSubstr("'on' has 3 velocities; give one, or two across each other"));
  EXPECT_THAT(error("[]"), HasSubstr("'on' has 0 velocities"));
  EXPECT_THAT(error(R"(["vx", "vx"])"),
              HasSubstr("the two velocities of the friction 'plane' have one direction; give two across each other"));
  EXPECT_THAT(error(R"(["vx - vy", "2*vy - 2*vx + x"])"), HasSubstr("have one direction"));
  auto rolling = ball_on_table;
  rolling.replace(rolling.find("s + wx"), 6, "wy - u");
  EXPECT_THAT(error_of([&] { parse_model(rolling, "m.toml"); }),
              HasSubstr("the two velocities of the impact 'table' have one direction"));
  EXPECT_THAT(error(R"(["vx", "x"])"), HasSubstr("depends on no velocity"));
  EXPECT_THAT(error(R"(["vx", "vy^2"])"), HasSubstr("is not linear in the velocities"));
}

// Two plates on a floor, under loads that vary, whose slips begin together: each of them keeps to Coulomb's law.
TEST(SpatialFriction, OfTwoPlatesAtRestFindsTheirSlipsTogether) {
  const auto run = simulate::simulate(parse_model(R"([model]
name = "plates"
[algebroid]
kind = "tangent"
base = ["x0", "y0", "x1", "y1"]
fibre = ["vx0", "vy0", "vx1", "vy1"]
[dynamics]
lagrangian = """1.2835*(vx0^2 + vy0^2)/2 + 1.5094*(vx1^2 + vy1^2)/2 + 2.4265*cos(1.8907*t + 4.4394)*x0
  + 2.7825*cos(0.1551*t + 2.7937)*y0 + 2.8414*cos(1.3331*t + 5.4054)*x1 + 0.517*cos(0.9912*t + 1.4794)*y1"""
[friction]
plates = { on = ["vx0 - vx1", "vy0 - vy1"], static = 1.4963 }
floor = { on = ["vx1", "vy1"], static = 1.5627 }
[initial]
[simulation]
tolerance = 1e-9
t_end = 2.0
)"));
  ASSERT_EQ(run["t"].back(), 2);
  const auto expect_coulomb = [&](const std::string& name, double bound, double u1, double u2, std::size_t row) {
    if (run["mode." + name][row] == 0) {
      EXPECT_NEAR(std::hypot(u1, u2), 0, 1e-9) << row;
      EXPECT_LE(run["friction." + name][row], bound * (1 + 1e-9)) << row;
    } else {
      EXPECT_NEAR(run["friction." + name][row], bound, 1e-9) << row;
    }
    if (row > 0) {
      EXPECT_LE(run["work." + name][row], run["work." + name][row - 1] + 1e-12) << row;
    }
  };
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const double vx = run["vx1"][row];
    const double vy = run["vy1"][row];
    expect_coulomb("plates", 1.4963, run["vx0"][row] - vx, run["vy0"][row] - vy, row);
    expect_coulomb("floor", 1.5627, vx, vy, row);
  }
  EXPECT_LT(run.facts.largest_energy_residual, 1e-11);
}

}  // namespace
}  // namespace herglotz::io
