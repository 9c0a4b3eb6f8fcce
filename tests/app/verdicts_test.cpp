// What `check` and the summaries of runs declare to hold is earned, and what fails ends with a status.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models.hpp"
#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A body with its attitude as a quaternion, and generators of the given sign.
std::string satellite(const std::string& sign = "", const std::string& more = "") {
  const std::string other = sign.empty() ? "-" : "";
  return "[algebroid]\nkind = \"action\"\ngroup = \"so3\"\nbase = [\"q0\", \"q1\", \"q2\", \"q3\"]\n"
         "fibre = [\"w1\", \"w2\", \"w3\"]\ngenerators = [[\"-q1/2\", \"q0/2\", \"" +
         sign + "q3/2\", \"" + other + "q2/2\"], [\"-q2/2\", \"" + other + "q3/2\", \"q0/2\", \"" + sign +
         "q1/2\"], [\"-q3/2\", \"" + sign + "q2/2\", \"" + other + "q1/2\", \"q0/2\"]]\n" + more +
         "[dynamics]\nlagrangian = \"(w1^2 + 2*w2^2 + 3*w3^2)/2 - q3 - 0.1*z\"\n"
         "[invariants]\nunit = \"q0^2 + q1^2 + q2^2 + q3^2 - 1\"\n"
         "[simulation]\ntolerance = 1e-9\nt_end = 1\n[initial]\nw1 = 0.3\n";
}

const std::string on = "q0 = 0.8\nq1 = 0.6\n";
const std::string off = "q0 = 0.8\nq1 = 0.7\n";

Finished run_model(const std::string& command, const std::string& text, std::vector<std::string> more = {}) {
  const Folder folder;
  folder.write("m.toml", text);
  more.insert(more.begin(), {command, "m.toml"});
  return run_herglotz(more, folder.path());
}

}  // namespace

TEST(Promises, OfTheKindEndCheckAndRunsWhereAnAxiomFails) {
  EXPECT_EQ(run_model("check", satellite() + on).status, 0);
  for (const std::string command : {"check", "simulate"}) {
    const auto wrong = run_model(command, satellite("-") + on);
    EXPECT_EQ(wrong.status, 2) << command;
    EXPECT_THAT(wrong.err, AllOf(HasSubstr("m.toml:1:1:"), HasSubstr("anchor is a homomorphism of brackets"),
                                 HasSubstr("general = true")));
  }
  const auto sweep = run_model("sweep", satellite("-") + on + "[sweep.initial]\nw1 = [0.1, 0.2]\n", {"--out", "s.h5"});
  EXPECT_EQ(sweep.status, 2);
  EXPECT_THAT(sweep.err, HasSubstr("anchor is a homomorphism of brackets"));
}

TEST(Promises, AreLiftedByGeneralAndByCustom) {
  auto general = with(satellite("-"), "group = ", "general = true\ngroup = ") + on;
  EXPECT_EQ(run_model("check", general).status, 0);
  EXPECT_EQ(run_model("simulate", general).status, 0);
  const std::string custom =
      "[algebroid]\nkind = \"custom\"\nbase = [\"x\"]\nfibre = [\"u\", \"v\"]\nanchor = [[\"1\"], [\"x\"]]\n"
      "[dynamics]\nlagrangian = \"(u^2 + v^2)/2\"\n[simulation]\ntolerance = 1e-9\nt_end = 1\n[initial]\nu = 1\n";
  EXPECT_EQ(run_model("simulate", custom).status, 0);
}

TEST(Promises, OfAProductAreThoseOfItsFactors) {
  const auto product = [](const std::string& factor, const std::string& fibre) {
    return "[algebroid]\nkind = \"product\"\n[[algebroid.factors]]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = "
           "[\"v\"]\n"
           "[[algebroid.factors]]\n" +
           factor + "[dynamics]\nlagrangian = \"v^2/2 + " + fibre +
           "\"\n[simulation]\ntolerance = 1e-9\nt_end = 1\n[initial]\nv = 1\n";
  };
  const std::string brackets =
      "base = []\nfibre = [\"a\", \"b\", \"c\"]\nbrackets = { \"a,b\" = { c = 1 }, \"c,a\" = { a = 1 } }\n";
  const std::string kinetic = "(a^2 + b^2 + c^2)/2";
  const auto wrong = run_model("check", product("kind = \"lie-algebra\"\n" + brackets, kinetic));
  EXPECT_EQ(wrong.status, 2) << wrong.out;
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("lie-algebra promises"), HasSubstr("Jacobi")));
  const auto lifted = run_model("check", product("kind = \"lie-algebra\"\ngeneral = true\n" + brackets, kinetic));
  EXPECT_EQ(lifted.status, 0) << lifted.err;
}

TEST(Invariants, AreZeroAtTheStartAndReportedWithTheRun) {
  const auto run = run_model("simulate", satellite() + on);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("largest value of invariant unit: "));
  EXPECT_THAT(run_model("check", satellite() + on).out, HasSubstr("unit: kept by every motion"));
  for (const std::string command : {"check", "simulate"}) {
    const auto bad = run_model(command, satellite() + off);
    EXPECT_EQ(bad.status, 2) << command;
    EXPECT_THAT(bad.err, AllOf(HasSubstr("unit"), HasSubstr("0.13"), HasSubstr("project = true")));
  }
  const auto sweep = run_model("sweep", satellite() + off + "[sweep.initial]\nw1 = [0.1, 0.2]\n", {"--out", "s.h5"});
  EXPECT_EQ(sweep.status, 2);
}

TEST(Invariants, AreReachedByProject) {
  const auto moved = run_model("simulate", satellite() + off + "project = true\n");
  EXPECT_EQ(moved.status, 0) << moved.err;
  EXPECT_THAT(moved.out,
              AllOf(HasSubstr("start moved onto the invariants ('unit' was 0.13)"), HasSubstr("q0 0.8 -> 0.75257669")));
  const auto checked = run_model("check", satellite() + off + "project = true\n");
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("moved onto the invariants"));
}

TEST(Invariants, FailAloneInASweep) {
  const auto sweep = run_model("sweep", satellite() + on + "[sweep.initial]\nq0 = [0.8, 0.9]\n", {"--out", "s.h5"});
  EXPECT_EQ(sweep.status, 0) << sweep.err;
  EXPECT_THAT(sweep.out, AllOf(HasSubstr("1 failed"), HasSubstr("member 1: "), HasSubstr("off the invariant 'unit'")));
}

TEST(Invariants, AreKeptByEveryMotion) {
  const auto wrong = with(satellite(), "q3^2 - 1", "2*q3^2 - 1") + on;
  for (const std::string command : {"check", "simulate"}) {
    const auto run = run_model(command, wrong);
    EXPECT_EQ(run.status, 2) << command;
    EXPECT_THAT(run.err, AllOf(HasSubstr("m.toml:"), HasSubstr("'unit' is not kept by every motion")));
  }
  const auto of_time = run_model("check", with(satellite(), "q3^2 - 1", "q3^2 - 1 + t") + on);
  EXPECT_EQ(of_time.status, 2);
}

TEST(RoundOff, IsSaidOfADecayedMomentum) {
  const auto run = run_herglotz({"simulate", "heavy-top", "--t-end", "500"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("momentum vertical is at round-off from t = "), Not(HasSubstr("do not trust"))));
}

TEST(IntegratingFactor, IsSaidToExceedTheLargestNumber) {
  const auto text = with(with(pendulum, "gamma = 0.2", "gamma = 2000"), "step = 0.02", "tolerance = 1e-9");
  const auto plain = run_model("simulate", text);
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_THAT(plain.out, HasSubstr("integrating_factor exceeds the largest number from t = "));
}

TEST(Start, ThatNobodyGaveIsSaid) {
  const auto text = with(with(pendulum, "[initial]\ntheta = 2.5\n", ""), "cos(theta)", "cos(theta - 1)");
  EXPECT_THAT(run_model("simulate", text).out,
              HasSubstr("no initial value is given: the start is at rest at the origin"));
  EXPECT_THAT(run_model("check", text).out, HasSubstr("no initial value is given: the start is at rest at the origin"));
  EXPECT_THAT(run_model("check", pendulum).out, Not(HasSubstr("no initial value")));
}
