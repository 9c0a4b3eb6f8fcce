#include "herglotz/io/problem_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace herglotz;

const std::string mass = R"toml([model]
name = "mass"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
top = 2
[control]
controls = ["u"]
kinematics = { v = "u" }
bounds = { u = [-inf, "top"] }
[cost]
running = "u^2"
[boundary]
duration = { free = true, min = 0.5 }
final = { x = "top/2" }
[guess]
x = "s*top"
)toml";

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string error_with(const std::string& from, const std::string& to) {
  try {
    (void)io::parse_problem(with(mass, from, to), "mass.toml");
  } catch (const io::InputError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST(ProblemFile, ReadsEveryTable) {
  const auto problem = io::parse_problem(mass);
  EXPECT_EQ(problem.kind, control::Kind::kinematic);
  EXPECT_EQ(problem.controls.size(), 1U);
  EXPECT_FALSE(problem.bounds[0].lower);
  EXPECT_TRUE(problem.bounds[0].upper);
  EXPECT_FALSE(problem.boundary.duration);
  EXPECT_TRUE(problem.boundary.shortest);
  EXPECT_EQ(problem.settings.intervals, 40U);
}

TEST(ProblemFile, MistakesHaveTheirPlace) {
  EXPECT_EQ(error_with("v = \"u\"", "w = \"u\""), "mass.toml:11:16: unknown fibre coordinate 'w'; known are v");
  EXPECT_EQ(error_with("kinematics = { v = \"u\" }", "kinematics = {}"),
            "mass.toml:11:14: the kinematics do not give 'v'; give every fibre coordinate, \"0\" among them");
  EXPECT_EQ(error_with("u = [-inf, \"top\"]", "u = [1]"),
            "mass.toml:12:16: the bounds of 'u' are not two numbers; give [lower, upper], with -inf or inf where "
            "there is none");
  EXPECT_EQ(error_with("x = \"top/2\"", "v = 1"), "mass.toml:17:11: unknown state 'v'; known are x");
  EXPECT_EQ(error_with("x = \"s*top\"", "x = \"u\""),
            "mass.toml:19:6: a guess may not depend on the control 'u'; use s = t/duration and parameters");
  EXPECT_EQ(error_with("duration = { free = true, min = 0.5 }\nfinal = { x = \"top/2\" }\n[guess]",
                       "duration = 2\n[guess]\nduration = 2"),
            "mass.toml:18:1: [guess] has a duration, but [boundary] fixes it; remove it, or write duration = \"free\" "
            "in [boundary]");
  EXPECT_EQ(error_with("[cost]\nrunning = \"u^2\"\n", ""),
            "mass.toml:9:2: the model has [control] and no [cost]; say in [cost] what is minimised");
  EXPECT_EQ(error_with("[guess]", "[initial]\nv = 1\n[guess]"),
            "mass.toml:19:1: 'v' is unknown at the start and comes with the solution; remove it, or guess it in "
            "[guess]");
  EXPECT_EQ(error_with("[guess]", "[mesh]\nmethod = \"gauss\"\n[guess]").substr(0, 39),
            "mass.toml:19:10: unknown method 'gauss'");
  EXPECT_EQ(error_with("running = \"u^2\"", "running = \"u^2\"\naction = \"x\""),
            "mass.toml:15:10: the name 'x' is taken: it is a base coordinate; give the action variable another name");
  EXPECT_EQ(error_with("[guess]", "[gauge]\nchoose = \"least\"\n[guess]"),
            "mass.toml:18:1: a problem of control takes no [gauge]; remove it: it chooses what a "
            "singular Lagrangian leaves open");
}

// Commands that follow a motion need none of these tables, and read them all the same.
TEST(ProblemFile, MistakesInUnreadTablesOfAMotionAreNamed) {
  const std::string model = R"toml([algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 - z/10"
[boundary]
duration = 2
final = { x = 1 }
[guess]
x = "s"
v = "1"
[mesh]
intervals = 20
[initial]
v = 0.3
)toml";
  const auto error = [&](const std::string& from, const std::string& to) {
    try {
      (void)io::parse_model(with(model, from, to), "mass.toml");
    } catch (const io::InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(error("x = 1", "x = 1"), "no error");
  EXPECT_EQ(error("final =", "finale ="), "mass.toml:9:1: unknown key 'finale'; did you mean final?");
  EXPECT_EQ(error("final = { x = 1 }", "final = { v = 1 }"), "mass.toml:9:11: unknown state 'v'; known are x");
  EXPECT_EQ(error("x = \"s\"", "xx = \"s\""), "mass.toml:11:1: unknown guess 'xx'; did you mean x?");
  EXPECT_EQ(error("intervals", "intervalls"), "mass.toml:14:1: unknown key 'intervalls'; did you mean intervals?");
  EXPECT_EQ(error("duration = 2\n", ""), "mass.toml:7:1: [boundary] has no 'duration'; give a number, or \"free\"");
  EXPECT_EQ(error("[mesh]", "[cost]\nrunning = \"x^2\"\n[mesh]"),
            "mass.toml:13:2: [cost] has no controls to choose; give [control], or remove [cost]");
}

TEST(ProblemFile, CoordinatesWithDefaultNamesHaveARemedy) {
  EXPECT_EQ(error_with("base = [\"x\"]", "base = [\"zeta\"]"),
            "mass.toml:13:1: the name 'zeta' is taken: it is a base coordinate, and the default name of the action "
            "variable; name the action variable in [cost], e.g. action = \"S\"");
  EXPECT_THAT(error_with("base = [\"x\"]", "base = [\"t\"]"),
              ::testing::HasSubstr("default name of the time variable; give the other one another name"));
}

TEST(ProblemFile, OtherCommandsRefuseProblemsOfControl) {
  try {
    (void)io::parse_model(mass, "mass.toml");
    FAIL() << "was taken";
  } catch (const io::InputError& e) {
    EXPECT_STREQ(e.what(),
                 "mass.toml:9:2: the model states a problem of control, which has no motion yet; use `herglotz solve`");
  }
}

TEST(ProblemFile, SetsParametersAndInitialValues) {
  auto problem = io::parse_problem(with(mass, "duration", "free_initial = [\"x\"]\nduration"));
  io::apply_setting(problem, "top = 3");
  EXPECT_EQ(problem.system.parameters[0].value, 3);
  io::apply_setting(problem, "x=0.5");
  EXPECT_TRUE(problem.boundary.free_initial.empty());
  EXPECT_THROW(io::apply_setting(problem, "y=1"), io::InputError);
}
