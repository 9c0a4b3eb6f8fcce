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
  EXPECT_THAT(refusal(chart, "simulate"), HasSubstr("a structure of one's own is no model"));
  EXPECT_THAT(refusal(chart, "flow"), HasSubstr("unknown name 'foo'"));
}

}  // namespace
