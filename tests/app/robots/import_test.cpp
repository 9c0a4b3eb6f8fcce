// Models of robots from the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.hpp"
#include "project_folders.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Import, WritesAModelThatRuns) {
  const Folder folder;
  const std::string urdf = herglotz::source_folder() + "/tests/reference/arm.urdf";
  const auto written = run_herglotz({"import", urdf, "--out", "arm.toml"}, folder.path());
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(written.out, "arm.toml\n");
  const auto again = run_herglotz({"import", urdf, "--out", "arm.toml"}, folder.path());
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("--force"));
  const auto run = run_herglotz({"simulate", "arm.toml", "--t-end", "0.1", "--set", "f_shoulder=0"}, folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("largest energy residual"));
}

TEST(Import, ReadsStandardInputAndSaysWhatIsWrong) {
  const auto piped =
      run_in_shell("\"$0\" import - --floating < " + herglotz::source_folder() + "/tests/reference/arm.urdf");
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_THAT(piped.out,
              StartsWith("# test_arm: a robot of 6 links, 5 of which move on their own, from standard input."));
  const Folder folder;
  folder.write("bad.urdf", "<robot name=\"r\">\n  <joint name=\"j\" type=\"hinge\"/>\n</robot>\n");
  const auto bad = run_herglotz({"import", "bad.urdf"}, folder.path());
  EXPECT_EQ(bad.status, 2);
  EXPECT_EQ(lines_of(bad.err).size(), 1U);
  EXPECT_THAT(bad.err, HasSubstr("bad.urdf:2:4: joint 'j' is of type 'hinge'"));
  const auto lost = run_herglotz({"import", "lost.urdf"}, folder.path());
  EXPECT_EQ(lost.status, 2);
  EXPECT_THAT(lost.err, HasSubstr("lost.urdf: there is no such file"));
}

}  // namespace
