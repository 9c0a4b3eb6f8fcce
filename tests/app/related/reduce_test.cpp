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

// [GG08, Ex. 4, Sec. 5.4]: the ball on a rotating table, on the affine bundle of its constraints.
TEST(Reduce, PutsAffineConstraintsOnTheirAffineBundle) {
  const Folder folder;
  const std::vector<std::string> exact{"--method", "reference", "--tolerance", "1e-12", "--t-end", "5", "--out"};
  const auto run_to = [&](const std::string& model, const std::string& file) {
    std::vector<std::string> words{"simulate", model};
    words.insert(words.end(), exact.begin(), exact.end());
    words.push_back(file);
    const auto run = run_herglotz(words, folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    return table_of(folder.read(file));
  };
  const auto full = run_to("ball-on-rotating-table", "full.csv");
  for (const std::vector<std::string>& keep : {std::vector<std::string>{}, {"--keep", "vx,vy,w3"}}) {
    std::vector<std::string> words{"reduce", "ball-on-rotating-table", "--out", "r.toml", "--force"};
    words.insert(words.end(), keep.begin(), keep.end());
    const auto reduced = run_herglotz(words, folder.path());
    ASSERT_EQ(reduced.status, 0) << reduced.err;
    EXPECT_THAT(folder.read("r.toml"), AllOf(HasSubstr("equations = [\"pace - 1\"]"), HasSubstr("pace = 1")));
    const auto on_bundle = run_to("r.toml", keep.empty() ? "a.csv" : "b.csv");
    for (const char* name : {"x", "y", "vx", "vy", "w1", "w2", "w3", "z"})
      EXPECT_NEAR(on_bundle.last(name), full.last(name), 1e-10 * (1 + std::abs(full.last(name)))) << name;
  }
}

}  // namespace
