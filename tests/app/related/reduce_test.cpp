// Systems on the algebroid of their constraints, and dissipated functions, from the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Reduce, WritesAModelThatRuns) {
  const auto reduced = run_herglotz({"reduce", "chaplygin-sleigh"});
  ASSERT_EQ(reduced.status, 0) << reduced.err;
  EXPECT_THAT(reduced.out,
              AllOf(HasSubstr("fibre = [\"u\", \"w\"]"), Not(HasSubstr("[constraints]")), HasSubstr("vx = ")));
  EXPECT_THAT(reduced.err, HasSubstr("left out: the symmetry translation_x"));
}

TEST(Reduce, RefusesOtherModelsInOneLine) {
  const auto free = run_herglotz({"reduce", "damped-pendulum"});
  EXPECT_EQ(free.status, 2);
  EXPECT_THAT(free.err, HasSubstr("needs linear, affine or holonomic constraints"));
  const auto kept = run_herglotz({"reduce", "rolling-disk", "--keep", "vth"});
  EXPECT_EQ(kept.status, 2);
  EXPECT_THAT(kept.err, HasSubstr("leave 2 fibre coordinates, not 1"));
}

/// The last row of a run of a model by a tolerance of 1e-12.
Table exact_run(const Folder& folder, const std::string& model, const std::string& t_end = "5") {
  const auto run = run_herglotz({"simulate", model, "--method", "reference", "--tolerance", "1e-12", "--t-end", t_end,
                                 "--out", "run.csv", "--force"},
                                folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  return table_of(folder.read("run.csv"));
}

// [GG08, Ex. 4, Sec. 5.4]: the ball on a rotating table, on the affine bundle of its constraints.
TEST(Reduce, PutsAffineConstraintsOnTheirAffineBundle) {
  const Folder folder;
  const auto full = exact_run(folder, "ball-on-rotating-table");
  for (const std::vector<std::string>& keep : {std::vector<std::string>{}, {"--keep", "vx,vy,w3"}}) {
    std::vector<std::string> words{"reduce", "ball-on-rotating-table", "--out", "r.toml", "--force"};
    words.insert(words.end(), keep.begin(), keep.end());
    const auto reduced = run_herglotz(words, folder.path());
    ASSERT_EQ(reduced.status, 0) << reduced.err;
    EXPECT_THAT(folder.read("r.toml"), AllOf(HasSubstr("equations = [\"pace - 1\"]"), HasSubstr("pace = 1")));
    const auto on_bundle = exact_run(folder, "r.toml");
    for (const char* name : {"x", "y", "vx", "vy", "w1", "w2", "w3", "z"})
      EXPECT_NEAR(on_bundle.last(name), full.last(name), 1e-10 * (1 + std::abs(full.last(name)))) << name;
  }
}

// [GG08, Eqs. 3.4-3.6]: constraints that depend on time are those of E x TR, holonomic, linear and affine ones.
TEST(Reduce, PutsConstraintsThatDependOnTimeOnTheProductWithTime) {
  const Folder folder;
  folder.write("belt.toml", R"toml([model]
name = "belt"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[dynamics]
lagrangian = "(1 + sin(t)^2/4)*(vx^2 + vy^2)/2 - x*y/3 - z/10"
forces = { vx = "-vx/20" }
[constraints]
rule = "nonholonomic"
equations = ["vy - cos(t)*vx*x - sin(2*t)"]
[initial]
t = 0.4
x = 0.3
vx = 0.5
vy = "cos(0.4)*0.5*0.3 + sin(0.8)"
)toml");
  struct Case {
    std::string model;
    std::vector<std::string> columns;
    std::string t_end;
  };
  const std::vector<std::string> plane{"x", "y", "vx", "vy", "z", "energy"};
  for (const Case& one :
       {Case{"rotating-wire", plane, "5"}, Case{"pursuit", plane, "2.9"}, Case{"belt.toml", plane, "4"}}) {
    const auto full = exact_run(folder, one.model, one.t_end);
    const auto reduced = run_herglotz({"reduce", one.model, "--out", "r.toml", "--force"}, folder.path());
    ASSERT_EQ(reduced.status, 0) << reduced.err;
    EXPECT_THAT(folder.read("r.toml"), AllOf(HasSubstr("\"clock\""), HasSubstr("equations = [\"clock - t\"]")));
    const auto short_run = exact_run(folder, "r.toml", one.t_end);
    for (const auto& name : one.columns)
      EXPECT_NEAR(short_run.last(name), full.last(name), 1e-10 * (1 + std::abs(full.last(name))))
          << name << " of " << one.model;
    EXPECT_NEAR(short_run.last("clock"), short_run.last("t"), 1e-12);
  }
  // At x = 3 cos(t/2) the coefficient of the velocity that is gone vanishes.
  ASSERT_EQ(run_herglotz({"reduce", "pursuit", "--out", "r.toml", "--force"}, folder.path()).status, 0);
  EXPECT_THAT(folder.read("r.toml"), HasSubstr("pole_vy = { at = "));
  const auto ended = run_herglotz({"simulate", "r.toml", "--method", "reference", "--t-end", "5"}, folder.path());
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("ended by the event 'pole_vy' at t = 3.00083"));
  // The constraints of another time than the start's are not those of the motion.
  ASSERT_EQ(run_herglotz({"reduce", "rotating-wire", "--out", "r.toml", "--force"}, folder.path()).status, 0);
  EXPECT_EQ(run_herglotz({"simulate", "r.toml", "--set", "t=1", "--t-end", "2"}, folder.path()).status, 3);
  const auto acting = run_herglotz({"reduce", "worn-disk"});
  EXPECT_EQ(acting.status, 2);
  EXPECT_THAT(acting.err, HasSubstr("is not linear in the velocities with coefficients on the base"));
}

// A divisor that vanishes to an even order changes no sign, and one of parameters alone vanishes nowhere.
TEST(Reduce, EndsAtPolesOfEvenOrder) {
  const Folder folder;
  const auto reduced = [&](const std::string& equation, const std::string& keep) {
    folder.write("m.toml",
                 "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"s\", \"y\"]\nfibre = [\"vx\", \"vs\", \"vy\"]\n"
                 "[parameters]\na = 2\n[dynamics]\nlagrangian = \"(vx^2 + vs^2 + vy^2)/2\"\n[constraints]\n"
                 "rule = \"nonholonomic\"\nequations = [\"" +
                     equation + "\"]\n[initial]\nx = -1.003\nvx = 1\n");
    const auto run = run_herglotz({"reduce", "m.toml", "--keep", keep, "--out", "r.toml", "--force"}, folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    return folder.read("r.toml");
  };
  EXPECT_THAT(reduced("a*vs - x*vy", "vx,vy"), Not(HasSubstr("pole_")));
  EXPECT_THAT(reduced("x^2*vs - (s - 2)*vy", "vx,vy"), HasSubstr("pole_vs = { at = "));
  EXPECT_NEAR(exact_run(folder, "r.toml", "3").last("t"), 1.003, 1e-6);
}

TEST(Reduce, RefusesConstraintsThatDependOnInputs) {
  const Folder folder;
  folder.write("m.toml", R"toml([algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[inputs]
w = { times = [0, 1, 2], values = [0, 1, 0] }
[dynamics]
lagrangian = "(vx^2 + vy^2)/2"
[constraints]
rule = "nonholonomic"
equations = ["vy - w*vx"]
)toml");
  const auto run = run_herglotz({"reduce", "m.toml"}, folder.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("a constraint depends on the input 'w', and an algebroid may not"));
}

}  // namespace
