#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "models.hpp"
#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A free particle in space under the nonholonomic rule.
std::string particle(const std::string& equations, const std::string& initial = "",
                     const std::string& lagrangian = "(vx^2 + vy^2 + vh^2)/2") {
  return "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\", \"h\"]\nfibre = [\"vx\", \"vy\", \"vh\"]\n"
         "[dynamics]\nlagrangian = \"" +
         lagrangian + " - z/10\"\n[constraints]\nrule = \"nonholonomic\"\nequations = " + equations +
         "\n[initial]\nx = 1\n" + initial + "[simulation]\nstep = 0.01\nt_end = 1\n";
}

/// The numbers of a column at the first row.
double first(const Table& table, const std::string& name) {
  for (std::size_t k = 0; k < table.names.size(); ++k)
    if (table.names[k] == name) return table.rows.front()[k];
  throw std::out_of_range(name);
}

double largest(const Table& table, const std::string& name) {
  double value = 0;
  for (std::size_t k = 0; k < table.names.size(); ++k)
    if (table.names[k] == name)
      for (const auto& row : table.rows) value = std::max(value, std::abs(row[k]));
  return value;
}

}  // namespace

TEST(CheckConstraints, NamesTheKindOfEachEquation) {
  const auto run = run_model("check", particle(R"~(["vx*cos(x) - vy", "vh - 1", "vx^2 - x*vy"])~"));
  EXPECT_THAT(run.out, AllOf(HasSubstr("equation 1: linear in the velocities, nonholonomic rule"),
                             HasSubstr("equation 2: affine in the velocities"),
                             HasSubstr("equation 3: nonlinear in the velocities"), HasSubstr("integrable (largest")));
  const auto curved = run_model("check", particle(R"~(["vx^2 + vy^2 - 1"])~"));
  EXPECT_THAT(curved.out, HasSubstr("not integrable: its velocities are curved"));
  const auto holonomic = run_model("check", particle(R"~(["x - cos(y)"])~"));
  EXPECT_THAT(holonomic.out, HasSubstr("equation 1: holonomic, nonholonomic rule"));
  EXPECT_EQ(holonomic.status, 0) << holonomic.err;
}

TEST(CheckConstraints, SaysWhetherBothRulesAgree) {
  const auto sleigh = run_herglotz({"check", "chaplygin-sleigh"});
  EXPECT_EQ(sleigh.status, 0) << sleigh.err;
  EXPECT_THAT(sleigh.out, AllOf(HasSubstr("not integrable (largest involutivity defect 1"),
                                HasSubstr("the vakonomic rule has other motions in general"),
                                HasSubstr("constraint matrix C_ab (1 x 1) has full rank at the start"),
                                HasSubstr("constraint 1 is 0 there"), HasSubstr("consistent; energy 1.69")));
  const auto skate = run_herglotz({"check", "skate-vakonomic"});
  EXPECT_EQ(skate.status, 0) << skate.err;
  EXPECT_THAT(skate.out, AllOf(HasSubstr("equation 1: linear in the velocities, vakonomic rule"), HasSubstr("nu1 = 0"),
                               HasSubstr("the nonholonomic rule has other motions in general")));
  const auto pendulum_in_space = run_herglotz({"check", "spherical-pendulum"});
  EXPECT_EQ(pendulum_in_space.status, 0) << pendulum_in_space.err;
  EXPECT_THAT(pendulum_in_space.out, AllOf(HasSubstr("equation 1: holonomic"), Not(HasSubstr("not integrable")),
                                           HasSubstr("the nonholonomic and the vakonomic rule have the same motions"),
                                           HasSubstr("its time derivative")));
}

TEST(CheckConstraints, SaysWhichMomentaTheConstraintsLeaveAlone) {
  const auto pendulum_in_space = run_herglotz({"check", "spherical-pendulum"});
  EXPECT_THAT(pendulum_in_space.out, HasSubstr("vertical_rotation: holds (largest defect 0.0e+00); the constraints "
                                               "leave its momentum alone"));
  EXPECT_THAT(pendulum_in_space.out,
              HasSubstr("translation_x: holds (largest defect 0.0e+00); the constraints change its momentum"));
  const auto skate = run_herglotz({"check", "skate-vakonomic"});
  EXPECT_THAT(skate.out, HasSubstr("turning: holds (largest defect 0.0e+00); the constraints change its momentum"));
  EXPECT_THAT(skate.out,
              HasSubstr("translation_y: holds (largest defect 0.0e+00); the constraints leave its momentum alone"));
}

TEST(CheckConstraints, SetsARedundantEquationAside) {
  const std::string text = particle(R"(["vx", "vy", "vx*x + vy"])");
  const auto run = run_model("check", text);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("equation 3: linear in the velocities, nonholonomic rule; redundant: follows from "
                              "the others, so that lambda3 is 0"),
                    HasSubstr("C_ab (2 x 2) has full rank")));
  const auto simulated = run_model("simulate", text);
  EXPECT_EQ(simulated.status, 0) << simulated.err;
  EXPECT_THAT(simulated.out, HasSubstr("note       constraint 3 follows from the others; lambda3 is 0"));
}

TEST(CheckConstraints, RefusesContradictionsAsBadInput) {
  for (const std::string command : {"check", "simulate"}) {
    const auto run = run_model(command, particle(R"(["vx + vy", "vx + vy - 1"])"));
    EXPECT_EQ(run.status, 2) << command;
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    EXPECT_THAT(run.err, HasSubstr("m.toml:7:1: constraint 2 contradicts the others"));
    const auto singular = run_model(command, particle(R"(["(vx - vy)^2"])"));
    EXPECT_EQ(singular.status, 2) << command;
    EXPECT_EQ(lines_of(singular.err).size(), 1u) << singular.err;
    EXPECT_THAT(singular.err, HasSubstr("m.toml:7:1: constraint 1 restricts no velocity where it holds"));
  }
  EXPECT_THAT(run_model("check", particle(R"(["vx + vy", "vx + vy - 1"])")).out, HasSubstr("contradictory: "));
}

TEST(CheckConstraints, FailsWhereTheConstraintMatrixIsSingular) {
  const std::string text = particle(R"(["vx*y - vy*h"])");
  for (const std::string command : {"check", "simulate"}) {
    const auto run = run_model(command, text);
    EXPECT_EQ(run.status, 3) << command;
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr("m.toml: "), HasSubstr("constraint matrix C_ab")));
  }
  EXPECT_THAT(run_model("check", text).out,
              HasSubstr("singular at the start: constraint matrix C_ab (1 x 1) of rank 0"));
}

TEST(CheckConstraints, FailsWhereTheEquationsAreNotFinite) {
  for (const std::string command : {"check", "simulate"}) {
    const auto outside = run_model(command, particle(R"~(["log(x - 50) + vx"])~"));
    EXPECT_EQ(outside.status, 3) << command;
    EXPECT_EQ(lines_of(outside.err).size(), 1u) << outside.err;
    EXPECT_THAT(outside.err, AllOf(HasSubstr("m.toml: "), HasSubstr("give a start inside their domain"))) << command;
    const auto at_the_edge = run_model(command, particle(R"~(["vx - vy*sqrt(y)"])~"));
    EXPECT_EQ(at_the_edge.status, 3) << command;
    EXPECT_EQ(lines_of(at_the_edge.err).size(), 1u) << at_the_edge.err;
  }
}

TEST(CheckConstraints, AcceptASingularHessianThatTheyComplete) {
  const std::string text = particle(R"(["vh - x*vx"])", "vx = 0.5\nvh = 0.5\n", "(vx^2 + vy^2)/2");
  const auto check = run_model("check", text);
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out, AllOf(HasSubstr("velocity Hessian (3 x 3) of rank 2"),
                               HasSubstr("with them the accelerations and multipliers are determined at the start")));
  const auto run = run_model("simulate", text);
  EXPECT_EQ(run.status, 0) << run.err;
}

TEST(CheckConstraints, SaysWhereTheStartIsOffAndWhereItIsMoved) {
  const std::vector<std::string> off{"check", "chaplygin-sleigh", "--set", "vx=1"};
  const auto refused = run_herglotz(off);
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.out, AllOf(HasSubstr("constraint 1 is 0.143 there"), HasSubstr("off the constraints")));
  EXPECT_EQ(lines_of(refused.err).size(), 1u);
  EXPECT_THAT(refused.err, HasSubstr("chaplygin-sleigh.toml: the initial state is not consistent; change [initial], or "
                                     "set project = true there"));
  auto projecting = off;
  projecting.insert(projecting.end(), {"--set", "project=true"});
  const auto moved = run_herglotz(projecting);
  EXPECT_EQ(moved.status, 0) << moved.err;
  EXPECT_THAT(moved.out, AllOf(HasSubstr("moved onto the constraints: vx 1 -> "), HasSubstr("consistent; energy")));
}

TEST(SimulateConstraints, ProjectionKeepsWhatIsFixed) {
  const Folder folder;
  const auto start = [&](const std::string& fixed) {
    folder.write("m.toml", particle(R"(["vh - x*vx"])", "project = true\nvx = 0.5\nvh = 0.7\n" + fixed));
    const auto run = run_herglotz({"simulate", "m.toml", "--out", "run.csv"}, folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run_herglotz({"check", "m.toml"}, folder.path()).status, 0);
    const Table table = table_of(folder.read("run.csv"));
    return std::pair{first(table, "vx"), first(table, "vh")};
  };
  const auto [vx, vh] = start("");
  EXPECT_NEAR(vx, 0.6, 1e-15);
  EXPECT_NEAR(vh, 0.6, 1e-15);
  EXPECT_EQ(start("fixed = [\"vx\"]\n").first, 0.5);
  EXPECT_NEAR(start("fixed = [\"vx\"]\n").second, 0.5, 1e-15);
  EXPECT_EQ(start("fixed = [\"x\", \"vh\"]\n").second, 0.7);
  EXPECT_NEAR(start("fixed = [\"x\", \"vh\"]\n").first, 0.7, 1e-15);
  const auto refused = run_model(
      "simulate", particle(R"(["vh - x*vx"])", "project = true\nvx = 0.5\nvh = 0.7\nfixed = [\"vx\", \"vh\"]\n"));
  EXPECT_EQ(refused.status, 3);
  EXPECT_EQ(lines_of(refused.err).size(), 1U) << refused.err;
  EXPECT_THAT(refused.err,
              HasSubstr("no start on the constraints that keeps vx, vh was found; name less under 'fixed'"));
}

TEST(SimulateConstraints, ProjectionKeepsFixedPositionsOnAHolonomicConstraint) {
  const Folder folder;
  folder.write("m.toml", particle(R"(["x^2 + y^2 - 1"])",
                                  "project = true\ny = 0.6\nvx = 0.2\nvy = 1\nfixed = [\"y\", \"vy\"]\n"));
  const auto run = run_herglotz({"simulate", "m.toml", "--out", "run.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const Table table = table_of(folder.read("run.csv"));
  EXPECT_NEAR(first(table, "x"), 0.8, 1e-15);
  EXPECT_NEAR(first(table, "y"), 0.6, 1e-15);
  EXPECT_NEAR(first(table, "vx"), -0.75, 1e-14);
  EXPECT_NEAR(first(table, "vy"), 1, 1e-14);
}

TEST(SimulateConstraints, WritesTheColumnsOfTheContractInTheirOrder) {
  const Folder folder;
  const auto columns = [&](const std::string& model) {
    const auto run = run_herglotz({"simulate", model, "--t-end", "1", "--out", "run.csv"}, folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    auto names = table_of(folder.read("run.csv")).names;
    // Observables follow; each model has its own.
    names.erase(std::find(names.begin(), names.end(), "constraint.1") + 1, names.end());
    return names;
  };
  EXPECT_THAT(columns("spherical-pendulum"),
              ElementsAre("t", "x", "y", "h", "vx", "vy", "vh", "z", "lambda1", "energy", "integrating_factor",
                          "energy_invariant", "energy_residual", "momentum.vertical_rotation",
                          "momentum_invariant.vertical_rotation", "momentum_residual.vertical_rotation",
                          "momentum.translation_x", "momentum_invariant.translation_x",
                          "momentum_residual.translation_x", "constraint.1"));
  EXPECT_THAT(
      columns("skate-vakonomic"),
      ElementsAre("t", "x", "y", "th", "vx", "vy", "w", "z", "nu1", "energy", "integrating_factor", "energy_invariant",
                  "energy_residual", "momentum.turning", "momentum_invariant.turning", "momentum_residual.turning",
                  "momentum.translation_y", "momentum_invariant.translation_y", "momentum_residual.translation_y",
                  "momentum.rolling", "momentum_invariant.rolling", "momentum_residual.rolling", "constraint.1"));
}

TEST(SimulateConstraints, HonoursThemInEveryModel) {
  const Folder folder;
  for (const std::string model : {"chaplygin-sleigh", "skate-vakonomic", "spherical-pendulum"}) {
    const auto run = run_herglotz({"simulate", model, "--t-end", "2", "--out", "run.csv"}, folder.path());
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("largest constraint residual "));
    const auto table = table_of(folder.read("run.csv"));
    EXPECT_LT(largest(table, "constraint.1"), 1e-14) << model;
    EXPECT_LT(largest(table, "energy_residual"), 1e-8) << model;
  }
}

TEST(SimulateConstraints, StartsFromTheMultiplierOfTheCommandLine) {
  const Folder folder;
  const auto run = run_herglotz({"simulate", "skate-vakonomic", "--set", "nu1=0.3", "--t-end", "1", "--out", "run.csv"},
                                folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(first(table_of(folder.read("run.csv")), "nu1"), 0.3);
}

TEST(SimulateConstraints, RefusesAStartThatIsOffOrMovesIt) {
  const Folder folder;
  const auto refused = run_herglotz({"simulate", "spherical-pendulum", "--set", "vx=0.5"}, folder.path());
  EXPECT_EQ(refused.status, 3);
  EXPECT_EQ(lines_of(refused.err).size(), 1u) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("spherical-pendulum.toml: the time derivative of constraint 1 is 0.12, not 0, at "
                                     "the start"));
  const auto moved = run_herglotz({"simulate", "spherical-pendulum", "--set", "vx=0.5", "--set", "project=true",
                                   "--t-end", "1", "--out", "run.h5", "--report", "run.html"},
                                  folder.path());
  ASSERT_EQ(moved.status, 0) << moved.err;
  // v - (q.v/q.q) q with q = (0.6, 0, -0.8), v = (0.5, 1.5, 0.3): q.v = 0.06.
  EXPECT_THAT(moved.out,
              HasSubstr("note       start moved onto the constraints (the time derivative of constraint 1 is "
                        "0.12, not 0, at the start): vx 0.5 -> 0.464, vh 0.3 -> 0.348"));
  const auto again = run_herglotz({"report", "run.h5", "--out", "again.html"}, folder.path());
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(folder.read("run.html"), folder.read("again.html")) << "notes and residuals are in the file";
}

TEST(DeriveConstraints, PrintsMultipliersAndConstraints) {
  for (const std::string format : {"text", "latex", "c", "sympy"}) {
    const auto sleigh = run_herglotz({"derive", "chaplygin-sleigh", "--format", format});
    EXPECT_EQ(sleigh.status, 0) << sleigh.err;
    EXPECT_THAT(sleigh.out, HasSubstr("lambda")) << format;
  }
  const auto skate = run_herglotz({"derive", "skate-vakonomic"});
  EXPECT_EQ(skate.status, 0) << skate.err;
  EXPECT_THAT(skate.out, HasSubstr("nu1"));
}

TEST(DeriveGeometry, HasTheBracketsOfTheConstrainedSystem) {
  const auto text = run_herglotz({"derive", "spherical-pendulum", "--geometry"});
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("Contact form"), HasSubstr("eta(x) = -vx"), HasSubstr("Reeb field"),
                              HasSubstr("{x, vx} = -1"), HasSubstr("C(1, 1) = -4*(h^2 + x^2 + y^2)")));
  EXPECT_THAT(run_herglotz({"derive", "chaplygin-sleigh", "--geometry", "--format", "latex"}).out,
              AllOf(HasSubstr("\\begin{align*}"), HasSubstr("\\eta")));
  const Folder folder;
  const auto sympy = run_herglotz({"derive", "chaplygin-sleigh", "--geometry", "--format", "sympy"});
  ASSERT_EQ(sympy.status, 0) << sympy.err;
  folder.write("geometry.py", sympy.out);
  EXPECT_EQ(std::system(("python3 -m py_compile " + (folder.path() / "geometry.py").string()).c_str()), 0);
}

// Each of the 680 jacobiators of a bicycle would be as long as its brackets.
TEST(DeriveGeometry, SaysThatLongJacobiatorsAreNotWritten) {
  const auto bicycle = run_herglotz({"derive", "whipple-bicycle", "--geometry"});
  ASSERT_EQ(bicycle.status, 0) << bicycle.err;
  EXPECT_THAT(bicycle.out, AllOf(HasSubstr("Nonholonomic brackets\n"),
                                 HasSubstr("Jacobiators of the nonholonomic bracket: too long to be written\n")));
}

TEST(DeriveGeometry, LeavesRedundantEquationsOutAndSaysSo) {
  const auto run = run_model("derive", particle(R"(["vx", "vx*x"])"), {"--geometry"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "m.toml: constraints that follow from the others are left out\n");
  EXPECT_THAT(run.out, AllOf(HasSubstr("C(1, 1) = -1"), Not(HasSubstr("C(2"))));
}

TEST(DeriveGeometry, RefusesASingularLagrangianInOneLine) {
  const auto run = run_model("derive", with(pendulum, "omega^2/2", "omega"), {"--geometry"});
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
  EXPECT_THAT(run.err, HasSubstr("m.toml:13:1: "));
}

// [LLMR21, Sec. 6]: the disk is vakonomic with its momenta as multipliers; a blade only where it goes straight.
TEST(CheckCompareRules, FindsTheMultipliersOfAVakonomicMotionFromThisStart) {
  const auto disk = run_herglotz({"check", "rolling-disk", "--compare-rules", "--t-end", "2", "--format", "json"});
  ASSERT_EQ(disk.status, 0) << disk.err;
  const auto found = nlohmann::json::parse(disk.out);
  EXPECT_TRUE(found["agree"]);
  EXPECT_EQ(found["freedom"], 0);
  EXPECT_NEAR(found["multipliers"]["nu1"].get<double>(), 1.1 * std::cos(0.3), 1e-12);  // m vx with m = 1
  EXPECT_NEAR(found["multipliers"]["nu2"].get<double>(), 1.1 * std::sin(0.3), 1e-12);
  const auto blade = run_herglotz({"check", "chaplygin-sleigh", "--compare-rules", "--t-end", "2"});
  EXPECT_EQ(blade.status, 0) << blade.err;
  EXPECT_THAT(blade.out, HasSubstr("no vakonomic motion from this start is the nonholonomic one"));
  const auto straight = run_herglotz({"check", "chaplygin-sleigh", "--compare-rules", "--t-end", "2", "--set", "w=0"});
  EXPECT_THAT(straight.out, HasSubstr("the vakonomic motion is the nonholonomic one to t = 2"));
  const auto vakonomic = run_herglotz({"check", "skate-vakonomic", "--compare-rules", "--t-end", "1"});
  EXPECT_THAT(vakonomic.out, HasSubstr("no vakonomic motion from this start"));
  const auto worn = run_herglotz({"check", "worn-disk", "--compare-rules"});
  EXPECT_EQ(worn.status, 2);
  EXPECT_THAT(worn.err, HasSubstr("has the action in it"));
}

// A multiplier that starts at 0 is determined by velocities of size 1: its error cannot be below their round-off.
TEST(StiffMethod, FollowsAMultiplierThatStartsAtZero) {
  const Folder folder;
  folder.write("m.toml", R"toml(
[algebroid]
kind = "custom"
base = ["x1", "x2", "x3"]
fibre = ["y1", "y2"]
anchor = [["0", "0", "-0.19/(1 + x1^2/5)"], ["0", "0", "0"]]
[dynamics]
lagrangian = "y1^2 + y2^2"
[constraints]
rule = "vakonomic"
equations = ["1.24*x3 + 0.13*sin(t)"]
[initial]
project = true
x1 = 0.5
x2 = 0.5
x3 = 0.5
[simulation]
method = "stiff"
t_end = 2
)toml");
  for (const std::string tolerance : {"1e-9", "1e-11", "1e-13"}) {
    const auto run = run_herglotz({"simulate", "m.toml", "--tolerance", tolerance}, folder.path());
    EXPECT_EQ(run.status, 0) << tolerance << run.err;
    EXPECT_THAT(run.out, HasSubstr("y1 = -0.241103749")) << tolerance;
    EXPECT_THAT(run.out, HasSubstr("nu1 = 7.31323721")) << tolerance;
  }
}
