// Models that belong to another one: flows of X_f and X_f^Delta, the action as a coordinate, adjoint algebroids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// The last row of a run of a model, by a tolerance of 1e-12.
Table run_to(const Folder& folder, const std::string& model, const std::string& t_end) {
  const auto run = run_herglotz({"simulate", model, "--method", "reference", "--tolerance", "1e-12", "--t-end", t_end,
                                 "--out", "run.csv", "--force"},
                                folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  return table_of(folder.read("run.csv"));
}

// [LJL21, Eq. 33]: X_f = theta d/dtheta - p d/dp for f = theta p.
TEST(Flow, OfAFunctionHasItsClosedForm) {
  const Folder folder;
  const auto written =
      run_herglotz({"flow", "damped-pendulum", "theta*p_omega + z", "--out", "flow.toml"}, folder.path());
  ASSERT_EQ(written.status, 0) << written.err;
  const auto given = table_of(run_herglotz({"simulate", "damped-pendulum", "--out", "-"}).out);
  const auto first = [&](const std::string& name) {
    const auto at = std::find(given.names.begin(), given.names.end(), name) - given.names.begin();
    return given.rows.front()[static_cast<std::size_t>(at)];
  };
  const auto end = run_to(folder, "flow.toml", "0.5");
  // H = theta p + z: dp/dt = -p - p, dz/dt = -z.
  EXPECT_NEAR(end.last("theta"), first("theta") * std::exp(0.5), 1e-11);
  EXPECT_NEAR(end.last("p_omega"), first("omega") * std::exp(-1.0), 1e-11);
  EXPECT_NEAR(end.last("z"), first("z") * std::exp(-0.5), 1e-11);
}

// [LJL21, Thms 17, 18]: the flow of the energy is the motion, and constraints are Casimirs of every flow.
TEST(Flow, AlongConstraintsIsTheMotionForTheEnergy) {
  const Folder folder;
  ASSERT_EQ(
      run_herglotz({"flow", "chaplygin-sleigh", "energy", "--constrained", "--out", "f.toml"}, folder.path()).status,
      0);
  const auto motion = run_to(folder, "chaplygin-sleigh", "2");
  const auto flow = run_to(folder, "f.toml", "2");
  for (const char* name : {"x", "y", "phi", "vx", "vy", "w", "z"})
    EXPECT_NEAR(flow.last(name), motion.last(name), 1e-9) << name;
  ASSERT_EQ(
      run_herglotz({"flow", "chaplygin-sleigh", "x*vx - z", "--constrained", "--out", "g.toml"}, folder.path()).status,
      0);
  EXPECT_NEAR(run_to(folder, "g.toml", "0.5").last("constraint_1"), 0, 1e-10);
}

TEST(Flow, RefusesOtherFunctionsInOneLine) {
  const auto velocity = run_herglotz({"flow", "damped-pendulum", "omega"});
  EXPECT_EQ(velocity.status, 2);
  EXPECT_THAT(velocity.err, HasSubstr("use the momentum p_omega"));
  const auto unknown = run_herglotz({"flow", "damped-pendulum", "thete"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("FUNCTION 'thete'"), HasSubstr("theta")));
  const auto free = run_herglotz({"flow", "damped-pendulum", "energy", "--constrained"});
  EXPECT_EQ(free.status, 2);
  EXPECT_THAT(free.err, HasSubstr("constraints under the nonholonomic rule"));
}

// [LLMR21, Secs. 3-5].
TEST(Flow, TellsWhichEventsItDoesNotHave) {
  const Folder folder;
  folder.write("m.toml", R"([sampled]
u = { value = "-q", every = 0.1 }
[dynamics]
forces = { v = "u" }
lagrangian = "v^2/2"
[algebroid]
base = ["q"]
fibre = ["v"]
kind = "tangent"
[events]
kick = { at = "t - 1", set = { v = "v + 1" } }
seen = "q - 1"
[initial]
q = 1.0
[simulation]
t_end = 1.0
)");
  const auto notes =
      testing::ElementsAre("m.toml: left out: the event sampled changes the state",
                           "m.toml: left out: the event kick changes the state", "m.toml: left out: the event seen");
  EXPECT_THAT(lines_of(run_herglotz({"flow", "m.toml", "p_v"}, folder.path()).err), notes);
  EXPECT_THAT(lines_of(run_herglotz({"extend", "m.toml"}, folder.path()).err), notes);
  EXPECT_EQ(run_herglotz({"flow", "damped-pendulum", "p_omega"}).err, "");
}

TEST(Extend, KeepsTheMotionByBothRules) {
  const Folder folder;
  const auto motion = run_to(folder, "damped-pendulum", "3");
  for (const char* rule : {"nonholonomic", "vakonomic"}) {
    const auto written =
        run_herglotz({"extend", "damped-pendulum", "--rule", rule, "--out", "e.toml", "--force"}, folder.path());
    ASSERT_EQ(written.status, 0) << written.err;
    const auto run = run_to(folder, "e.toml", "3");
    for (const char* name : {"theta", "omega", "z"}) EXPECT_NEAR(run.last(name), motion.last(name), 1e-9) << rule;
  }
}

// [GG08, Sec. 2]: the adjoint of a skew algebroid is its opposite, whose motion is that of the time reversed bracket.
TEST(AdjointAlgebroid, OfARigidBodyIsItsOpposite) {
  const Folder folder;
  const std::string rest = R"toml(
[algebroid.of]
kind = "lie-algebra"
group = "so3"
base = []
fibre = ["w1", "w2", "w3"]
[dynamics]
lagrangian = "(w1^2 + 2*w2^2 + 3*w3^2)/2"
[initial]
w1 = 0.7
w2 = 0.5
w3 = 1.1
)toml";
  const auto model = [&](const std::string& kind) { return "[algebroid]\nkind = \"" + kind + "\"" + rest; };
  folder.write("a.toml", model("adjoint"));
  folder.write("o.toml", model("opposite"));
  folder.write("g.toml", rest.substr(0, rest.find("[algebroid.of]")) + "[algebroid]" + rest.substr(rest.find("]") + 1));
  const auto adjoint = run_to(folder, "a.toml", "1.5");
  const auto opposite = run_to(folder, "o.toml", "1.5");
  const auto reversed = run_to(folder, "g.toml", "-1.5");
  for (const char* name : {"w1", "w2", "w3"}) {
    EXPECT_EQ(adjoint.last(name), opposite.last(name));
    EXPECT_NEAR(adjoint.last(name), reversed.last(name), 1e-11);
  }
}

TEST(AdjointAlgebroid, IsRefusedWithNamesOfItsOwn) {
  const Folder folder;
  folder.write("a.toml",
               "[algebroid]\nkind = \"adjoint\"\nfibre = [\"v\"]\n[algebroid.of]\nkind = \"tangent\"\n"
               "base = [\"q\"]\nfibre = [\"v\"]\n[dynamics]\nlagrangian = \"v^2/2\"\n");
  const auto run = run_herglotz({"check", "a.toml"}, folder.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("'fibre' is given beside 'of'"));
}

}  // namespace
