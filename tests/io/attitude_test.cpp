#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "error_of.hpp"
#include "herglotz/geometry/axioms.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

std::string pose(const std::string& initial) {
  return R"([model]
name = "pose"
[algebroid]
kind = "lie-group"
group = "se3"
base = ["q0", "q1", "q2", "q3", "x", "y", "h"]
fibre = ["w1", "w2", "w3", "v1", "v2", "v3"]
[dynamics]
lagrangian = "(w1^2 + 2*w2^2 + 3*w3^2 + v1^2 + v2^2 + v3^2)/2"
[initial]
)" + initial +
         R"(
[simulation]
tolerance = 1e-12
t_end = 2.0
)";
}

TEST(LieGroups, AreLieAlgebroids) {
  const auto problem = parse_model(pose(""));
  const std::vector<double> centre{0.6, 0.2, -0.5, 0.4, 1, 2, 3};
  const auto found = geometry::check_axioms(problem.system.algebroid, {}, {}, centre);
  EXPECT_EQ(found.algebroid_class, geometry::AlgebroidClass::lie);
}

TEST(LieGroups, TurnAboutAnAxisAsTheClosedForm) {
  const auto run = simulate::simulate(parse_model(pose("w3 = 1.5\n")));
  EXPECT_EQ(run["q0"].front(), 1);
  EXPECT_NEAR(run["q0"].back(), std::cos(1.5), 1e-11);
  EXPECT_NEAR(run["q3"].back(), std::sin(1.5), 1e-11);
  ASSERT_EQ(run.facts.largest_invariants.size(), 1U);
  EXPECT_EQ(run.facts.largest_invariants[0].first, "unit.q0");
  EXPECT_LT(run.facts.largest_invariants[0].second, 1e-11);
}

TEST(LieGroups, MoveOnAStraightLineWhileTheyTumble) {
  // The centre of mass is free: its velocity in space is the first one, R(q) v for the quarter turn about h that the
  // start has.
  const auto run = simulate::simulate(
      parse_model(pose("q0 = \"sqrt(1/2)\"\nq3 = \"sqrt(1/2)\"\nw1 = 0.7\nw2 = 1.1\nw3 = -0.4\nv1 = 2.0\nv3 = 0.5\n")));
  EXPECT_NEAR(run["x"].back(), 0, 1e-10);
  EXPECT_NEAR(run["y"].back(), 4, 1e-10);
  EXPECT_NEAR(run["h"].back(), 1, 1e-10);
}

TEST(LieGroups, AreFactorsOfProducts) {
  const auto problem = parse_model(R"([model]
name = "two"
[algebroid]
kind = "product"
[[algebroid.factors]]
kind = "lie-group"
group = "so3"
base = ["a0", "a1", "a2", "a3"]
fibre = ["u1", "u2", "u3"]
[[algebroid.factors]]
kind = "lie-group"
group = "so3"
base = ["b0", "b1", "b2", "b3"]
fibre = ["w1", "w2", "w3"]
[dynamics]
lagrangian = "(u1^2 + u2^2 + u3^2 + w1^2 + w2^2 + w3^2)/2"
[initial]
b1 = 1.0
)");
  ASSERT_EQ(problem.system.invariants.size(), 2U);
  EXPECT_EQ(problem.system.invariants[1].name, "unit.b0");
  EXPECT_EQ(problem.initial.at("a0"), 1);
  EXPECT_FALSE(problem.initial.contains("b0"));
}

TEST(LieGroups, SayWhatIsWrong) {
  const auto error = [](const std::string& from, const std::string& to) {
    std::string text = pose("");
    text.replace(text.find(from), from.size(), to);
    return error_of([&] { parse_model(text); });
  };
  EXPECT_THAT(error("se3", "se2"), HasSubstr("unknown group 'se2'"));
  EXPECT_THAT(error("se3", "so3"), HasSubstr("an attitude has 4 base and 3 fibre coordinates, but base has 7 names"));
  EXPECT_THAT(error("\"x\", ", ""), HasSubstr("a pose has 7 base and 6 fibre coordinates"));
  EXPECT_THAT(error("group = \"se3\"\n", ""), HasSubstr("choose so3 for attitudes, se3 for poses"));
  EXPECT_THAT(error(R"(base = ["q0", "q1", "q2", "q3", "x", "y", "h"])", ""),
              HasSubstr(R"(has no 'base'; write base = ["q0", "q1", "q2", "q3", "x1", "x2", "x3"])"));
}

}  // namespace
}  // namespace herglotz::io
