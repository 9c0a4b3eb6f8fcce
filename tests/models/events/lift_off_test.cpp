// Contacts that open where their force has fallen to 0: the gap then grows with the third power of time, and for a
// while is smaller than the errors of steps.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {
namespace {

constexpr double g = 9.81;
const std::vector<std::string> ways{"tolerance = 1e-11\n", "method = \"stiff\"\ntolerance = 1e-9\n",
                                    "method = \"radau-5\"\ntolerance = 1e-10\n"};

// A mass leaves a table at 0.05 sin(18 t) where 0.05 18^2 sin(18 t) = g, and falls on it again.
TEST(LiftOff, FromAShakenTableIsNoImpact) {
  const double left = std::asin(g / (0.05 * 18 * 18)) / 18;
  const double height = 0.05 * std::sin(18 * left);
  const double speed = 0.9 * std::cos(18 * left);
  for (const auto& how : ways) {
    const auto made = simulate::simulate(parse_model(
        "[algebroid]\nkind = \"tangent\"\nbase = [\"y\"]\nfibre = [\"v\"]\n[dynamics]\nlagrangian = \"v^2/2 "
        "- 9.81*y\"\n[impacts]\ntable = { gap = \"y - 0.05*sin(18*t)\", restitution = 0.3 }\n[initial]\n"
        "v = 0.9\n[simulation]\nt_end = 1.0\n" +
        how));
    ASSERT_TRUE(made.facts.complete) << how << made.facts.status;
    const auto& hits = made.events.front().columns.front().values;
    ASSERT_FALSE(hits.empty()) << how;
    const double t = hits.front() - left;
    EXPECT_NEAR(height + speed * t - g * t * t / 2, 0.05 * std::sin(18 * hits.front()), 1e-8) << how;
    EXPECT_GT(t, 0.1) << how;
  }
}

// A ladder without friction leaves the wall where sin(a) is two thirds of what it was, and does not come back.
TEST(LiftOff, OfALadderFromItsWallIsOne) {
  for (const auto& how : ways) {
    const auto made = simulate::simulate(parse_model(
        "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\", \"a\"]\nfibre = [\"vx\", \"vy\", \"w\"]\n[dynamics]\n"
        "lagrangian = \"(vx^2 + vy^2)/2 + w^2/6 - 9.81*y\"\n[impacts]\n"
        "floor = { gap = \"y - sin(a)\", restitution = 0 }\nwall = { gap = \"x - cos(a)\", restitution = 0 }\n"
        "[initial]\na = 1.1\nx = \"cos(1.1)\"\ny = \"sin(1.1)\"\n[simulation]\nt_end = 0.75\n" +
        how));
    ASSERT_TRUE(made.facts.complete) << how << made.facts.status;
    // The horizontal velocity stays what it was there: w^2 = 3 g/2 (sin(1.1) - sin(a)) = g/2 sin(1.1).
    const double sine = 2 * std::sin(1.1) / 3;
    EXPECT_NEAR(made["vx"].back(), sine * std::sqrt(g / 2 * std::sin(1.1)), 1e-7) << how;
    EXPECT_GT(made["x"].back() - std::cos(made["a"].back()), 0.01) << how;
  }
}

}  // namespace
}  // namespace herglotz::io
