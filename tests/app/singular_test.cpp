// Singular Lagrangians as their users meet them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string christ_lee = R"toml([model]
name = "frame"
[algebroid]
kind = "tangent"
base = ["x1", "x2", "y"]
fibre = ["w1", "w2", "wy"]
[parameters]
g = 0.2
[dynamics]
lagrangian = "(w1 - y*x2)^2/2 + (w2 + y*x1)^2/2 - (x1^2 + x2^2)/2 - g*z"
[initial]
x1 = 1
x2 = 0.5
w1 = 0.3
w2 = 0.15
)toml";

const std::string charge = R"toml([model]
name = "charge"
[algebroid]
kind = "tangent"
base = ["x", "th"]
fibre = ["v", "vth"]
[parameters]
g = 0.2
e = 0.5
[dynamics]
lagrangian = "v^2/2 + e*vth - g*z"
)toml";

const std::string oscillator = R"toml([model]
name = "oscillator"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 - x^2/2"
[initial]
x = 1
)toml";

TEST(SingularCheck, ListsConstraintsByLevelAndCountsWhatIsArbitrary) {
  const Folder folder;
  folder.write("m.toml", christ_lee);
  const auto run = run_herglotz({"check", "m.toml", "--format", "json"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto found = nlohmann::json::parse(run.out);
  EXPECT_EQ(found["model"], "frame");
  const auto& singular = found["singular"];
  EXPECT_EQ(singular["consistent"], true);
  EXPECT_EQ(singular["levels"], 2);
  EXPECT_EQ(singular["constraints"].size(), 4U);
  EXPECT_EQ(singular["constraints"][2], (nlohmann::json{{"level", 1}, {"expression", "p_wy"}}));
  EXPECT_EQ(singular["dim_total"], 10);
  EXPECT_EQ(singular["dim_final"], 6);
  EXPECT_EQ(singular["arbitrary_functions"], 1);
  EXPECT_EQ(singular["undetermined"], nlohmann::json{"wy"});
  EXPECT_EQ(singular["dim_gauge_orbits"], 3);
  EXPECT_EQ(singular["dim_physical"], 3);
  EXPECT_TRUE(singular["contradiction"].is_null());
  for (const auto& finding : found["findings"])
    EXPECT_TRUE(finding["verdict"] == "holds" || finding["verdict"] == "note") << finding.dump();
}

TEST(SingularCheck, IsNullForARegularLagrangian) {
  const Folder folder;
  folder.write("m.toml", oscillator);
  const auto run = run_herglotz({"check", "m.toml", "--format", "json"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto found = nlohmann::json::parse(run.out);
  ASSERT_TRUE(found.contains("singular"));
  EXPECT_TRUE(found["singular"].is_null());
}

TEST(SingularCheck, NamesTheContradictionAndItsLevel) {  // [ASC25, Ex. 6.7]
  const Folder folder;
  folder.write("m.toml", charge);
  const auto json = run_herglotz({"check", "m.toml", "--format", "json"}, folder.path());
  EXPECT_EQ(json.status, 3);
  const auto singular = nlohmann::json::parse(json.out)["singular"];
  EXPECT_EQ(singular["consistent"], false);
  EXPECT_EQ(singular["contradiction"], "-e*g");
  EXPECT_EQ(singular["contradiction_level"], 2);
  EXPECT_THAT(json.err, HasSubstr("level 2 of its constraints demands -e*g = 0, which is -0.1 near the start"));
  EXPECT_EQ(run_herglotz({"check", "m.toml", "--set", "g=0"}, folder.path()).status, 0);
}

TEST(SingularCheck, NamesTheConstraintThatAStartIsOff) {
  const Folder folder;
  folder.write("m.toml", christ_lee);
  const auto run = run_herglotz({"check", "m.toml", "--set", "w2=0.4"}, folder.path());
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("constraint 4 (level 2), x2*w1 - y*(x1^2 + x2^2) - x1*w2 = 0, is -0.25 at the start"));
}

TEST(SingularDerive, PrintsConstraintsLevelByLevelAndContradictions) {
  const Folder folder;
  folder.write("m.toml", christ_lee);
  folder.write("c.toml", charge);
  const auto text = run_herglotz({"derive", "m.toml"}, folder.path());
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("Constraints of the singular Lagrangian, level 2\n"));
  EXPECT_THAT(text.out, HasSubstr("  x2*w1 - y*(x1^2 + x2^2) - x1*w2 = 0\n"));
  EXPECT_THAT(run_herglotz({"derive", "m.toml", "--format", "latex"}, folder.path()).out,
              HasSubstr("level 2} \\\\\n&x_{2} w_{1}"));
  EXPECT_THAT(run_herglotz({"derive", "m.toml", "--format", "sympy"}, folder.path()).out, HasSubstr("(p_wy, 0),"));
  EXPECT_THAT(run_herglotz({"derive", "c.toml"}, folder.path()).out, HasSubstr("Contradiction at level 2\n"));
}

TEST(SingularDerive, ImplicitEquationsInvertNothing) {  // [ASC25, Thm 6.2]
  const Folder folder;
  folder.write("m.toml", christ_lee);
  const auto run = run_herglotz({"derive", "m.toml", "--implicit"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("  d(p_w1)/dt = y*(x1*y + w2) - g*p_w1 - x1\n"));
  EXPECT_THAT(run.out, HasSubstr("  p_wy = 0\n"));
  EXPECT_THAT(run.out, Not(HasSubstr("d(w1)/dt")));
  const auto in_c = run_herglotz({"derive", "m.toml", "--implicit", "--format", "c"}, folder.path());
  EXPECT_EQ(in_c.status, 2);
  EXPECT_THAT(in_c.err, HasSubstr("--implicit: implicit equations are not a right-hand side and have no C form"));
  const auto both = run_herglotz({"derive", "m.toml", "--implicit", "--geometry"}, folder.path());
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("--implicit: both --geometry and --implicit are given; keep one of them"));
}

}  // namespace
