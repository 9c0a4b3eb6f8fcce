// Rest contact with friction on two slips that are exactly 0 where it begins.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace {

using namespace herglotz;
using simulate::InitialState;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;
using testing::Contains;
using testing::HasSubstr;

constexpr double acceleration_of_fall = 9.81;
constexpr double angle = 0.3;  // tan = 0.309

/// Coefficients of an impact.
struct Rough {
  std::string restitution;
  std::string friction;
};

/// A body of mass 1 that falls.
Simulator falling_body(const std::string& gap, const Rough& rough, const std::array<std::string, 2>& slip) {
  auto graph = std::make_shared<symbolic::Graph>();
  symbolic::Scope scope{{"c", graph->number(std::cos(angle))}, {"s", graph->number(std::sin(angle))}};
  const auto symbols = [&](const std::vector<std::string>& names) {
    std::vector<Expr> list;
    for (const auto& name : names) scope.emplace(name, list.emplace_back(graph->symbol(name)));
    return list;
  };
  auto base = symbols({"x", "y", "h"});
  auto fibre = symbols({"vx", "vy", "vh"});
  auto system = mechanics::make_system(geometry::tangent(graph, {std::move(base), std::move(fibre)}));
  const auto read = [&](const std::string& text) { return symbolic::parse(*graph, text, scope); };
  system.generator = read("(vx^2 + vy^2 + vh^2)/2 - 9.81*h");
  mechanics::add_impact(system, "floor", read(gap),
                        {read(rough.restitution), read(rough.friction), {read(slip[0]), read(slip[1])}});
  return Simulator(std::move(system));
}

/// A body above a floor.
Simulator above_floor() {
  return falling_body("h", {"0.5", "0.3"}, {"vx", "vy"});
}

/// A body above a plane that rises by the angle along (3, 4)/5. The gap is the distance from the plane, and the slips
/// are orthonormal, with neither along the slope.
Simulator above_incline(const Rough& rough) {
  const std::string up = "(c*(0.6*vx + 0.8*vy) + s*vh)";
  const std::string across = "(0.6*vy - 0.8*vx)";
  return falling_body("c*h - s*(0.6*x + 0.8*y)", rough,
                      {"0.6*" + up + " - 0.8*" + across, "0.8*" + up + " + 0.6*" + across});
}

analyse::Trajectory run(const Simulator& simulator, const InitialState& initial, const std::string& method) {
  Settings settings;
  settings.method = method;
  settings.t_end = 2;
  settings.tolerance = 1e-12;
  return simulator.run(initial, settings);
}

/// Largest energy residual by a method: `stiff` has an error of its own in the height at which it hits.
double residual_of(const std::string& method) {
  return method == "stiff" ? 1e-11 : 1e-12;
}

const auto methods = {"reference", "taylor", "radau-5", "stiff"};

// A ball that falls from the height 1 is at rest at sqrt(2/g) (1 + 2 e/(1 - e)), 3 sqrt(2/g) with e = 1/2.
TEST(RestContact, HoldsABallAtOnceThatWasDroppedWithoutVelocity) {
  const Simulator simulator = above_floor();
  const std::string time = std::to_string(3 * std::sqrt(2 / acceleration_of_fall)).substr(0, 7);
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const auto made = run(simulator, {{"h", 1}}, method);
    EXPECT_LT(made.facts.largest_energy_residual, residual_of(method));
    EXPECT_THAT(made.facts.notes, Contains(HasSubstr("sticks 1 time, first from t = " + time)));
    for (const auto* name : {"x", "y", "vx", "vy", "vh"}) EXPECT_EQ(made[name].back(), 0) << name;
    EXPECT_NEAR(made["h"].back(), 0, 1e-15);
    EXPECT_NEAR(made["loss.floor"].back(), acceleration_of_fall, 1e-10);
  }
}

// The first impulse stops a slip u if |u| <= mu (1 + e) v_n; it takes |u|^2/2.
TEST(RestContact, HoldsABallWhoseSlipAnImpulseStopped) {
  const Simulator simulator = above_floor();
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const auto made = run(simulator, {{"h", 1}, {"vx", 1}, {"vy", 0.5}}, method);
    EXPECT_LT(made.facts.largest_energy_residual, residual_of(method));
    EXPECT_NEAR(made["x"].back(), std::sqrt(2 / acceleration_of_fall), 1e-11);
    EXPECT_NEAR(made["y"].back(), std::sqrt(2 / acceleration_of_fall) / 2, 1e-11);
    EXPECT_NEAR(made["work.floor"].back(), -0.625, 1e-12);
    for (const auto* name : {"vx", "vy", "vh"}) EXPECT_EQ(made[name].back(), 0) << name;
  }
}

// The force N on the gap h - k (0.6 x + 0.8 y) is g, and pushes by k N down the slope: friction mu N on vx and vy holds
// it if k <= mu.
TEST(RestContact, HoldsABodyOnAPlaneThatIsNotTooSteep) {
  const Simulator simulator = falling_body("h - 0.25*(0.6*x + 0.8*y)", {"0.5", "0.26"}, {"vx", "vy"});
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const auto rests = run(simulator, {{"x", 1}, {"y", 0.5}, {"h", 0.25}}, method);
    EXPECT_THAT(rests.facts.notes, Contains(HasSubstr("sticks 1 time, first from t = 0")));
    EXPECT_EQ(rests["x"].back(), 1);
    EXPECT_EQ(rests["y"].back(), 0.5);
    for (const auto* name : {"vx", "vy", "vh"}) EXPECT_EQ(rests[name].back(), 0) << name;
    const auto falls = run(simulator, {{"x", 1}, {"y", 0.5}, {"h", 1}}, method);
    EXPECT_LT(falls.facts.largest_energy_residual, residual_of(method));
    for (const auto* name : {"vx", "vy", "vh"}) EXPECT_EQ(falls[name].back(), 0) << name;
    EXPECT_NEAR(falls["h"].back(), 0.25 * (0.6 * falls["x"].back() + 0.8 * falls["y"].back()), 1e-12);
  }
}

// All impulses of the plane up to the time t have the sum g cos(a) t along its normal, in impacts and in contact: a
// body that never sticks has the slip g (sin a - mu cos a) t.
TEST(RestContact, LetsABodySlideDownASteepPlane) {
  const double pull = acceleration_of_fall * (std::sin(angle) - 0.2 * std::cos(angle));
  for (const char* restitution : {"0", "0.5"}) {
    const Simulator simulator = above_incline({restitution, "0.2"});
    for (const std::string method : methods) {
      SCOPED_TRACE(method + ", e = " + restitution);
      const auto rests = run(simulator, {}, method);
      EXPECT_LT(rests.facts.largest_energy_residual, residual_of(method));
      EXPECT_NEAR(rests["h"].back(), -pull * 2 * std::sin(angle), 1e-9);
      EXPECT_NEAR(std::hypot(rests["x"].back(), rests["y"].back()), pull * 2 * std::cos(angle), 1e-9);
      EXPECT_NEAR(rests["vx"].back(), -0.6 * pull * 2 * std::cos(angle), 1e-9);
      EXPECT_NEAR(rests["vy"].back(), -0.8 * pull * 2 * std::cos(angle), 1e-9);
      const auto falls = run(simulator, {{"h", 0.1}}, method);
      EXPECT_LT(falls.facts.largest_energy_residual, residual_of(method));
      EXPECT_NEAR(falls["vh"].back(), -pull * 2 * std::sin(angle), 1e-9);
      EXPECT_NEAR(falls["vx"].back(), -0.6 * pull * 2 * std::cos(angle), 1e-9);
      EXPECT_NEAR(falls["vy"].back(), -0.8 * pull * 2 * std::cos(angle), 1e-9);
    }
  }
}

}  // namespace
