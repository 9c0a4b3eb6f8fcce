// Problems with published solutions, as a user writes them, without a guess of the path.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

/// A car that turns at most at the rate 1 and goes forwards and backwards, in least time.
solve::Solution car_to(double x, double y, double th) {
  return solved(control_of({"x", "y", "th"}, {"v*cos(th)", "v*sin(th)", "w"},
                           fmt::format("controls = [\"v\", \"w\"]\nbounds = {{ v = [-1, 1], w = [-1, 1] }}\n[cost]\n"
                                       "running = \"1\"\n[boundary]\nduration = \"free\"\n"
                                       "final = {{ x = {}, y = {}, th = {} }}\n",
                                       x, y, th)));
}

}  // namespace

// Lengths of the shortest words of [RS90].
TEST(PublishedProblems, CarsThatReverseTakeTheWordsOfReedsAndShepp) {
  struct Turn {
    double x, y, th, length;
  };
  for (const auto& [x, y, th, length] : {Turn{0, 1, 0, 2.636232143305636}, Turn{3, 2, 1, 3.651750120748352},
                                         Turn{-2, 1, -2, 2.9389096119654186}, Turn{0, 4, 0, 5.478120721990417}}) {
    const auto solution = car_to(x, y, th);
    ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
    EXPECT_NEAR(solution.cost, length, 1e-8) << x << ' ' << y << ' ' << th;
  }
}

// [DMM04] gives 9.14093 on a coarse mesh. By symmetry the angle switches half way.
TEST(PublishedProblems, RobotArmInLeastTime) {
  const std::string inertia = "(((5 - r)^3 + r^3)/3)";
  const auto solution = solved(control_of(
      {"r", "th", "ph", "dr", "dth", "dph"},
      {"dr", "dth", "dph", "ur/5", "uth/(" + inertia + "*sin(ph)^2)", "uph/" + inertia},
      "controls = [\"ur\", \"uth\", \"uph\"]\nbounds = { ur = [-1, 1], uth = [-1, 1], uph = [-1, 1] }\n[cost]\n"
      "running = \"1\"\n[boundary]\nduration = \"free\"\n"
      "final = { r = 4.5, th = \"2*pi/3\", ph = \"pi/4\", dr = 0, dth = 0, dph = 0 }\n"
      "[initial]\nr = 4.5\nph = \"pi/4\"\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 9.14093, 5e-5);
  EXPECT_NEAR(solution.switching_times.at("uth").at(0), solution.cost / 2, 1e-8);
}

// [DMM04]: the tangent of the angle of thrust is linear in time, and the least time is 0.554570878.
TEST(PublishedProblems, ParticleIsSteeredByALinearTangent) {
  const auto solution = solved(
      control_of({"x", "y", "p", "q"}, {"p", "q", "100*cos(u)", "100*sin(u)"},
                 "controls = [\"u\"]\nbounds = { u = [\"-pi/2\", \"pi/2\"] }\n[cost]\nrunning = \"1\"\n[boundary]\n"
                 "duration = \"free\"\nfinal = { y = 5, p = 45, q = 0 }\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 0.554570878, 1e-8);
}

// [DMM04] gives the mixing -0.048056; the middle arc is singular.
TEST(PublishedProblems, CatalystsAreMixedAlongASingularArc) {
  const auto solution =
      solved(control_of({"a", "b"}, {"u*(10*b - a)", "u*(a - 10*b) - (1 - u)*b"},
                        "controls = [\"u\"]\nbounds = { u = [0, 1] }\n[cost]\nterminal = \"a + b - 1\"\n[boundary]\n"
                        "duration = 1\n[initial]\na = 1\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, -0.048056, 1e-6);
  EXPECT_THAT(solution.structure, testing::StartsWith("u: max, singular, min"));
}

// [MBKK05]: the oscillator of Rayleigh comes to rest in the time 3.66817, with switches at 1.12051 and 3.31005.
TEST(PublishedProblems, RayleighsOscillatorInLeastTime) {
  const auto solution =
      solved(control_of({"x", "v"}, {"v", "-x + v*(1.4 - 0.14*v^2) + 4*u"},
                        "controls = [\"u\"]\nbounds = { u = [-1, 1] }\n[cost]\nrunning = \"1\"\n[boundary]\n"
                        "duration = \"free\"\nfinal = { x = 0, v = 0 }\n[initial]\nx = -5\nv = -5\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 3.66817, 5e-6);
  EXPECT_THAT(solution.switching_times.at("u"),
              testing::ElementsAre(testing::DoubleNear(1.12051, 5e-6), testing::DoubleNear(3.31005, 5e-6)));
}

// [Bet10, Ex. 6.13] gives 7.9101471. The second thruster is singular for 0.09 of the time beside its full arcs, which
// lowers the fuel by 3e-6; meshes of 40 intervals do not see these arcs at first.
TEST(PublishedProblems, FreeFlyingRobotOfLeastFuelHasShortSingularArcs) {
  const auto solution = solved(control_of(
      {"x", "y", "th", "vx", "vy", "w"}, {"vx", "vy", "w", "(F1 + F2)*cos(th)", "(F1 + F2)*sin(th)", "(F1 - F2)/5"},
      "controls = [\"F1\", \"F2\"]\nbounds = { F1 = [-1, 1], F2 = [-1, 1] }\n[cost]\n"
      "running = \"abs(F1) + abs(F2)\"\n[boundary]\nduration = 12\n"
      "final = { x = 0, y = 0, th = 0, vx = 0, vy = 0, w = 0 }\n[initial]\nx = -10\ny = -10\nth = \"pi/2\"\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 7.9101438381, 1e-7);
  EXPECT_THAT(solution.structure, testing::HasSubstr("F1: min, zero, max, zero, min, zero, max"));
  EXPECT_THAT(solution.structure, testing::HasSubstr("F2: max, singular, zero, singular, min"));
}

// [Bet10, Ex. 6.1]: the greatest cross range of a shuttle is 34.1412 degrees, after 2008.59 s. In feet and slugs.
TEST(PublishedProblems, ShuttleReentersWithTheGreatestCrossRange) {
  const std::string q = "2690*0.002378*exp(-h/23800)*v^2/2";
  const std::string lift = "(" + q + "*(-0.20704 + 0.029244*al*180/pi))";
  const std::string drag = "(" + q + "*(0.07854 - 0.61592e-2*al*180/pi + 0.621408e-3*(al*180/pi)^2))";
  const std::string g = "0.14076539e17/(Re + h)^2";
  auto text =
      control_of({"h", "phi", "th", "v", "ga", "psi"},
                 {"v*sin(ga)", "v*cos(ga)*sin(psi)/((Re + h)*cos(th))", "v*cos(ga)*cos(psi)/(Re + h)",
                  "-" + drag + "/m - " + g + "*sin(ga)", lift + "*cos(be)/(m*v) + cos(ga)*(v/(Re + h) - " + g + "/v)",
                  lift + "*sin(be)/(m*v*cos(ga)) + v*cos(ga)*sin(psi)*tan(th)/(Re + h)"},
                 "controls = [\"al\", \"be\"]\n"
                 "bounds = { al = [\"-pi/2\", \"pi/2\"], be = [\"-89*deg\", \"deg\"] }\n[cost]\n"
                 "terminal = \"-th\"\n[boundary]\nduration = { free = true, min = 500, max = 4000 }\n"
                 "final = { h = 80000, v = 2500, ga = \"-5*deg\" }\n[initial]\nh = 260000\nv = 25600\n"
                 "ga = \"-deg\"\npsi = \"pi/2\"\n[guess]\nduration = 2000\nal = \"17*deg\"\n"
                 "be = \"-60*deg*(1 - s)\"\n");
  const auto solution = solved(with(text, "[control]\n", "[parameters]\nRe = 20902900\nm = 6309.433498\n[control]\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(-solution.cost * 180 / std::numbers::pi, 34.1412, 5e-5);
  EXPECT_NEAR(solution.duration, 2008.59, 5e-3);
}

// [Bet10, Ex. 6.5]: a glider in an updraft comes 1248.031026 m far in 98.43691 s.
TEST(PublishedProblems, GliderInAnUpdraft) {
  const std::string x = "((x/100 - 2.5)^2)";
  const std::string up = "(vy - 2.5*(1 - " + x + ")*exp(-" + x + "))";
  const std::string q = "(0.5*1.13*14/100*sqrt(vx^2 + " + up + "^2))";
  const std::string drag = "(0.034 + 0.069662*cL^2)";
  const auto solution = solved(control_of(
      {"x", "y", "vx", "vy"},
      {"vx", "vy", "-" + q + "*(cL*" + up + " + " + drag + "*vx)", q + "*(cL*vx - " + drag + "*" + up + ") - 9.80665"},
      "controls = [\"cL\"]\nbounds = { cL = [0, 1.4] }\n[cost]\nterminal = \"x\"\nsense = \"maximise\"\n"
      "[boundary]\nduration = { free = true, min = 10, max = 200 }\n"
      "final = { y = 900, vx = 13.2275675, vy = -1.28750052 }\n[initial]\ny = 1000\nvx = 13.2275675\n"
      "vy = -1.28750052\n[guess]\nduration = 100\nx = \"1250*s\"\ncL = \"1\"\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 1248.031026, 1e-5);
  EXPECT_NEAR(solution.duration, 98.43691, 1e-4);
}

// [RE10] gives 0.0375195 for the crane of [SS82], whose speeds are limited.
TEST(PublishedProblems, ContainerCraneWithLeastSwing) {
  const auto solution = solved(control_of(
      {"x", "y", "th", "vx", "vy", "w"}, {"vx", "vy", "w", "u + 17.2656*th", "h", "-(u + 27.0756*th + 2*vy*w)/y"},
      "controls = [\"u\", \"h\"]\nbounds = { u = [-2.83374, 2.83374], h = [-0.80865, 0.71265] }\n"
      "path = [\"vx - 2.5\", \"-2.5 - vx\", \"vy - 1\", \"-1 - vy\"]\n[cost]\n"
      "running = \"(th^2 + w^2 + 0.01*(u^2 + h^2))/2\"\n[boundary]\nduration = 9\n"
      "final = { x = 10, y = 14, th = 0, vx = 2.5, vy = 0, w = 0 }\n[initial]\ny = 22\nvy = -1\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 0.0375195, 5e-8);
}

// [LS07; RE10]: the least tumor after a given amount of an inhibitor, 7571.67, after 1.1961.
TEST(PublishedProblems, TumorIsStarvedByAllOfTheInhibitorAtFirst) {
  auto text = control_of({"p", "q", "y"}, {"-0.084*p*log(p/q)", "q*(5.85 - 0.02 - 0.00873*p^(2/3) - 0.15*u)", "u"},
                         "controls = [\"u\"]\nbounds = { u = [0, 75] }\n[cost]\nterminal = \"p\"\n[boundary]\n"
                         "duration = \"free\"\nfinal = { y = 15 }\n[initial]\np = \"full/2\"\nq = \"full/4\"\n"
                         "[guess]\nduration = 1\n");
  const double full = std::pow((5.85 - 0.02) / 0.00873, 1.5);
  const auto solution =
      solved(with(text, "[control]\n", fmt::format("[parameters]\nfull = {:.17g}\n[control]\n", full)));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 7571.67, 5e-3);
  EXPECT_NEAR(solution.duration, 1.196, 5e-4);
  EXPECT_THAT(solution.switching_times.at("u"), testing::ElementsAre(testing::DoubleNear(0.2, 1e-8)));
}

// [RE10]: two links in least time, 2.9822; the soft landing on the moon; reactors; the bounded oscillator of van der
// Pol.
TEST(PublishedProblems, OfOneOrTwoControlsFromACollection) {
  const auto two_links = solved(control_of(
      {"w1", "w2", "a", "b"},
      {"(sin(a)*(9/4*cos(a)*w1^2 + 2*w2^2) + 4/3*(u - v) - 3/2*cos(a)*v)/(31/36 + 9/4*sin(a)^2)",
       "-(sin(a)*(9/4*cos(a)*w2^2 + 7/2*w1^2) - 7/3*v + 3/2*cos(a)*(u - v))/(31/36 + 9/4*sin(a)^2)", "w2 - w1", "w1"},
      "controls = [\"u\", \"v\"]\nbounds = { u = [-1, 1], v = [-1, 1] }\n[cost]\nrunning = \"1\"\n[boundary]\n"
      "duration = \"free\"\nfinal = { w1 = 0, w2 = 0, a = 0.5, b = 0.522 }\n[initial]\na = 0.5\n"));
  ASSERT_EQ(two_links.status, solve::Status::solved) << two_links.reason;
  EXPECT_NEAR(two_links.cost, 2.9822, 1e-4);

  struct Example {
    Names states, rates;
    const char* rest;
    double cost, precision;
  };
  // Landing: v^2 = 2 a d on both arcs gives the speed sqrt(17) at the switch, and the fuel 2 sqrt(17).
  const std::vector<Example> examples{
      {{"h", "v"},
       {"v", "u - 1.5"},
       "controls = [\"u\"]\nbounds = { u = [0, 3] }\n[cost]\nrunning = \"u\"\n[boundary]\nduration = \"free\"\n"
       "final = { h = 0, v = 0 }\n[initial]\nh = 10\nv = -2\n",
       8.2462112513,
       1e-9},
      {{"x", "y"},
       {"y", "(1 - x^2)*y - x + u"},
       "controls = [\"u\"]\nbounds = { u = [-0.3, 1] }\n[cost]\nrunning = \"x^2 + y^2 + u^2\"\n[boundary]\n"
       "duration = 5\n[initial]\nx = 1\n",
       2.8673,
       5e-5},
      {{"a", "b"},
       {"-4000*exp(-2500/T)*a^2", "4000*exp(-2500/T)*a^2 - 620000*exp(-5000/T)*b"},
       "controls = [\"T\"]\nbounds = { T = [298, 398] }\n[cost]\nterminal = \"b\"\nsense = \"maximise\"\n"
       "[boundary]\nduration = 1\n[initial]\na = 1\n",
       0.6108,
       5e-5},
      {{"x", "y"},
       {"-2*(x + 0.25) + (y + 0.5)*exp(25*x/(x + 2)) - (x + 0.25)*u", "0.5 - y - (y + 0.5)*exp(25*x/(x + 2))"},
       "controls = [\"u\"]\n[cost]\nrunning = \"x^2 + y^2 + u^2/10\"\n[boundary]\nduration = 0.78\n[initial]\n"
       "x = 0.09\ny = 0.09\n",
       0.13309,
       1e-5},
      {{"x", "y"},
       {"-(u + u^2/2)*x", "u*x"},
       "controls = [\"u\"]\nbounds = { u = [0, 5] }\n[cost]\nterminal = \"y\"\nsense = \"maximise\"\n"
       "[boundary]\nduration = 1\n[initial]\nx = 1\n",
       0.57353,
       2e-5}};
  for (const auto& [states, rates, rest, cost, precision] : examples) {
    const auto solution = solved(control_of(states, rates, rest));
    ASSERT_EQ(solution.status, solve::Status::solved) << rest << solution.reason;
    EXPECT_NEAR(solution.cost, cost, precision) << rest;
  }
}
