// Tulczyjew's picture and the terms with a connection, from the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const plane = R"([model]
name = "plane"
[algebroid]
kind = "tangent"
base = ["r", "phi"]
fibre = ["u", "w"]
[parameters]
k = 2
[dynamics]
lagrangian = "(u^2 + r^2*w^2)/2 + k/r - z/10"
forces = { w = "-w/3" }
[initial]
r = 1
w = 1
)";

// [GG08, Eqs. 2.3, 3.1-3.2]: eps and Lambda_L of a body on so(3) by the formula p x w.
TEST(DeriveTulczyjew, PrintsTheMapAndTheDifferential) {
  const auto run = run_herglotz({"derive", "rigid-body", "--tulczyjew"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("  d(p_w1)/dt = w3*p_w2 - w2*p_w3\n"), HasSubstr("  p_w1 = I1*w1\n"),
                             HasSubstr("Tulczyjew differential, fibre")));
  const auto top = run_herglotz({"derive", "heavy-top", "--tulczyjew", "--format", "latex"});
  ASSERT_EQ(top.status, 0) << top.err;
  EXPECT_THAT(top.out, HasSubstr("\\alpha_{g_{1}}"));
}

// [GG08, Eq. 5.5]: with vakonomic constraints L - nu Phi takes the place of L.
TEST(DeriveTulczyjew, HasTheMultipliersOfVakonomicConstraints) {
  const Folder folder;
  folder.write("m.toml", std::string(plane) + "[constraints]\nrule = \"vakonomic\"\nequations = [\"u - w\"]\n");
  const auto run = run_herglotz({"derive", "m.toml", "--tulczyjew"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("  p_u = u - nu1\n"), HasSubstr("Constraints")));
}

// [ASC25, Eqs. 26-27]: with the connection of the metric dL_hor has only the potential energy, and nothing is curved.
TEST(DeriveConnection, PrintsTheTermsWithChristoffelSymbols) {
  const Folder folder;
  folder.write("plane.toml", plane);
  const auto run = run_herglotz({"derive", "plane.toml", "--connection", "--christoffel", "u,phi,w=-r", "--christoffel",
                                 "w,phi,u=1/r", "--christoffel", "w,r,w=1/r"},
                                folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("  dL_hor(r) = -k/r^2\n"), HasSubstr("  force(w) = -w/3\n"),
                             HasSubstr("  dual(u) = d(u)/dt - r*w^2\n"), Not(HasSubstr("Curvature"))));
  const auto flat = run_herglotz({"derive", "plane.toml", "--connection"}, folder.path());
  EXPECT_THAT(flat.out, HasSubstr("  dual(u) = d(u)/dt\n"));
  const auto sphere = run_herglotz({"derive", "plane.toml", "--connection", "--christoffel", "u,phi,w=-sin(r)*cos(r)",
                                    "--christoffel", "w,phi,u=cos(r)/sin(r)", "--christoffel", "w,r,w=cos(r)/sin(r)"},
                                   folder.path());
  EXPECT_THAT(sphere.out, HasSubstr("  R(u, w, r, phi) = sin(r)^2\n"));
}

// [ASC25, Eq. 27] with the constraints of [GG08, Eqs. 5.4-5.5]: all that is in the motion is printed.
TEST(DeriveConnection, PrintsWhatConstraintsDo) {
  const Folder folder;
  const auto printed = [&](const std::string& rule) {
    folder.write("m.toml", std::string(plane) + "[constraints]\nrule = \"" + rule + "\"\nequations = [\"u - r*w\"]\n");
    const auto run = run_herglotz({"derive", "m.toml", "--connection"}, folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    return run.out;
  };
  EXPECT_THAT(printed("vakonomic"),
              AllOf(HasSubstr("d(nu1)/dt"), HasSubstr("Constraints"), Not(HasSubstr("Reactions"))));
  EXPECT_THAT(printed("nonholonomic"), AllOf(HasSubstr("  reaction(u) = lambda1\n"),
                                             HasSubstr("  reaction(w) = -lambda1*r\n"), HasSubstr("Constraints")));
}

TEST(DeriveConnection, RefusesWhatIsNoSymbolInOneLine) {
  const Folder folder;
  folder.write("plane.toml", plane);
  const auto refused = [&](const std::vector<std::string>& options, const std::string& message) {
    std::vector<std::string> words{"derive", "plane.toml"};
    words.insert(words.end(), options.begin(), options.end());
    const auto run = run_herglotz(words, folder.path());
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, HasSubstr(message));
    EXPECT_EQ(run.out, "");
  };
  refused({"--christoffel", "w,phi,u=1"},
          "--christoffel: Christoffel symbols are those of a connection; give --connection");
  refused({"--connection", "--christoffel", "w,phi=1"},
          "'w,phi=1' is not a Christoffel symbol; write B,I,A=EXPRESSION");
  refused({"--connection", "--christoffel", "w,u,u=1"}, "'u' is not a base coordinate; use one of r, phi");
  refused({"--connection", "--christoffel", "w,phi,u=w"}, "use base coordinates and parameters");
  refused({"--connection", "--christoffel", "w,phi,u=1", "--christoffel", "w,phi,u=2"}, "w,phi,u is given twice");
  refused({"--connection", "--tulczyjew"}, "both --tulczyjew and --connection are given; keep one of them");
  refused({"--tulczyjew", "--format", "c"}, "--tulczyjew: maps between bundles are not programs and have no C form");
  const auto body = run_herglotz({"derive", "rigid-body", "--connection", "--christoffel", "w1,x,w1=1"});
  EXPECT_THAT(body.err, HasSubstr("this algebroid has none, so that it has no Christoffel symbols"));
}

// [GG08, Eq. 2.3; ASC25, Eq. 22]: on so(3) [e_1, e_2] = e_3, and g of the heavy top is a symmetry of its L.
TEST(Derive, SectionsWithTheirBracketsAndLifts) {
  const auto body = run_herglotz({"derive", "rigid-body", "--sections"});
  ASSERT_EQ(body.status, 0) << body.err;
  EXPECT_THAT(body.out, AllOf(HasSubstr("[w1, w2](w3) = 1"), HasSubstr("[w1, w3](w2) = -1")));
  const auto top = run_herglotz({"derive", "heavy-top", "--sections"});
  EXPECT_THAT(top.out, HasSubstr("^C(L) = 0"));
  const Folder folder;
  folder.write("m.toml", R"([algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["u", "v"]
[dynamics]
lagrangian = "(u^2 + v^2)/2"
[symmetries]
shift = ["1", "0"]
turn = ["-y", "x"]
)");
  const auto plane = run_herglotz({"derive", "m.toml", "--sections"}, folder.path());
  ASSERT_EQ(plane.status, 0) << plane.err;
  EXPECT_THAT(plane.out, AllOf(HasSubstr("[shift, turn](u) = 0"), HasSubstr("[shift, turn](v) = 1"),
                               HasSubstr("turn^C(u) = -v"), HasSubstr("turn^C(L) = 0")));
  folder.write("n.toml",
               "[algebroid]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = [\"u\"]\n[dynamics]\nlagrangian = \"u^2\"\n");
  const auto none = run_herglotz({"derive", "n.toml", "--sections"}, folder.path());
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("the frame has no brackets, and the model states no sections"));
}

// Names of symmetries may have characters that TeX or Python give a meaning.
TEST(Derive, SectionsWithNamesThatAreNoNamesOfTeXOrPython) {
  const Folder folder;
  folder.write("m.toml", R"([algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["u", "v"]
[dynamics]
lagrangian = "(u^2 + v^2)/2"
[symmetries]
shift_in_x = ["1", "0"]
"turn-it.1" = ["-y", "x"]
)");
  const auto latex = run_herglotz({"derive", "m.toml", "--sections", "--format", "latex"}, folder.path());
  ASSERT_EQ(latex.status, 0) << latex.err;
  EXPECT_THAT(latex.out, AllOf(HasSubstr(R"(\mathrm{shift\_in\_x}^{C})"), HasSubstr(R"([\mathrm{shift\_in\_x}, )"),
                               HasSubstr(R"(\textbf{Section shift\_in\_x})"), Not(HasSubstr("shift_in_x"))));
  const auto sympy = run_herglotz({"derive", "m.toml", "--sections", "--format", "sympy"}, folder.path());
  ASSERT_EQ(sympy.status, 0) << sympy.err;
  EXPECT_THAT(sympy.out, AllOf(HasSubstr("turn_it_1_lift_x = Symbol('turn_it_1_lift_x')"),
                               HasSubstr("bracket_shift_in_x_turn_it_1_u = "), Not(HasSubstr("turn-it.1_"))));
}

// The program with a function of time imports names that a model may have as well.
TEST(Derive, SymPyWithInputsBesideParametersThatAreCalledAsItsImports) {
  const Folder folder;
  folder.write("m.toml", R"([algebroid]
kind = "tangent"
base = ["x"]
fibre = ["u"]
[parameters]
Function = 1
Subs = 2
_u = 3
[inputs]
push = { times = [0, 1, 2], values = [0, 1, 0], interpolation = "spline" }
[dynamics]
lagrangian = "Function*u^2/2 - Subs*x^2/2"
forces = { u = "_u*push" }
)");
  const auto sympy = run_herglotz({"derive", "m.toml", "--format", "sympy"}, folder.path());
  ASSERT_EQ(sympy.status, 0) << sympy.err;
  EXPECT_THAT(sympy.out, AllOf(HasSubstr("\nFunction_ = Symbol('Function')"), HasSubstr("\nSubs_ = Symbol('Subs')"),
                               HasSubstr("\n_u_ = Symbol('_u')")));
}

}  // namespace
