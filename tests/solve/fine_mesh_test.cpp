// Problems on many intervals are begun on few, and their solutions are those of few.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "path.hpp"
#include "problems.hpp"

namespace {

using namespace herglotz;
using solve::Hold;
using solve::testing::solved;

/// A rigid body turns from rest to rest by bounded torques in the least time.
std::string fastest_slew(const std::string& attitude, std::size_t intervals) {
  return fmt::format(R"toml([model]
name = "slew"
{}[dynamics]
lagrangian = "(w1^2 + 2*w2^2 + 3*w3^2)/2"
forces = {{ w1 = "u1", w2 = "u2", w3 = "u3" }}
[initial]
q0 = 1
[control]
controls = ["u1", "u2", "u3"]
bounds = {{ u1 = [-1, 1], u2 = [-1, 1], u3 = [-1, 1] }}
[cost]
running = "1"
[boundary]
duration = "free"
final = {{ {}, w1 = 0, w2 = 0, w3 = 0 }}
[mesh]
intervals = {}
)toml",
                     solve::testing::rotations, attitude, intervals);
}

}  // namespace

// About a principal axis the body is a double integrator: half of the angle with the full torque, half against it, in
// 2 sqrt(I angle/torque). Torques about the other axes are singular.
TEST(FineMesh, ASlewAboutAPrincipalAxisOnAThousandIntervalsSwitchesInTheMiddle) {
  const auto slew = solved(fastest_slew("q1 = \"sin(0.5)\", q2 = 0, q3 = 0", 1000));
  ASSERT_EQ(slew.status, solve::Status::solved) << slew.reason;
  EXPECT_EQ(slew.intervals, 1000U);
  EXPECT_NEAR(slew.duration, 2, 1e-10);
  EXPECT_THAT(slew.switching_times.at("u1"), testing::ElementsAre(testing::DoubleNear(1, 1e-9)));
}

// Eight arcs, three torques: on 160 intervals and more, the controls near a switch are away from their bounds by more
// than arcs are told from singular ones, unless a coarse mesh finds the arcs.
TEST(FineMesh, ArcsOfASlewAboutAGeneralAxisDoNotDependOnTheMesh) {
  const std::string attitude = "q1 = 0.6, q2 = 0.3, q3 = 0.5";
  const auto few = solved(fastest_slew(attitude, 40));
  const auto many = solved(fastest_slew(attitude, 1000));
  ASSERT_EQ(few.status, solve::Status::solved) << few.reason;
  ASSERT_EQ(many.status, solve::Status::solved) << many.reason;
  EXPECT_EQ(many.structure, few.structure);
  EXPECT_NEAR(many.duration, few.duration, 1e-10);
  EXPECT_GE(many.intervals, 995U);  // an arc has a whole number of them
  EXPECT_LE(many.intervals, 1005U);
}

class FineMeshOf : public testing::TestWithParam<const char*> {};

// The double integrator with the least integral of u^2/2 from x = 0 to 1, rest to rest in T = 1: 6 by u = 6 - 12 t.
// Its controls are quadratic polynomials under a bound, which they reach at both ends.
TEST_P(FineMeshOf, EveryMethodHasTheIntervalsThatAreAskedFor) {
  const auto regulator = [](const std::string& bounds, double distance) {
    return solved(fmt::format(R"toml([model]
name = "body"
[algebroid]
kind = "tangent"
base = ["x", "v"]
fibre = ["wx", "wv"]
[control]
controls = ["u"]
kinematics = {{ wx = "v", wv = "u" }}
{}
[cost]
running = "u^2/2"
[boundary]
duration = 1
final = {{ x = {}, v = 0 }}
[mesh]
method = "{}"
intervals = 700
tolerance = 1e-4
)toml",
                              bounds, distance, GetParam()));
  };
  const bool is_second = std::string(GetParam()).ends_with("2");
  const auto free = regulator("", 1);
  ASSERT_EQ(free.status, solve::Status::solved) << free.reason;
  EXPECT_EQ(free.intervals, 700U);
  EXPECT_NEAR(free.cost, 6, is_second ? 1e-3 : 1e-9);
  if (std::string(GetParam()).starts_with("direct-lobatto")) return;  // bounds inside intervals are not settled
  // With |u| <= 5 the ends of the line of slope s are cut off at t and 1 - t: x(1) = 5/4 - (1/2 - t)^2 5/3, which is 1
  // for t = 1/2 - sqrt(3/20); the cost is 25/2 (2 t + (1 - 2 t)/3).
  const auto bounded = regulator("bounds = { u = [-5, 5] }", 1);
  const double t = 0.5 - std::sqrt(0.15);
  ASSERT_EQ(bounded.status, solve::Status::solved) << bounded.reason;
  EXPECT_GE(bounded.intervals, 699U);
  EXPECT_LE(bounded.intervals, 702U);
  EXPECT_NEAR(bounded.cost, 12.5 * (2 * t + (1 - 2 * t) / 3), is_second ? 1e-3 : 1e-7);
  ASSERT_EQ(bounded.switching_times.at("u").size(), 2U);
  EXPECT_NEAR(bounded.switching_times.at("u")[0], t, is_second ? 1e-3 : 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Methods, FineMeshOf,
                         testing::Values("auto", "shooting", "direct-gauss-2", "direct-gauss-4", "direct-gauss-6",
                                         "direct-lobatto-2", "direct-lobatto-4"));

// Intervals between two junctions have one length, and each keeps its hold.
TEST(FineMesh, JunctionsStayNodesWhereIntervalsAreAdded) {
  solve::Arc arc;
  arc.held = {Hold::free};
  arc.nodes = {0, 0.1, 0.3, 1};
  arc.duration = 2;
  arc.kept = {{Hold::upper}, {Hold::free}, {Hold::free}};
  const auto mesh = solve::with_intervals({{arc}}, 100);
  ASSERT_EQ(mesh.intervals(), 100U);
  const auto& finer = mesh.arcs.front();
  ASSERT_EQ(finer.kept.size(), 100U);
  EXPECT_DOUBLE_EQ(finer.nodes[10], 0.1);
  EXPECT_EQ(finer.kept[9].front(), Hold::upper);
  EXPECT_EQ(finer.kept[10].front(), Hold::free);
  for (std::size_t k = 0; k < 100; ++k) EXPECT_NEAR(finer.nodes[k + 1] - finer.nodes[k], 0.01, 1e-14);
}
