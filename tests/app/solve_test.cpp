// `herglotz solve` as its users meet it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace {

using herglotz::app::testing::Folder;
using herglotz::app::testing::run_herglotz;

const std::string mass = R"toml([model]
name = "mass"
[algebroid]
kind = "tangent"
base = ["x", "v"]
fibre = ["dx", "dv"]
[control]
controls = ["u"]
kinematics = { dx = "v", dv = "u" }
bounds = { u = [-1, 1] }
[cost]
running = "1"
[boundary]
duration = "free"
final = { x = 1, v = 0 }
[mesh]
intervals = 10
)toml";

}  // namespace

TEST(SolveCommand, PrintsOneObjectAndWritesTheRows) {
  const Folder folder;
  folder.write("mass.toml", mass);
  const auto run = run_herglotz({"solve", "mass.toml", "--format", "json", "--out", "mass.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto object = nlohmann::json::parse(run.out);
  EXPECT_NEAR(object["cost"].get<double>(), 2, 1e-8);
  EXPECT_EQ(object["extremal"], "normal");
  ASSERT_EQ(object["switching_times"]["u"].size(), 1U);
  EXPECT_NEAR(object["switching_times"]["u"][0].get<double>(), 1, 1e-8);
  EXPECT_THAT(folder.read("mass.csv"), testing::StartsWith("t,x,v,dx,dv,u,zeta,p_dx,p_dv,R,hamiltonian,"));
  // What it wrote is its own.
  EXPECT_EQ(run_herglotz({"solve", "mass.toml", "--out", "mass.csv"}, folder.path()).status, 0);
}

TEST(SolveCommand, SaysInOneLineWhatIsWrong) {
  const Folder folder;
  folder.write("mass.toml", mass);
  const auto infeasible = run_herglotz({"solve", "mass.toml", "--duration", "1"}, folder.path());
  EXPECT_EQ(infeasible.status, 3);
  EXPECT_THAT(infeasible.err, testing::HasSubstr("farthest from holding is"));
  const auto method = run_herglotz({"solve", "mass.toml", "--method", "newton"}, folder.path());
  EXPECT_EQ(method.status, 2);
  EXPECT_THAT(method.err, testing::HasSubstr("asks for the method 'newton'; known are auto, direct-gauss-2"));
  const auto other = run_herglotz({"solve", "heavy-top"}, folder.path());
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, testing::HasSubstr("the model has no [boundary] table"));
}

TEST(SolveCommand, CheckCountsUnknownsAndConditions) {
  const Folder folder;
  folder.write("mass.toml", mass);
  const auto run = run_herglotz({"check", "mass.toml"}, folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, testing::HasSubstr("2 values given at the start, 2 at the end, 0 conditions"));
}

TEST(SolveCommand, CheckNamesThePartsOfAProblemAsJson) {
  const Folder folder;
  folder.write("mass.toml", mass);
  const auto run = run_herglotz({"check", "mass.toml", "--format", "json"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto object = nlohmann::json::parse(run.out);
  using Names = std::vector<std::string>;
  EXPECT_EQ(object["model"], "mass");
  EXPECT_EQ(object["ok"], true);
  EXPECT_EQ(object["singular"]["consistent"], true);
  EXPECT_EQ(object["singular"]["levels"], 2);
  EXPECT_EQ(object["singular"]["dim_total"], 6);
  EXPECT_EQ(object["singular"]["dim_final"], 4);
  EXPECT_EQ(object["singular"]["undetermined"].get<Names>(), Names{"u"});
  EXPECT_EQ(object["constant_cost"], false);
  EXPECT_EQ(object["problem"], "kinematic");
  EXPECT_EQ(object["states"].get<Names>(), (Names{"x", "v", "zeta"}));
  EXPECT_EQ(object["controls"].get<Names>(), Names{"u"});
  EXPECT_EQ(object["costates"].get<Names>(), (Names{"p_dx", "p_dv", "R"}));
  EXPECT_EQ(object["final"]["given"].get<Names>(), (Names{"x", "v"}));
  EXPECT_EQ(object["unknowns"], 1);  // the duration
  EXPECT_EQ(object["conditions"], 0);
  EXPECT_EQ(object["duration"], "free");
  EXPECT_EQ(object["bounds"]["u"].get<std::vector<double>>(), (std::vector<double>{-1, 1}));
  EXPECT_EQ(object["linear_controls"][0]["control"], "u");
  EXPECT_EQ(object["normality"], "undecided");
  for (const auto& finding : object["findings"]) {
    EXPECT_FALSE(finding["what"].get<std::string>().empty());
    EXPECT_FALSE(finding["detail"].get<std::string>().empty());
    EXPECT_EQ(finding["verdict"], "note");
  }
}

TEST(SolveCommand, StartsWarmFromItsOwnFile) {
  const Folder folder;
  folder.write("mass.toml", mass);
  const auto first = run_herglotz({"solve", "mass.toml", "--format", "json", "--out", "mass.h5"}, folder.path());
  ASSERT_EQ(first.status, 0) << first.err;
  const auto again =
      run_herglotz({"solve", "mass.toml", "--format", "json", "--guess", "mass.h5", "--out", "mass.h5"}, folder.path());
  ASSERT_EQ(again.status, 0) << again.err;
  const auto before = nlohmann::json::parse(first.out);
  const auto after = nlohmann::json::parse(again.out);
  EXPECT_NEAR(after["cost"].get<double>(), before["cost"].get<double>(), 1e-12);
  EXPECT_EQ(after["structure"], before["structure"]);
  EXPECT_LT(after["iterations"].get<int>(), before["iterations"].get<int>());
  folder.write("beside.toml", mass + "[guess]\nfile = \"mass.h5\"\n");
  EXPECT_EQ(run_herglotz({"solve", "beside.toml"}, folder.path()).status, 0);
  const auto missing = run_herglotz({"solve", "mass.toml", "--guess", "none.h5"}, folder.path());
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, testing::HasSubstr("none.h5: there is no such file"));
}

TEST(SolveCommand, ContinuesInAParameter) {
  const Folder folder;
  std::string text = mass;
  text.replace(text.find("x = 1,"), 6, "x = \"goal\",");
  folder.write("mass.toml", text + "[parameters]\ngoal = 1\n");
  const auto run = run_herglotz({"solve", "mass.toml", "--format", "json", "--continue", "goal=1:4:4"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto object = nlohmann::json::parse(run.out);
  ASSERT_EQ(object["continuation"].size(), 4U);
  EXPECT_NEAR(object["continuation"][3]["cost"].get<double>(), 4, 1e-8);
  EXPECT_NEAR(object["cost"].get<double>(), 4, 1e-8);
  EXPECT_LT(object["continuation"][3]["iterations"].get<int>(), object["continuation"][0]["iterations"].get<int>());
  const auto table = run_herglotz({"solve", "mass.toml", "--continue", "goal=1:4:2"}, folder.path());
  EXPECT_THAT(table.out, testing::HasSubstr("          goal                 cost"));
  // A sequence ends at a problem without solution, which it names.
  const auto ends =
      run_herglotz({"solve", "mass.toml", "--continue", "duration=2:1:2", "--out", "last.h5"}, folder.path());
  EXPECT_EQ(ends.status, 3);
  EXPECT_THAT(ends.err, testing::HasSubstr("duration = 1: "));
  EXPECT_TRUE(folder.has("last.h5"));
  EXPECT_EQ(run_herglotz({"solve", "mass.toml", "--continue", "gaol=1:4:4"}, folder.path()).status, 2);
}

// In the least time there is one way alone to the goal, and no controls change the cost: costates say nothing of it.
TEST(SolveCommand, TakesTheOnlyPathInTheLeastTime) {
  const Folder folder;
  std::string text = mass;
  text.replace(text.find("\"free\""), 6, "2");
  folder.write("mass.toml", text);
  const auto run = run_herglotz({"solve", "mass.toml", "--format", "json"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto object = nlohmann::json::parse(run.out);
  EXPECT_NEAR(object["cost"].get<double>(), 2, 1e-12);
  EXPECT_LT(object["cost_error"].get<double>(), 1e-12);
  EXPECT_NEAR(object["switching_times"]["u"][0].get<double>(), 1, 1e-6);
}

TEST(SimulateCommand, ReplaysTheControlsOfASolution) {
  const Folder folder;
  folder.write("mass.toml", mass);
  ASSERT_EQ(run_herglotz({"solve", "mass.toml", "--out", "mass.h5"}, folder.path()).status, 0);
  const auto run = run_herglotz({"simulate", "mass.h5", "--format", "json", "--out", "replay.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto object = nlohmann::json::parse(run.out);
  EXPECT_NEAR(object["cost"].get<double>(), 2, 1e-8);
  EXPECT_LT(std::abs(object["cost_difference"].get<double>()), 1e-9);
  EXPECT_LT(std::abs(object["end_differences"]["x"].get<double>()), 1e-9);
  EXPECT_THAT(folder.read("replay.csv"), testing::StartsWith("t,x,v,dx,dv,u,zeta\n"));
  const auto options = run_herglotz({"simulate", "mass.h5", "--step", "0.1"}, folder.path());
  EXPECT_EQ(options.status, 2);
  EXPECT_THAT(options.err, testing::HasSubstr("--step: a motion under given controls has its own method"));
}

TEST(SimulateCommand, FollowsTheControlsOfAGuess) {
  const Folder folder;
  // x'' = -x + u with u = t gives x = t - sin t; the cost is the integral of u.
  folder.write("driven.toml", R"toml([algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 - x^2/2"
forces = { v = "u" }
[control]
controls = ["u"]
[cost]
running = "u"
[boundary]
duration = 2
[guess]
u = "2*s"
[observables]
speed = "v^2"
)toml");
  const auto run = run_herglotz({"simulate", "driven.toml", "--format", "json", "--out", "-"}, folder.path());
  EXPECT_EQ(run.status, 2) << "both want standard output";
  const auto rows = run_herglotz({"simulate", "driven.toml", "--out", "-"}, folder.path());
  ASSERT_EQ(rows.status, 0) << rows.err;
  const auto table = herglotz::app::testing::table_of(rows.out);
  EXPECT_THAT(table.names, testing::ElementsAre("t", "x", "v", "z", "u", "zeta", "speed"));
  EXPECT_NEAR(table.last("x"), 2 - std::sin(2.0), 1e-9);
  EXPECT_NEAR(table.last("v"), 1 - std::cos(2.0), 1e-9);
  EXPECT_NEAR(table.last("zeta"), 2, 1e-9);
}

TEST(DeriveCommand, PrintsTheConditionsOfAProblem) {
  const Folder folder;
  folder.write("mass.toml", mass);
  const auto text = run_herglotz({"derive", "mass.toml"}, folder.path());
  ASSERT_EQ(text.status, 0) << text.err;
  for (const char* row : {"H = u*p_dv + v*p_dx - 1", "dp_dv/dt = -p_dx", "switch(u) = p_dv", "R(T) = 1", "H(T) = 0"})
    EXPECT_THAT(text.out, testing::HasSubstr(row));
  EXPECT_THAT(run_herglotz({"derive", "mass.toml", "--format", "sympy"}, folder.path()).out,
              testing::HasSubstr("p_dv_dot"));
  EXPECT_THAT(run_herglotz({"derive", "mass.toml", "--format", "latex"}, folder.path()).out,
              testing::HasSubstr("S_{u}"));
  EXPECT_EQ(run_herglotz({"derive", "mass.toml", "--format", "c"}, folder.path()).status, 2);
}

TEST(DeriveCommand, PrintsConditionsAsJsonWithThoseOfAbnormalExtremals) {
  const Folder folder;
  folder.write("mass.toml", mass);
  const auto run = run_herglotz({"derive", "mass.toml", "--format", "json"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto sections = nlohmann::json::parse(run.out)["sections"];
  const auto& last = sections.back();
  EXPECT_THAT(last["title"].get<std::string>(), testing::StartsWith("Abnormal extremals"));
  EXPECT_EQ(last["equations"][0], (nlohmann::json{{"left", "H0"}, {"right", "u*p_dv + v*p_dx"}}));
  EXPECT_EQ(last["equations"][2], (nlohmann::json{{"left", "dp_dv/dt"}, {"right", "-p_dx"}}));
}

namespace {

/// A model in (x, y) with y' = u, in which parts of a line are replaced.
struct Changed {
  std::string control;
  std::string running = "u^2/2";
  std::string duration = "1";
  std::string guess{};
};

std::string model_with(const Changed& what) {
  return "[model]\nname = \"p\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\"]\nfibre = [\"vx\", \"vy\"]\n"
         "[control]\ncontrols = [\"u\"]\nkinematics = { vx = \"y\", vy = \"u\" }\n" +
         what.control + "\n[cost]\nrunning = \"" + what.running +
         "\"\n[boundary]\nfinal = { x = 1, y = 0 }\nduration = " + what.duration + "\n[guess]\n" + what.guess + "\n";
}

/// Expects one line with this part, and this status.
void expect_line_about(const Changed& what, int status, const std::string& part) {
  const Folder folder;
  folder.write("p.toml", model_with(what));
  const auto run = run_herglotz({"solve", "p.toml"}, folder.path());
  EXPECT_EQ(run.status, status) << run.out << run.err;
  EXPECT_EQ(herglotz::app::testing::lines_of(run.err).size(), 1U) << run.err;
  EXPECT_THAT(run.err, testing::HasSubstr(part));
}

}  // namespace

TEST(SolveCommand, NamesAnInequalityThatTheStartBreaks) {
  expect_line_about({"path = [\"0.5 - y\"]"}, 3,
                    "inequality 1 of [control] path is 0.5 at the start, and must be at most 0");
}

TEST(SolveCommand, NamesAnInequalityThatTheEndBreaks) {
  expect_line_about({"path = [\"-x - 1\", \"x - 0.5\"]"}, 3,
                    "inequality 2 of [control] path is 0.5 at the end, and must be at most 0");
}

TEST(SolveCommand, NamesAnInequalityThatNoControlKeeps) {
  expect_line_about({"path = [\"u - 1\"]\nbounds = { u = [2, 3] }"}, 3,
                    "inequality 1 of [control] path is 1 at the start");
}

TEST(SolveCommand, SaysThatNoDurationIsTheBest) {
  expect_line_about({"", "u^2/2", "\"free\""}, 3,
                    "no duration is the best: the cost falls as long as the duration grows");
  expect_line_about({"", "u^2/2", "{ free = true, min = 2 }"}, 3, "no duration is the best");
}

TEST(SolveCommand, NamesAGuessThatIsNotFinite) {
  expect_line_about({"", "u^2/2", "1", "y = \"log(s)\""}, 2, "the guess of 'y' is not finite at s = 0");
}

TEST(SolveCommand, NamesTheRateThatIsNotFinite) {
  expect_line_about({"", "u^2/2 + log(x - 2)"}, 3, "is not finite: look at the rate of 'zeta'");
}

TEST(SolveCommand, NamesTheRateWhoseDerivativeIsNotFinite) {
  const Folder folder;
  folder.write("p.toml",
               "[model]\nname = \"p\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = [\"v\"]\n"
               "[control]\ncontrols = [\"u\"]\nkinematics = { v = \"u\" }\n[cost]\nrunning = \"sqrt(u) + u^2\"\n"
               "[initial]\nx = 0\n[boundary]\nduration = 1\nfinal = { x = 1 }\n");
  const auto run = run_herglotz({"solve", "p.toml"}, folder.path());
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, testing::HasSubstr("is not finite: look at the rate of 'zeta' near"));
  EXPECT_THAT(run.out, testing::HasSubstr("price_share has no value"));
}

TEST(SolveCommand, NamesAControlThatMayHaveImpulses) {
  expect_line_about({"", "x^2/2"}, 3, "linear in 'u', which has no bounds: its best values may be impulses");
}

TEST(SolveCommand, RefusesAFirstMeshBeyondTheLargest) {
  const Folder folder;
  folder.write("mass.toml", mass + "max_intervals = 8\n");
  for (const std::string command : {"solve", "check"}) {
    const auto run = run_herglotz({command, "mass.toml"}, folder.path());
    EXPECT_EQ(run.status, 2) << command;
    EXPECT_EQ(run.err,
              "mass.toml:16:1: [mesh] begins with 10 intervals, and its max_intervals allows 8; raise "
              "max_intervals, or begin with fewer intervals\n");
  }
  EXPECT_EQ(run_herglotz({"solve", "mass.toml", "--intervals", "8"}, folder.path()).status, 0);
  folder.write("p.toml", model_with({""}));
  const auto many = run_herglotz({"solve", "p.toml", "--intervals", "2100", "--tolerance", "1"}, folder.path());
  EXPECT_EQ(many.status, 0) << many.err;
}

TEST(SolveCommand, SaysThatAConstantCostHasNoBestPath) {
  const Folder folder;
  for (const std::string duration : {"1", "\"free\""}) {
    folder.write("p.toml", model_with({"bounds = { u = [-9, 9] }", "0", duration}));
    const auto run = run_herglotz({"solve", "p.toml", "--format", "json"}, folder.path());
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(nlohmann::json::parse(run.out)["reason"],
              "the conditions hold; the cost is the same for every path that meets them, so that none is the best");
    const auto check = run_herglotz({"check", "p.toml"}, folder.path());
    EXPECT_THAT(check.out, testing::HasSubstr("the same for every path that meets the conditions: none is the best"));
  }
  folder.write("p.toml", model_with({"bounds = { u = [-9, 9] }", "1", "\"free\""}));
  EXPECT_THAT(run_herglotz({"check", "p.toml"}, folder.path()).out,
              testing::Not(testing::HasSubstr("none is the best")));
}
