// Motions that leave rest at the origin, where no state has been by which an error could be measured.

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "contact_runs.hpp"
#include "herglotz/compile/compile.hpp"
#include "herglotz/simulate/members.hpp"

namespace herglotz::io {
namespace {

/// A body of mass 1 on the line with these tables.
std::string body(const std::string& potential, const std::string& tables, const std::string& simulation) {
  return "[algebroid]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = [\"v\"]\n[dynamics]\nlagrangian = \"v^2/2 - " +
         potential + "\"\n" + tables + "[simulation]\n" + simulation;
}

// On the cam x = a (1 - cos w t), x is known to the round-off of a however small it is, and relative errors were asked
// for that no step has. x and v are those of the cam at the end.
TEST(LeavingRest, OnACamIsNoBetterKnownThanTheCam) {
  for (const double t_end : {10.0, 0.01}) {
    const auto made =
        complete_run(body("500*x^2", "[impacts]\ncam = { gap = \"x - 0.01*(1 - cos(10*t))\", restitution = 0 }\n",
                          "method = \"stiff\"\ntolerance = 1e-9\nt_end = " + std::to_string(t_end) + "\n"),
                     1e-6);
    EXPECT_NEAR(made["x"].back(), 0.01 * (1 - std::cos(10 * t_end)), 1e-16) << t_end;
    EXPECT_NEAR(made["v"].back(), 0.1 * std::sin(10 * t_end), 1e-15) << t_end;
    EXPECT_LT(made.facts.steps, 20000U) << t_end;
  }
}

/// x'' + x = a sin(w t), whose solution from rest is a (sin w t - w sin t)/(1 - w^2), until t = 60.
std::string driven(const std::string& amplitude, const std::string& method) {
  return body("x^2/2", "forces = { v = \"" + amplitude + "*sin(1.7*t)\" }\n",
              "tolerance = 1e-10\nt_end = 60\nmethod = \"" + method + "\"\n");
}
double solution(double t) {
  const double w = 1.7;
  return (std::sin(w * t) - w * std::sin(t)) / (1 - w * w);
}

// For a = 1e-14 the first steps were as long as a run may take at rest, with errors below 1e-10 where 1e-14 is all
// there is.
TEST(LeavingRest, HasErrorsThatAreSmallBesideTheMotion) {
  for (const std::string method : {"reference", "taylor", "radau-5", "stiff"})
    for (const std::string a : {"1", "1e-14"}) {
      const auto made = complete_run(driven(a, method), 1e-5);
      EXPECT_NEAR(made["x"].back() / std::stod(a), solution(60), 1e-7) << a << ' ' << method;
    }
}

// The force acts from t = 20 on, so that nothing moves at a thousandth of the run.
TEST(LeavingRest, LongAfterTheStartHasSmallErrorsToo) {
  for (const std::string method : {"reference", "taylor", "radau-5", "stiff"}) {
    const auto made = complete_run(driven("if(t < 20, 0, 1e-14)", method), 1e-5);
    const double t = 60 - 20;
    const double w = 1.7;
    // x'' + x = sin(w (20 + s)) from rest at s = 0.
    const double x =
        (std::sin(w * 60) - std::sin(w * 20) * std::cos(t) - w * std::cos(w * 20) * std::sin(t)) / (1 - w * w);
    EXPECT_NEAR(made["x"].back() / 1e-14, x, 1e-7) << method;
  }
}

// Members whose amplitudes differ by 14 orders of magnitude, in lanes: each has its own sizes.
TEST(LeavingRest, HasTheBitsOfSingleRunsInLanes) {
  for (const std::string method : {"reference", "taylor", "radau-5"}) {
    simulate::Problem problem = parse_model("[parameters]\na = 1\n" + driven("a", method));
    const simulate::Simulator simulator(problem.system, {}, problem.initial);
    const simulate::Members members(simulator, {problem.initial, {}, problem.next, problem.settings, {}}, {{true, "a"}},
                                    compile::native_lanes());
    EXPECT_GE(members.lanes(), compile::native_lanes()) << method;
    const auto amplitude = [](std::size_t k) { return std::pow(10.0, -static_cast<double>(k)); };
    constexpr std::size_t count = 15;
    std::vector<std::vector<double>> last(count);
    const simulate::Members::Results results{
        [&](std::size_t k, std::size_t, std::span<const double> row) { last[k].assign(row.begin(), row.end()); },
        [](std::size_t, const simulate::Members::End&) {}};
    ASSERT_TRUE(members.run(count, [&](std::size_t k, std::span<double> out) { out[0] = amplitude(k); }, results, {}));
    for (std::size_t k = 0; k < count; ++k) {
      const auto alone = simulator.run(problem.initial, problem.settings, {{"a", amplitude(k)}});
      EXPECT_EQ(last[k][1], alone["x"].back()) << method << ' ' << k;
      EXPECT_EQ(last[k][2], alone["v"].back()) << method << ' ' << k;
      EXPECT_NEAR(last[k][1] / amplitude(k), solution(60), 1e-7) << method << ' ' << k;
    }
  }
}

/// A contact whose force 1 - exp(t) holds at t = 0 alone, with a velocity of rounding along it.
std::string pulled_open(const std::string& method) {
  return "[algebroid]\nkind = \"tangent\"\nbase = [\"q\", \"x\"]\nfibre = [\"v\", \"u\"]\n[dynamics]\n"
         "lagrangian = \"(v^2 + u^2)/2 - q\"\nforces = { v = \"exp(t)\" }\n[impacts]\n"
         "floor = { gap = \"q\", restitution = 0, friction = 0.3, slip = \"u\" }\n[initial]\nq = 0\n"
         "[simulation]\nt_end = 2.0\nmethod = \"" +
         method + "\"\n";
}

// q'' = exp(t) - 1, so q = e^2 - 5 at t = 2. Of the forces near t = 0 only rounding is left.
TEST(LeavingRest, FromAContactThatOpensThereTakesFewSteps) {
  for (const std::string method : {"reference", "taylor", "radau-5", "stiff"}) {
    const auto made = complete_run(pulled_open(method), 1e-9);
    EXPECT_NEAR(made["q"].back(), std::exp(2.0) - 5, 1e-8) << method;
    EXPECT_LT(made.facts.steps, 5000U) << method;
  }
}

// A run that ends after 5e-10 of its time is made again with rows up to that end, which are few.
TEST(LeavingRest, HasFewRowsWhereItEndsAtOnce) {
  const std::string error = error_of_run(
      body("0", "forces = { v = \"1/(1e-9 - t)^2\" }\n[impacts]\nfloor = { gap = \"x\", restitution = 0 }\n",
           "method = \"radau-5\"\nt_end = 2.0\n"));
  EXPECT_NE(error.find("no step is small enough"), error.npos) << error;
}

// Work and drive of a contact are budgets of one name: motions that are compiled refused the second one.
TEST(LeavingRest, ByAMovedContactWithFrictionHasBothBudgets) {
  const std::string text =
      "[algebroid]\nkind = \"tangent\"\nbase = [\"q\", \"x\"]\nfibre = [\"v\", \"u\"]\n[dynamics]\n"
      "lagrangian = \"(v^2 + u^2)/2 - 10*q\"\n[impacts]\n"
      "floor = { gap = \"q - 0.01*(1 - cos(5*t))\", restitution = 0, friction = 0.3, slip = \"u\" }\n[initial]\nq = 0\n"
      "u = 3.0\n[simulation]\nt_end = 0.5\nmethod = \"";
  for (const std::string method : {"reference", "taylor"}) {
    const auto made = complete_run(text + method + "\"\n");
    // The floor carries the force 10 + q'', with q' = 0.05 sin 5t.
    const double t = 0.5;
    EXPECT_NEAR(made["u"].back(), 3 - 0.3 * (10 * t + 0.05 * std::sin(5 * t)), 1e-9) << method;
    EXPECT_NEAR(made["work.floor"].back(), (std::pow(made["u"].back(), 2) - 9) / 2, 1e-9) << method;
    EXPECT_NEAR(made["drive.floor"].back(), std::pow(made["v"].back(), 2) / 2 + 10 * made["q"].back(), 1e-9) << method;
  }
}

}  // namespace
}  // namespace herglotz::io
