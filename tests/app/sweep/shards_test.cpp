#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <csignal>

#include "app/models.hpp"
#include "app/program.hpp"
#include "herglotz/io/plan_file.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "herglotz/io/sweep_shards.hpp"

namespace {

using namespace herglotz::app::testing;
using herglotz::io::SweepReader;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

/// Every kind of swept quantity, in 5 x 2 x `samples` members.
std::string swept_pendulum(std::size_t samples, const std::string& keep = "keep = \"final\"") {
  return with(pendulum, "gamma = 0.2", "gamma = 0.2\nk = 1.0\nm = 1.0") +
         "\n[sweep]\nsampling = \"sobol\"\nseed = 3\n" + keep + "\nsamples = " + std::to_string(samples) +
         "\nzip = [[\"k\", \"m\"]]\nparameters.gamma = { from = 0.1, to = 1, count = 5, spacing = \"log\" }\n"
         "parameters.k = { from = 1, to = 2, count = 2 }\nparameters.m = [1.0, 2.0]\n"
         "initial.theta = { distribution = \"normal\", mean = 0, deviation = 1 }\n"
         "initial.z = { distribution = \"exponential\", mean = 2 }\n";
}

std::vector<std::string> shard(const std::string& which, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"sweep", "model.toml", "--out", "e.h5", "--shard", which};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

class Shards : public ::testing::Test {
 protected:
  /// Writes the model, and the file that a single machine makes of it.
  void begin(const std::string& text) {
    folder.write("model.toml", text);
    const auto run = run_herglotz({"sweep", "model.toml", "--out", "whole.h5"}, folder.path());
    ASSERT_EQ(run.status, 0) << run.err;
  }
  void run(const std::string& which, const std::vector<std::string>& more = {}) const {
    const auto run = run_herglotz(shard(which, more), folder.path());
    ASSERT_EQ(run.status, 0) << run.err;
  }
  [[nodiscard]] Finished merge(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"merge", "e.h5"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_herglotz(arguments, folder.path());
  }
  /// Expects one line with this part and status 2.
  static void expect_refused(const Finished& run, const std::string& part) {
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    EXPECT_THAT(run.err, HasSubstr(part));
  }
  [[nodiscard]] bool has(const std::string& name) const { return folder.has(name); }
  void copy(const std::string& from, const std::string& to) const {
    std::filesystem::copy_file(folder.path() / from, folder.path() / to);
  }
  void rename(const std::string& from, const std::string& to) const {
    std::filesystem::rename(folder.path() / from, folder.path() / to);
  }
  void expect_the_whole() const { EXPECT_EQ(folder.read("e.h5"), folder.read("whole.h5")); }

  Folder folder;
};

}  // namespace

TEST_F(Shards, MakeTheFileOfOneMachineByteForByte) {
  for (const char* keep :
       {"keep = \"final\"", "keep = \"times\"\ntimes = [1, 2]", "keep = \"statistics\"\ntimes = [1]"}) {
    begin(swept_pendulum(33, keep));
    run("2/3", {"--lanes", "1"});
    run("0/3", {"--threads", "1"});
    run("1/3");
    std::filesystem::remove(folder.path() / "model.toml");
    const auto merged = merge();
    ASSERT_EQ(merged.status, 0) << merged.err;
    EXPECT_EQ(merged.err, "");
    EXPECT_THAT(merged.out, HasSubstr("330 (5 x 2 x 33), none failed"));
    expect_the_whole();
    for (const char* left : {"e.h5.0-of-3.journal", "e.h5.2-of-3.journal", "e.h5.journal", "e.h5.part"})
      EXPECT_FALSE(has(left)) << left;
    for (const char* file : {"whole.h5", "e.h5"}) std::filesystem::remove(folder.path() / file);
  }
}

TEST_F(Shards, AreKilledRunAgainRunTwiceAndRunElsewhere) {
  begin(with(swept_pendulum(1000), "t_end = 2", "t_end = 5"));
  run("0/3");
  run("0/3");  // it is complete, and nothing is done again
  int kills = 0;
  int resumed = 0;
  Finished killed;
  for (milliseconds delay(100); killed.status != 0; delay += delay / 2) {
    killed = run_herglotz(shard("1/3", {"--threads", "1", "--lanes", "1"}), folder.path(), SIGKILL, delay);
    if (killed.status == 0) break;
    ASSERT_EQ(killed.status, 128 + SIGKILL) << killed.err;
    ++kills;
    if (has("e.h5.1-of-3.journal") && std::filesystem::file_size(folder.path() / "e.h5.1-of-3.journal") > 20000)
      ++resumed;
  }
  EXPECT_GT(kills, 0);
  EXPECT_GT(resumed, 0) << "no kill came between the first block and the last";
  const Folder elsewhere;
  elsewhere.write("model.toml", folder.read("model.toml"));
  ASSERT_EQ(run_herglotz(shard("2/3"), elsewhere.path()).status, 0);
  folder.write("e.h5.2-of-3.journal", elsewhere.read("e.h5.2-of-3.journal"));
  const auto merged = merge();
  EXPECT_EQ(merged.status, 0) << merged.err;
  expect_the_whole();
  // A job that is queued again after the merge has nothing to do, and neither has the merge.
  const auto late = run_herglotz(shard("1/3"), folder.path());
  EXPECT_EQ(late.status, 0) << late.err;
  EXPECT_THAT(late.out, HasSubstr("e.h5 is complete: 10000 members"));
  EXPECT_FALSE(has("e.h5.1-of-3.journal"));
  EXPECT_THAT(merge().out, HasSubstr("e.h5 is complete"));
}

TEST_F(Shards, AreWrittenByOneProcessAtATime) {
  begin(swept_pendulum(33));
  const auto plan = herglotz::io::read_plan(folder.path() / "model.toml");
  const herglotz::ensemble::Ensemble ensemble(plan);
  const herglotz::io::ShardWriter other(ensemble.plan(), ensemble.layout(), folder.path() / "e.h5", {1, 3});
  expect_refused(run_herglotz(shard("1/3"), folder.path()), "e.h5.1-of-3.journal: another run is writing this sweep");
  run("0/3");
  EXPECT_EQ(merge({"--partial"}).status, 0) << "a merge only reads the journals";
}

TEST_F(Shards, AreNamedWhereTheyLackBlocks) {
  begin(swept_pendulum(33));
  run("0/4");
  const auto early = merge();
  EXPECT_EQ(early.status, 3);
  EXPECT_EQ(lines_of(early.err).size(), 1u) << early.err;
  EXPECT_THAT(early.err, HasSubstr("e.h5: shards 1, 2, 3 of 4 have no journal"));
  EXPECT_FALSE(has("e.h5"));
  // Two of six blocks of 64 members: the last record of shard 1 is torn, as a machine that lost its power leaves it.
  run("1/4", {"--threads", "1"});
  const auto journal = folder.path() / "e.h5.1-of-4.journal";
  std::filesystem::resize_file(journal, std::filesystem::file_size(journal) - 5);
  run("2/4");
  run("3/4");
  const auto torn = merge();
  EXPECT_EQ(torn.status, 3);
  EXPECT_THAT(torn.err, HasSubstr("e.h5: shard 1 of 4 lacks 1 of 2 blocks; run them again"));
  const auto states = run_herglotz(shard("0/4", {"--status"}), folder.path());
  EXPECT_EQ(states.status, 0) << states.err;
  EXPECT_THAT(states.out, HasSubstr("shard 0             2 of        2 blocks  complete"));
  EXPECT_THAT(states.out, HasSubstr("shard 1             1 of        2 blocks  \n"));
  EXPECT_THAT(states.out, HasSubstr("5 of        6 blocks  3 of 4 shards complete"));

  const auto partial = merge({"--partial"});
  EXPECT_EQ(partial.status, 0) << partial.err;
  EXPECT_THAT(partial.out, HasSubstr("320 done"));
  const SweepReader reader(folder.path() / "e.h5");
  EXPECT_FALSE(reader.facts().complete);
  EXPECT_FALSE(std::isnan(reader.column("omega", 0, 1).front()));
  EXPECT_TRUE(std::isnan(reader.column("omega", 329, 1).front()));
  run("1/4");
  EXPECT_EQ(merge().status, 0);
  expect_the_whole();
}

TEST_F(Shards, WithoutAnyBlockAreNotMissed) {
  begin(swept_pendulum(7));
  run("0/5");
  run("1/5");
  const auto states = run_herglotz(shard("0/5", {"--status"}), folder.path());
  EXPECT_THAT(states.out, HasSubstr("5 of 5 shards complete"));
  EXPECT_EQ(merge().status, 0);
  expect_the_whole();
}

TEST_F(Shards, AreRefusedWhereTheyDoNotBelongTogether) {
  begin(swept_pendulum(33));
  expect_refused(merge(), "e.h5: no journals of shards lie beside it");
  run("0/3");
  run("1/3");
  expect_refused(run_herglotz(shard("1/3", {"--step", "0.05"}), folder.path()),
                 "this sweep was begun otherwise: step was '0.02' and is '0.05'");
  expect_refused(run_herglotz(shard("1/3", {"--step", "0.05", "--status"}), folder.path()),
                 "its shards were begun otherwise: step was '0.02' and is '0.05'");
  // Of another sweep.
  rename("e.h5.1-of-3.journal", "kept");
  run("1/3", {"--step", "0.05"});
  run("2/3");
  expect_refused(merge(), "e.h5.1-of-3.journal: this is of another sweep than e.h5.0-of-3.journal: step was");
  std::filesystem::remove(folder.path() / "e.h5.1-of-3.journal");
  // Under the name of another shard.
  copy("e.h5.2-of-3.journal", "e.h5.1-of-3.journal");
  expect_refused(merge(), "e.h5.1-of-3.journal: block 2 is not of this shard");
  std::filesystem::remove(folder.path() / "e.h5.1-of-3.journal");
  // Of another division.
  run("1/2");
  expect_refused(merge(), "e.h5: journals of 2 shards and of 3 lie beside it");
  std::filesystem::remove(folder.path() / "e.h5.1-of-2.journal");
  // Something else.
  folder.write("e.h5.1-of-3.journal", "my diary");
  expect_refused(merge({"--partial"}), "this is not a journal of a sweep");
  expect_refused(run_herglotz(shard("1/3"), folder.path()), "this is not a journal of a sweep");
  EXPECT_EQ(folder.read("e.h5.1-of-3.journal"), "my diary");
  std::filesystem::remove(folder.path() / "e.h5.1-of-3.journal");
  // A sweep without shards.
  rename("kept", "e.h5.1-of-3.journal");
  folder.write("e.h5.journal", "something");
  expect_refused(merge(), "a sweep without shards that was not finished is kept here");
  std::filesystem::remove(folder.path() / "e.h5.journal");
  EXPECT_FALSE(has("e.h5"));
  // A file of someone else.
  folder.write("e.h5", "my thesis");
  expect_refused(merge(), "'e.h5' exists and is not a result of a run");
  expect_refused(run_herglotz(shard("1/3"), folder.path()), "'e.h5' exists and is not a result of a run");
  EXPECT_EQ(merge({"--force"}).status, 0);
  expect_the_whole();
}

TEST_F(Shards, StayUntilTheFileIsWholeAndGoWhereAMergeWasKilled) {
  begin(swept_pendulum(33));
  run("0/2");
  run("1/2");
  copy("e.h5.1-of-2.journal", "copy");
  ASSERT_EQ(merge().status, 0);
  // As after a kill between the file and the removal of the last journal.
  rename("copy", "e.h5.1-of-2.journal");
  const auto again = merge();
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("e.h5 is complete: 330 members"));
  EXPECT_FALSE(has("e.h5.1-of-2.journal"));
  expect_the_whole();
  // Shards of another sweep are not taken for it.
  run("0/1", {"--step", "0.05", "--force"});
  expect_refused(merge(), "is a complete sweep");
  EXPECT_EQ(merge({"--force"}).status, 0);
  EXPECT_NE(folder.read("e.h5"), folder.read("whole.h5"));
}

TEST_F(Shards, HaveNumbersBelowTheirCount) {
  folder.write("model.toml", swept_pendulum(3));
  for (const char* bad : {"3/3", "1", "-1/3", "a/3", "1/3x", "0/0", "1/", "/3", "0/99999999"})
    expect_refused(run_herglotz(shard(bad), folder.path()), fmt::format("--shard: '{}' is not a shard", bad));
  expect_refused(run_herglotz({"sweep", "model.toml", "--out", "e.h5", "--status"}, folder.path()),
                 "--status: there is no --shard");
}

TEST_F(Shards, GoOnAfterTheyWereStopped) {
  begin(with(swept_pendulum(500), "t_end = 2", "t_end = 5"));
  Finished run;
  for (milliseconds delay(100); delay < milliseconds(60000); delay += delay / 2) {
    std::filesystem::remove(folder.path() / "e.h5.0-of-1.journal");
    run = run_herglotz(shard("0/1", {"--threads", "1", "--lanes", "1"}), folder.path(), SIGTERM, delay);
    if (run.status == 130 && !run.out.empty()) break;
  }
  ASSERT_EQ(run.status, 130) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("stopped; the same command continues"));
  EXPECT_FALSE(has("e.h5"));
  ASSERT_EQ(run_herglotz(shard("0/1"), folder.path()).status, 0);
  ASSERT_EQ(merge().status, 0);
  expect_the_whole();
}

TEST_F(Shards, OfOtherFilesThatTheModelReadsAreRefused) {
  const std::string graph = R"toml(
[indices]
i = { count = 3, ends = "free" }
e = { edges = "lines.csv" }
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[parameters]
gamma = 0.1
"K[e]" = { file = "lines.csv", column = "strength" }
"m[i]" = { file = "masses.csv", column = "m" }
[dynamics]
lagrangian = "sum(i, m[i]*v[i]^2/2) + sum(e, K[e]*cos(q[e.to] - q[e.from])) - gamma*z"
[initial]
"q[i]" = { file = "starts.csv", column = "q" }
[simulation]
method = "runge-kutta-4"
step = 0.1
t_end = 1
[sweep]
parameters.gamma = { from = 0, to = 0.3, count = 100 }
)toml";
  const std::string driven = with(pendulum, "gamma*z", "gamma*z + u*theta") +
                             "\n[inputs]\nu = { file = \"drive.csv\", time = \"t\", column = \"u\" }\n"
                             "[sweep]\nparameters.gamma = { from = 0, to = 0.3, count = 100 }\n";
  const std::vector<std::array<std::string, 4>> cases{
      {"lines.csv", "from,to,strength\n0,1,1.5\n1,2,0.5\n", "from,to,strength\n0,1,1.5\n1,2,0.6\n", graph},
      {"masses.csv", "m\n1\n2\n3\n", "m\n1\n2\n4\n", graph},
      {"starts.csv", "q\n0\n1\n2\n", "q\n0\n1\n3\n", graph},
      {"drive.csv", "t,u\n0,0\n50,1\n100,1\n", "t,u\n0,0\n50,1\n100,2\n", driven}};
  for (const auto& [file, before, after, text] : cases) {
    for (const auto& [other, content, changed, model] : cases) folder.write(other, content);
    folder.write("model.toml", text);
    run("0/2");
    run("0/2");  // with the same files it goes on
    folder.write(file, after);
    expect_refused(run_herglotz(shard("0/2"), folder.path()), "or a file that it reads, is another one");
    run("1/2");
    expect_refused(merge(), "or a file that it reads, is another one");
    for (const char* journal : {"e.h5.0-of-2.journal", "e.h5.1-of-2.journal"})
      std::filesystem::remove(folder.path() / journal);
  }
}
