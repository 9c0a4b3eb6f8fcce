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

TEST(Casimirs, ThatNothingDeclaresAreNotedOnce) {
  const std::string note =
      "every motion keeps q0^2 + q1^2 + q2^2 + q3^2 = 1.13; declare it in [invariants] to have it checked";
  const auto undeclared = [](const std::string& start) {
    return with(satellite(), "[invariants]\nunit = \"q0^2 + q1^2 + q2^2 + q3^2 - 1\"\n", "") + start;
  };
  for (const std::string command : {"check", "simulate"}) {
    const auto run = run_model(command, undeclared(off));
    EXPECT_EQ(run.status, 0) << run.err;
    const auto at = run.out.find(note);
    ASSERT_NE(at, std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("every motion keeps", at + 1), std::string::npos) << run.out;
    // A start of unit length needs no word, and neither does what is declared, in whatever form.
    EXPECT_THAT(run_model(command, undeclared(on)).out, Not(HasSubstr("every motion keeps")));
    const auto declared = with(satellite(), "q3^2 - 1", "q3^2 - 1.13") + off;
    EXPECT_THAT(run_model(command, declared).out, Not(HasSubstr("every motion keeps")));
    const auto root =
        with(satellite(), "q0^2 + q1^2 + q2^2 + q3^2 - 1", "sqrt(q0^2 + q1^2 + q2^2 + q3^2) - sqrt(1.13)");
    EXPECT_THAT(run_model(command, root + off).out, Not(HasSubstr("every motion keeps")));
  }
}

TEST(Verdict, IsThatALawIsViolatedOrThatAllAreVerified) {
  const auto trusted = run_herglotz({"simulate", "damped-pendulum"});
  EXPECT_THAT(trusted.out, AllOf(HasSubstr("verified   largest energy residual"), Not(HasSubstr("violated"))));
  const auto coarse = run_herglotz({"simulate", "damped-pendulum", "--method", "runge-kutta-4", "--step", "0.5"});
  EXPECT_THAT(coarse.out, AllOf(HasSubstr("violated   largest energy residual"), Not(HasSubstr("verified")),
                                HasSubstr("do not trust this run")));
}

TEST(RoundOff, IsSaidOfADecayedMomentum) {
  const auto run = run_herglotz({"simulate", "heavy-top", "--t-end", "500"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("momentum vertical is at round-off from t = "), Not(HasSubstr("do not trust"))));
}

TEST(RoundOff, OfAMomentumWhoseTermsCancelIsNoViolation) {
  const auto run = run_herglotz({"simulate", "skate-vakonomic", "--t-end", "600"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("momentum translation_y is at round-off from t = "), Not(HasSubstr("do not trust"))));
}

// Forces of 9.81 cancel along constraints that are oblique to them. All that is left is their rounding.
TEST(RoundOff, IsAllThatABodyHeldAtRestHas) {
  const std::string held = R"toml([model]
name = "held"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["u", "v"]
[dynamics]
lagrangian = "(u^2 + v^2)/2 - 9.81*y - 0.1*z"
[constraints]
rule = "nonholonomic"
equations = ["u*sin(0.3) + v*cos(0.3)", "u*cos(0.3) - v*sin(0.3)"]
[simulation]
t_end = 5
step = 0.01
)toml";
  const std::string pinned = with(held, R"toml("u*sin(0.3) + v*cos(0.3)", "u*cos(0.3) - v*sin(0.3)")toml",
                                  R"toml("x*sin(0.3) + y*cos(0.3)", "x*cos(0.3) - y*sin(0.3)")toml");
  for (const auto& text : {held, pinned}) {
    for (const std::string method : {"contact-gauss-2", "contact-gauss-4", "runge-kutta-4", "runge-kutta-8",
                                     "reference", "taylor", "stiff", "radau-5"}) {
      const bool fixed = method.starts_with("contact") || method.starts_with("runge");
      const auto run = run_model("simulate", with(text, "step = 0.01", fixed ? "step = 0.01" : "tolerance = 1e-10"),
                                 {"--method", method});
      EXPECT_EQ(run.status, 0) << method << ": " << run.err;
      EXPECT_THAT(run.out, Not(HasSubstr("do not trust"))) << method;
      EXPECT_THAT(run.out, HasSubstr("end        t = 5,")) << method;
    }
  }
  // With one constraint the body slides, and its laws are not round-off.
  const auto slides = run_model("simulate", with(held, R"toml(, "u*cos(0.3) - v*sin(0.3)")toml", ""));
  EXPECT_THAT(slides.out, Not(HasSubstr("round-off")));
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

namespace {

/// A particle in the plane.
std::string plane(const std::string& lagrangian, const std::string& tables) {
  return "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\"]\nfibre = [\"vx\", \"vy\"]\n"
         "[dynamics]\nlagrangian = \"" +
         lagrangian + "\"\n" + tables + "[simulation]\ntolerance = 1e-9\nt_end = 1\n";
}

std::string constraint(const std::string& rule, const std::string& equation, const std::string& initial) {
  return "[constraints]\nrule = \"" + rule + "\"\nequations = [\"" + equation + "\"]\n[initial]\n" + initial;
}

const std::string kinetic = "(vx^2 + vy^2)/2 - 0.1*z";

}  // namespace

TEST(Symmetries, SeenAtPointsOnlySayWhereTheyWereTested) {
  const auto bump = run_model("check", plane("(vx^2 + vy^2)/2 - 20*exp(-20*(x - 4)^2) - y^2 - 0.1*z",
                                             "[symmetries]\ntx = [\"1\", \"0\"]\n[initial]\nx = -4\nvx = 3\n"));
  EXPECT_EQ(bump.status, 0) << bump.err;
  EXPECT_THAT(bump.out, HasSubstr("tx: holds around the start (largest defect 0.0e+00 at 16 points; not shown "
                                  "elsewhere)"));
  const auto everywhere = run_model(
      "check", plane("(vx^2 + vy^2)/2 - y^2 - 0.1*z", "[symmetries]\ntx = [\"1\", \"0\"]\n[initial]\nvx = 3\n"));
  EXPECT_THAT(everywhere.out, AllOf(HasSubstr("tx: holds (largest defect 0.0e+00)"), Not(HasSubstr("points"))));
}

TEST(Constraints, AreIntegrableUpToTheRoundingOfOtherVerdicts) {
  const auto verdict = [](const std::string& slope) {
    return run_model("check",
                     "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\", \"s\"]\nfibre = [\"vx\", \"vy\", \"vs\"]\n"
                     "[dynamics]\nlagrangian = \"(vx^2 + vy^2 + vs^2)/2\"\n" +
                         constraint("nonholonomic", "vy - " + slope + "*x*vs", "vx = 1\n"))
        .out;
  };
  for (const std::string slope : {"1e-8", "1e-9"})
    EXPECT_THAT(verdict(slope), HasSubstr("not integrable (largest")) << slope;
  EXPECT_THAT(verdict("0"), HasSubstr(" integrable (largest involutivity defect 0.0e+00)"));
}

TEST(Constraints, ThatHoldNowhereNameTheNearestValueMetAndNoOthers) {
  const auto text = plane(kinetic, constraint("nonholonomic", "vx^2 + vy^2 + 1", "vx = 1\n"));
  const auto checked = run_model("check", text);
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.out, AllOf(HasSubstr("it does not reach 0 (nearest value met: "), Not(HasSubstr("or further"))));
  for (const std::string command : {"check", "simulate"})
    EXPECT_THAT(run_model(command, text).err,
                AllOf(HasSubstr("constraint 1 holds for no velocity near the start"), Not(HasSubstr("others"))));
}

TEST(Start, OffItsConstraintsIsNotConsistent) {
  const auto model = [](const std::string& x) {
    return "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\"]\nfibre = [\"u\", \"v\"]\n"
           "[dynamics]\nhamiltonian = \"(p_u^2 + x^2*p_v^2)/2 + 0.1*z\"\n" +
           constraint("nonholonomic", "p_u - 0.5*x*p_v", "project = true\np_u = 1\np_v = 2\nx = " + x + "\n") +
           "[simulation]\ntolerance = 1e-9\nt_end = 1\n";
  };
  const auto pole = run_model("check", model("0"));
  EXPECT_EQ(pole.status, 3);
  EXPECT_THAT(pole.out, AllOf(HasSubstr("constraint 1 is 1 there"), HasSubstr("cannot be moved onto the constraints"),
                              Not(HasSubstr("consistent"))));
  EXPECT_THAT(pole.err, HasSubstr("the velocity Hessian is not a finite number at the start"));
  const auto moved = run_model("check", model("0.5"));
  EXPECT_EQ(moved.status, 0) << moved.err;
  EXPECT_THAT(moved.out,
              AllOf(HasSubstr("moved onto the constraints: p_u 1 -> 0.6, p_v 2 -> 2.4"), HasSubstr("consistent")));
}

// [ASC25, Ex. 6.7] as printed, with L linear in the charge: its momentum is e, and 0 = -gamma e remains.
TEST(Start, WhoseEquationsHaveNoSolutionIsNotConsistent) {
  const auto checked = run_model("check", plane("vx^2/2 + vy/2 - z/5", "[initial]\nvx = 1\n"));
  EXPECT_EQ(checked.status, 3);
  EXPECT_THAT(checked.out, AllOf(HasSubstr("-1/10 = 0"), Not(HasSubstr("consistent"))));
}

TEST(VakonomicStart, SolvesForVelocitiesWithItsMultipliers) {
  // p = d(L - nu Phi)/dy with Phi = vx - x vy, nu = -1/2, x = 1/2.
  const auto text =
      plane(kinetic, constraint("vakonomic", "vx - x*vy", "x = 0.5\np_vx = 0.75\np_vy = 0.25\nnu1 = -0.5\n"));
  const auto checked = run_model("check", text);
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.out, AllOf(HasSubstr("vx = 0.25, vy = 0.5,"), HasSubstr("velocities found from the momenta"),
                                 HasSubstr("constraint 1 is 0 there")));
  const auto run = run_model("simulate", text);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("start      t = 0, x = 0.5, y = 0, vx = 0.25, vy = 0.5, z = 0, nu1 = -0.5"));
}

TEST(VakonomicStart, AtAPoleBlamesItsMultipliers) {
  const auto text = [](const std::string& nu) {
    return plane(kinetic, constraint("vakonomic", "1/2 - (vx^2 + vy^2)/2", "vx = 1\nnu1 = " + nu + "\n"));
  };
  for (const std::string command : {"check", "simulate"}) {
    const auto pole = run_model(command, text("-1"));
    EXPECT_EQ(pole.status, 3) << command;
    EXPECT_THAT(pole.err, AllOf(HasSubstr("L - nu Phi"), HasSubstr("other multipliers"), HasSubstr("nu1 = -1"),
                                Not(HasSubstr("quadratic")), Not(HasSubstr("the Lagrangian must"))))
        << command;
    EXPECT_EQ(run_model(command, text("-0.5")).status, 0) << command;
  }
}

TEST(VakonomicStart, WithoutVelocitiesInItsLagrangianIsNotAdvisedToHaveQuadraticTerms) {
  const auto text = plane("-x^2 - y^2", constraint("vakonomic", "vx - y", "x = 1\n"));
  for (const std::string command : {"check", "simulate"}) {
    const auto run = run_model(command, text);
    EXPECT_EQ(run.status, 3) << command;
    EXPECT_THAT(run.err, AllOf(Not(HasSubstr("quadratic")), Not(HasSubstr("every fibre coordinate")))) << command;
  }
}
