// Files with a contact form or Jacobi structure of one's own. [LJL21, Sec. 2].
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* chart = R"([model]
title = "A chart"
[structure]
coordinates = ["q", "p", "z"]
form = ["0", "q", "1"]
[parameters]
gamma = 0.3
[initial]
q = 0.5
p = 1
)";

// Coordinates may have the names by which tensors are printed. They are told apart in every format.
TEST(StructureFile, TellsItsCoordinatesFromWhatIsPrintedOfIt) {
  const Folder folder;
  folder.write("m.toml", R"([structure]
coordinates = ["volume", "R_z", "z"]
form = ["0", "3*volume", "1"]
)");
  const auto text = run_herglotz({"derive", "m.toml"}, folder.path());
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("volume_ = 3"), HasSubstr("eta(R_z) = 3*volume")));
  const auto sympy = run_herglotz({"derive", "m.toml", "--format", "sympy"}, folder.path());
  EXPECT_THAT(sympy.out, AllOf(HasSubstr("\nvolume = Symbol('volume')"), HasSubstr("\nvolume_ = Symbol('volume_')"),
                               HasSubstr("\nR_z_ = Symbol('R_z_')")));
}

// A form of 160 bytes whose Reeb field has thousands of terms: shortening it ends when its effort is used up.
TEST(StructureFile, OfADenseFormIsPrintedInBoundedTime) {
  const Folder folder;
  folder.write("m.toml", R"([structure]
coordinates = ["x0", "x1", "x2", "x3", "x4", "x5", "x6"]
form = ["x1*x2+x1", "x4*x0+x2", "x0*x5+x3", "x3*x3+x4", "x6*x1+x5", "x2*x6+x6", "x5*x4+x0"]
)");
  const auto text = run_herglotz({"derive", "m.toml"}, folder.path());
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("eta(x0) = x1*x2 + x1"));
  EXPECT_LT(text.out.size(), 1000000U);
  const auto flow = run_herglotz({"flow", "m.toml", "x0*x1"}, folder.path());
  EXPECT_EQ(flow.status, 0) << flow.err;
}

// eta = dz + q dp has the brackets of dz - p dq with -q and p in the places of p and q.
TEST(StructureFile, OfAContactFormIsPrinted) {
  const Folder folder;
  folder.write("chart.toml", chart);
  const auto text = run_herglotz({"derive", "chart.toml"}, folder.path());
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("A chart"), HasSubstr("eta(p) = q"), HasSubstr("volume = 1"),
                              HasSubstr("R(z) = 1"), HasSubstr("{q, p} = -1"), HasSubstr("{p, z} = -p"),
                              Not(HasSubstr("{q, z}")), Not(HasSubstr("Defects"))));
  const auto latex = run_herglotz({"derive", "chart.toml", "--format", "latex"}, folder.path());
  EXPECT_THAT(latex.out, AllOf(HasSubstr("\\eta_{p} &= q"), HasSubstr("\\mathcal{R}^{z} &= 1")));
}

// The flow of X_f in a model of its own.
TEST(StructureFile, HasFlowsAsModels) {
  const Folder folder;
  folder.write("chart.toml", chart);
  const auto written =
      run_herglotz({"flow", "chart.toml", "q^2/2 + p^2/2 + gamma*z", "--out", "flow.toml"}, folder.path());
  ASSERT_EQ(written.status, 0) << written.err;
  const auto run = run_herglotz({"simulate", "flow.toml", "--t-end", "2", "--tolerance", "1e-12", "--out", "run.csv"},
                                folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  // df/dt = -R(f) f = -gamma f. [LJL21, Eq. 35].
  EXPECT_NEAR(table_of(folder.read("run.csv")).last("f"), 0.625 * std::exp(-0.6), 1e-11);
}

TEST(StructureFile, OfATensorSaysWhatKeepsItFromBeingJacobi) {
  const Folder folder;
  folder.write("so3.toml", R"([structure]
coordinates = ["x", "y", "w"]
tensor = [["0", "w", "-y"], ["-w", "0", "x"], ["y", "-x", "0"]]
field = ["0", "0", "0"]
)");
  folder.write("none.toml", R"([structure]
coordinates = ["x", "y", "w"]
tensor = [["0", "1", "0"], ["-1", "0", "x"], ["0", "-x", "0"]]
field = ["0", "0", "1"]
)");
  const auto so3 = run_herglotz({"derive", "so3.toml"}, folder.path());
  EXPECT_THAT(so3.out, AllOf(HasSubstr("{x, y} = w"), Not(HasSubstr("Defects"))));
  const auto none = run_herglotz({"derive", "none.toml"}, folder.path());
  EXPECT_THAT(none.out, HasSubstr("Defects of the Jacobi identity"));
}

constexpr const char* edge = R"([structure]
coordinates = ["q", "p", "z"]
form = ["-p", "0", "1"]
constraints = ["p - k*q"]
reactions = [["1", "0", "0"]]
[parameters]
k = 1
[initial]
q = 1
p = 1
)";

// On p = q with the reaction dq: X_H^Delta = -(p^2/2 + z/10) d/dz, and q' = p = q along P(X_H). [LJL21, Eqs. 81, 105].
TEST(StructureFile, WithConstraintsHasBothFieldsOfAFunction) {
  const Folder folder;
  folder.write("edge.toml", edge);
  const auto text = run_herglotz({"derive", "edge.toml"}, folder.path());
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("Phi(1) = p - k*q"), HasSubstr("Z1(p) = -1"), HasSubstr("C(1, 1) = -1"),
                              HasSubstr("P(p, q) = k"), HasSubstr("P(p, p) = 0"), HasSubstr("Nonholonomic brackets")));
  const auto end = [&](const char* field) {
    const auto written =
        run_herglotz({"flow", "edge.toml", "p^2/2 + z/10", field, "--out", "flow.toml", "--force"}, folder.path());
    EXPECT_EQ(written.status, 0) << written.err;
    const auto run =
        run_herglotz({"simulate", "flow.toml", "--t-end", "1", "--tolerance", "1e-12", "--out", "run.csv", "--force"},
                     folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    return table_of(folder.read("run.csv"));
  };
  const auto projected = end("--projected");
  EXPECT_NEAR(projected.last("q"), std::exp(1.0), 1e-10);
  EXPECT_NEAR(projected.last("z"), (std::exp(2.0) - std::exp(-0.1)) / 4.2, 1e-10);
  EXPECT_NEAR(projected.last("constraint_1"), 0, 1e-12);
  const auto delta = end("--constrained");
  EXPECT_NEAR(delta.last("q"), 1, 1e-12);
  EXPECT_NEAR(delta.last("z"), -5 * (1 - std::exp(-0.1)), 1e-10);
}

// A coordinate may have the name of an observable; that of the constraint then is another one.
TEST(StructureFile, MayNameACoordinateAsTheConstraintOfAFlow) {
  const Folder folder;
  folder.write("named.toml", R"([structure]
coordinates = ["constraint_1", "p", "z"]
form = ["-p", "0", "1"]
constraints = ["p - constraint_1"]
reactions = [["1", "0", "0"]]
[initial]
constraint_1 = 1
p = 1
)");
  const auto flow = run_herglotz({"flow", "named.toml", "p^2/2", "--projected", "--out", "flow.toml"}, folder.path());
  ASSERT_EQ(flow.status, 0) << flow.err;
  const auto run = run_herglotz({"simulate", "flow.toml", "--t-end", "1", "--tolerance", "1e-12", "--out", "run.csv"},
                                folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto rows = table_of(folder.read("run.csv"));
  EXPECT_NEAR(rows.last("constraint_1"), std::exp(1.0), 1e-10);
  EXPECT_NEAR(rows.last("constraint_1_"), 0, 1e-12);
}

// Of a model with Chetaev's rule both fields of the energy are the motion. [LJL21, Thm 17].
TEST(Flow, ProjectedOfTheEnergyIsTheMotion) {
  const Folder folder;
  const auto run_of = [&](const std::string& model) {
    const auto run = run_herglotz({"simulate", model, "--t-end", "1", "--tolerance", "1e-12", "--method", "reference",
                                   "--out", "run.csv", "--force"},
                                  folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    return table_of(folder.read("run.csv"));
  };
  const auto motion = run_of("chaplygin-sleigh");
  for (const char* field : {"--constrained", "--projected"}) {
    const auto written =
        run_herglotz({"flow", "chaplygin-sleigh", "energy", field, "--out", "f.toml", "--force"}, folder.path());
    ASSERT_EQ(written.status, 0) << written.err;
    const auto flow = run_of("f.toml");
    for (const char* column : {"x", "phi", "w"}) EXPECT_NEAR(flow.last(column), motion.last(column), 1e-9) << field;
  }
}

TEST(StructureFile, RefusesWhatKeepsNoConstraint) {
  const Folder folder;
  const auto refusal = [&](const std::string& text, const std::vector<std::string>& more) {
    folder.write("s.toml", text);
    std::vector<std::string> words{"flow", "s.toml", "p"};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = run_herglotz(words, folder.path());
    EXPECT_EQ(run.status, 2) << run.out;
    return run.err;
  };
  const std::string head = "[structure]\ncoordinates = [\"q\", \"p\", \"z\"]\nform = [\"-p\", \"0\", \"1\"]\n";
  EXPECT_THAT(refusal(edge, {"--constrained", "--projected"}), HasSubstr("both --constrained and --projected"));
  EXPECT_THAT(refusal(edge, {"--constrained", "--set", "p=2"}),
              HasSubstr("s.toml:8:1: constraint 1, p - k*q, is 1 at q = 1, p = 2; give a start at which it is 0"));
  EXPECT_THAT(refusal(head, {"--constrained"}), HasSubstr("the structure has no constraints; give constraints"));
  EXPECT_THAT(refusal(head + "constraints = [\"p\"]\n", {}), HasSubstr("s.toml:4:15: constraints of a structure"));
  EXPECT_THAT(refusal(head + "constraints = [\"p\"]\nreactions = [[\"1\"]]\n", {}), HasSubstr("has 1 components"));
  EXPECT_THAT(refusal(head + "constraints = [\"q\"]\nreactions = [[\"1\", \"0\", \"0\"]]\n", {}),
              HasSubstr("s.toml:5:13: the constraint matrix"));
  EXPECT_THAT(refusal(head + "constraints = [\"p\"]\nreactions = [[\"0\", \"0\", \"1\"]]\n", {}),
              HasSubstr("does not vanish on the Reeb field"));
}

TEST(StructureFile, RefusesWhatIsNoStructure) {
  const Folder folder;
  const auto refusal = [&](const std::string& text, const std::string& command = "derive") {
    folder.write("s.toml", text);
    std::vector<std::string> words{command, "s.toml"};
    if (command == "flow") words.emplace_back("q*foo");
    const auto run = run_herglotz(words, folder.path());
    EXPECT_EQ(run.status, 2) << run.out;
    return run.err;
  };
  const std::string head = "[structure]\ncoordinates = [\"q\", \"p\", \"z\"]\n";
  EXPECT_THAT(refusal(head), HasSubstr("needs a contact form or a Jacobi structure"));
  EXPECT_THAT(refusal(head + "form = [\"0\", \"1\"]\n"), HasSubstr("s.toml:3:8: 'form' has 2 components"));
  EXPECT_THAT(refusal(head + "form = [\"0\", \"0\", \"1\"]\n"), HasSubstr("s.toml:3:8: "));
  EXPECT_THAT(refusal(head + "form = [\"-r\", \"0\", \"1\"]\n"), HasSubstr("unknown name 'r'"));
  EXPECT_THAT(refusal(head + "from = [\"-p\", \"0\", \"1\"]\n"), HasSubstr("did you mean"));
  EXPECT_THAT(refusal(head + "form = [\"-p\", \"0\", \"1\"]\n[initial]\nr = 1\n"),
              HasSubstr("unknown initial value 'r'"));
  for (const char* command : {"derive", "flow"})
    EXPECT_THAT(refusal("[structure]\ncoordinates = [\"q\"]\ntensor = [[\"1\"]]\nfield = [\"0\"]\n", command),
                HasSubstr("s.toml:3:10: 'tensor' is not skew"))
        << command;
  EXPECT_THAT(refusal(chart, "simulate"), HasSubstr("a structure of one's own is not a model"));
  EXPECT_THAT(refusal(chart, "flow"), HasSubstr("unknown name 'foo'"));
}

}  // namespace
