#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>

#include "app/models.hpp"
#include "app/program.hpp"
#include "herglotz/io/sweep_file.hpp"

namespace {

using namespace herglotz::app::testing;
using herglotz::io::SweepReader;
using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A grid of damped pendulums, `side` of them in each direction.
std::string grid(std::size_t side, const std::string& simulation) {
  return std::string(R"([model]
name = "pendulum"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
gamma = 0.1
[dynamics]
lagrangian = "v^2/2 + cos(q) - gamma*z"
[initial]
q = 1
)") + "[simulation]\n" +
         simulation + "\n[sweep]\nparameters.gamma = { from = 0, to = 0.3, count = " + std::to_string(side) +
         " }\ninitial.q = { from = -3, to = 3, count = " + std::to_string(side) + " }\n";
}

std::vector<std::string> sweep(const std::string& out, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"sweep", "grid.toml", "--out", out};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string value_after(const std::string& text, const std::string& label) {
  const auto at = text.find(label);
  return at == std::string::npos ? "" : text.substr(at + label.size(), text.find('\n', at) - at - label.size());
}

}  // namespace

TEST(SweepCommand, BoundsADeviationWhoseSquareIsNoDouble) {
  const Folder folder;
  std::string free = grid(3, "method = \"runge-kutta-4\"\nstep = 0.1\nt_end = 1");
  free.replace(free.find(" + cos(q)"), std::string(" + cos(q)").size(), "");
  free.replace(free.find("from = -3, to = 3"), std::string("from = -3, to = 3").size(), "from = -1e200, to = 1e200");
  folder.write("grid.toml", free);
  const auto run = run_herglotz(sweep("far.h5"), folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("> 2e+153         1e+200"));
  EXPECT_THAT(run.out, Not(HasSubstr(" inf")));
}

TEST(SweepCommand, SaysThatMembersWhoseEnergyLawFailsAreNotToBeTrusted) {
  const Folder folder;
  folder.write("grid.toml", grid(2, "method = \"runge-kutta-4\"\nstep = 0.1\nt_end = 3"));
  EXPECT_THAT(run_herglotz(sweep("fine.h5"), folder.path()).out,
              AllOf(HasSubstr("verified"), Not(HasSubstr("do not trust"))));
  const auto run = run_herglotz(sweep("coarse.h5", {"--step", "1.5"}), folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("violated"), Not(HasSubstr("verified")),
                             HasSubstr("a balance law is far from holding: do not trust members with such a "
                                       "largest_energy_residual")));
}

TEST(SweepCommand, MembersEqualSingleRuns) {
  const Folder folder;
  folder.write("grid.toml", grid(4, "step = 0.1\nt_end = 2"));
  const auto run = run_herglotz(sweep("e.h5"), folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(value_after(run.out, "members"), HasSubstr("16 (4 x 4), none failed"));
  EXPECT_THAT(run.out, HasSubstr("contact-gauss-4"));
  EXPECT_THAT(run.out, HasSubstr("largest energy residual"));
  EXPECT_FALSE(folder.has("e.h5.journal"));
  const SweepReader reader(folder.path() / "e.h5");
  const auto gamma = reader.swept("parameters.gamma", 0, 16);
  const auto q = reader.swept("initial.q", 0, 16);
  for (const std::size_t member : {1, 6, 15}) {
    // CSV has the digits that give back every bit.
    const auto alone = run_herglotz({"simulate", "grid.toml", "--out", "one.csv", "--set",
                                     fmt::format("gamma={}", gamma[member]), "--set", fmt::format("q={}", q[member])},
                                    folder.path());
    ASSERT_EQ(alone.status, 0) << alone.err;
    const Table table = table_of(folder.read("one.csv"));
    EXPECT_EQ(reader.column("v", member, 1).front(), table.last("v"));
    EXPECT_EQ(reader.column("energy", member, 1).front(), table.last("energy"));
    EXPECT_EQ(reader.column("t", member, 1).front(), 2);
  }
}

TEST(SweepCommand, FileIsTheSameForAnyNumberOfThreadsAndLanes) {
  const Folder folder;
  folder.write("grid.toml", grid(20, "tolerance = 1e-9\nt_end = 2"));
  ASSERT_EQ(run_herglotz(sweep("a.h5"), folder.path()).status, 0);
  ASSERT_EQ(run_herglotz(sweep("b.h5", {"--threads", "1", "--lanes", "1"}), folder.path()).status, 0);
  EXPECT_EQ(folder.read("a.h5"), folder.read("b.h5"));
}

TEST(SweepCommand, RecordsMembersThatFailAndGoesOn) {
  const Folder folder;
  std::string text = grid(4, "step = 0.1\nt_end = 2");
  text.replace(text.find("v^2/2"), 5, "(q - 1)*v^2/2");  // singular at q = 1
  folder.write("grid.toml", text);
  const auto run = run_herglotz(sweep("e.h5"), folder.path());
  const SweepReader reader(folder.path() / "e.h5");
  ASSERT_GT(reader.facts().failures.size(), 3u);
  EXPECT_LT(reader.facts().failures.size(), 16u);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(reader.facts().failures[2].reason));
  EXPECT_THAT(run.out, HasSubstr("more, with their reasons in the file"));
  for (const auto& failure : reader.facts().failures)
    EXPECT_TRUE(std::isnan(reader.column("q", failure.member, 1).front()));
}

TEST(SweepCommand, FollowsSingularLagrangiansToTheBitsOfSingleRuns) {
  const Folder folder;
  ASSERT_EQ(run_herglotz({"sweep", "christ-lee", "--sweep", "g=0.125:0.25:2", "--t-end", "0.5", "--out", "e.h5"},
                         folder.path())
                .status,
            0);
  const SweepReader reader(folder.path() / "e.h5");
  for (std::size_t member = 0; member < 2; ++member) {
    const std::string damping = member == 0 ? "g=0.125" : "g=0.25";
    ASSERT_EQ(
        run_herglotz({"simulate", "christ-lee", "--set", damping, "--t-end", "0.5", "--out", "run.csv"}, folder.path())
            .status,
        0);
    const Table table = table_of(folder.read("run.csv"));
    for (const std::string& name : table.names)
      EXPECT_EQ(reader.column(name, member, 1).front(), table.last(name)) << damping << ", " << name;
  }
}

TEST(SweepCommand, FailsWhereEveryMemberFails) {
  const Folder folder;
  std::string text = grid(4, "step = 0.1\nt_end = 2");
  text.replace(text.find("v^2/2"), 5, "v^2/2 - sqrt(q - 100)");  // not a number anywhere near
  folder.write("grid.toml", text);
  const auto run = run_herglotz(sweep("e.h5"), folder.path());
  EXPECT_EQ(run.status, 3) << run.out;
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
  EXPECT_THAT(run.err, HasSubstr("every member failed"));
  EXPECT_THAT(run.out, Not(HasSubstr("verified")));
}

TEST(SweepCommand, KilledAnyTimeAndResumedMakesTheUninterruptedFile) {
  const Folder folder;
  folder.write("grid.toml", grid(200, "step = 0.1\nt_end = 10"));
  const auto whole = run_herglotz(sweep("whole.h5"), folder.path());
  ASSERT_EQ(whole.status, 0) << whole.err;
  int kills = 0;
  int resumed = 0;
  Finished run;
  for (milliseconds delay(100); run.status != 0; delay += delay / 2) {
    run = run_herglotz(sweep("e.h5", {"--resume", "--threads", "1", "--lanes", "1"}), folder.path(), SIGKILL, delay);
    if (run.status != 0) {
      ASSERT_EQ(run.status, 128 + SIGKILL) << run.err;
      ++kills;
      if (folder.has("e.h5.journal") && std::filesystem::file_size(folder.path() / "e.h5.journal") > 10000) ++resumed;
    }
  }
  EXPECT_GT(kills, 0);
  EXPECT_GT(resumed, 0) << "no kill came between the first block and the last";
  EXPECT_EQ(folder.read("e.h5"), folder.read("whole.h5"));
  EXPECT_FALSE(folder.has("e.h5.journal"));
}

TEST(SweepCommand, StoppedKeepsWhatItReachedAndCanBeResumed) {
  const Folder folder;
  folder.write("grid.toml", grid(200, "step = 0.1\nt_end = 10"));
  Finished run;
  for (milliseconds delay(100); delay < milliseconds(60000); delay += delay / 2) {
    std::filesystem::remove(folder.path() / "e.h5.journal");
    run = run_herglotz(sweep("e.h5", {"--threads", "1", "--lanes", "1"}), folder.path(), SIGTERM, delay);
    if (run.status == 130 && !run.out.empty()) break;
  }
  ASSERT_EQ(run.status, 130) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("--resume continues"));
  EXPECT_TRUE(folder.has("e.h5.journal"));
  EXPECT_FALSE(SweepReader(folder.path() / "e.h5").facts().complete);

  const auto refused = run_herglotz(sweep("e.h5"), folder.path());
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(lines_of(refused.err).size(), 1u);
  EXPECT_THAT(refused.err,
              HasSubstr("e.h5.journal: a sweep that was not finished is kept here; continue it with --resume"));
  const auto other = run_herglotz(sweep("e.h5", {"--resume", "--step", "0.05"}), folder.path());
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("step was '0.1' and is '0.05'"));

  const auto resumed = run_herglotz(sweep("e.h5", {"--resume"}), folder.path());
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_TRUE(SweepReader(folder.path() / "e.h5").facts().complete);
  const auto again = run_herglotz(sweep("e.h5", {"--resume"}), folder.path());
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.out, HasSubstr("e.h5 is complete: 40000 members"));
  const auto replaced = run_herglotz(sweep("e.h5", {"--resume", "--step", "0.05"}), folder.path());
  EXPECT_EQ(replaced.status, 2);
  EXPECT_THAT(replaced.err, HasSubstr("e.h5: this is another sweep"));
}

TEST(SweepCommand, StartsThatAreExpressionsFollowWhatIsSwept) {
  const Folder folder;
  const std::string text = with(grid(4, "step = 0.1\nt_end = 2"), "q = 1\n", "v = \"sin(gamma) + q/3\"\nz = \"v^2\"\n");
  folder.write("grid.toml", text);
  const auto run = run_herglotz(sweep("e.h5", {"--lanes", "4"}), folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  ASSERT_EQ(run_herglotz(sweep("alone.h5", {"--lanes", "1", "--threads", "1"}), folder.path()).status, 0);
  EXPECT_EQ(folder.read("e.h5"), folder.read("alone.h5"));
  const SweepReader reader(folder.path() / "e.h5");
  const auto gamma = reader.swept("parameters.gamma", 0, 16);
  const auto q = reader.swept("initial.q", 0, 16);
  for (const std::size_t member : {2, 6, 13}) {
    const auto single = run_herglotz({"simulate", "grid.toml", "--out", "one.csv", "--set",
                                      fmt::format("gamma={}", gamma[member]), "--set", fmt::format("q={}", q[member])},
                                     folder.path());
    ASSERT_EQ(single.status, 0) << single.err;
    EXPECT_EQ(reader.column("v", member, 1).front(), table_of(folder.read("one.csv")).last("v"));
    EXPECT_EQ(reader.column("z", member, 1).front(), table_of(folder.read("one.csv")).last("z"));
  }
  // An expression that has no value at a member is that member's failure.
  folder.write("grid.toml", with(text, "sin(gamma)", "0.01/gamma"));
  const auto failing = run_herglotz(sweep("f.h5"), folder.path());
  EXPECT_EQ(failing.status, 0) << failing.err;
  EXPECT_THAT(failing.out, HasSubstr("16 (4 x 4), 4 failed"));
}

TEST(SweepCommand, RefusesColumnsThatNoRunHas) {
  const Folder folder;
  folder.write("grid.toml", grid(2, "step = 0.1\nt_end = 2\ncolumns = [\"foo\"]"));
  const auto run = run_herglotz(sweep("e.h5"), folder.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("[simulation] there is no column 'foo'"));
  // Volumes have no law across events that change the state.
  const std::string jumps = "[events]\nlow = { at = \"q\", set = { v = \"-v\" } }\n";
  folder.write("grid.toml", grid(2, "step = 0.1\nt_end = 2\ncolumns = [\"volume\"]") + jumps);
  EXPECT_THAT(run_herglotz(sweep("e.h5"), folder.path()).err, HasSubstr("the volume law is one of smooth motions"));
}

// Members that are run alone, here because of the event, have their columns on demand like members in lanes.
TEST(SweepCommand, HasColumnsOnDemandBesideEvents) {
  const Folder folder;
  const std::string model = grid(2, "step = 0.1\nt_end = 2") + "columns = [\"q\", \"power.action\", \"volume_rate\"]\n";
  folder.write("grid.toml", model);
  ASSERT_EQ(run_herglotz(sweep("plain.h5"), folder.path()).status, 0);
  folder.write("grid.toml", model + "[events]\nlow = { at = \"q\" }\n");
  ASSERT_EQ(run_herglotz(sweep("watched.h5"), folder.path()).status, 0);
  const SweepReader plain(folder.path() / "plain.h5");
  const SweepReader watched(folder.path() / "watched.h5");
  for (const char* name : {"q", "power.action", "volume_rate"})
    EXPECT_EQ(watched.column(name, 0, 4), plain.column(name, 0, 4)) << name;
}

// [LJL21, Prop. 5]: the volume of each member is exp(-(n + 1) gamma t), that of its run alone to the bit.
TEST(SweepCommand, HasTheVolumesOfItsMembers) {
  const Folder folder;
  folder.write("grid.toml", grid(2, "step = 0.1\nt_end = 2") + "columns = [\"q\", \"volume\", \"volume_residual\"]\n");
  const auto run = run_herglotz(sweep("volumes.h5"), folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("largest residual of the volume"));
  const SweepReader members(folder.path() / "volumes.h5");
  const auto volume = members.column("volume", 0, 4);
  ASSERT_EQ(volume.size(), 4U);
  for (const std::size_t k : {0U, 1U}) EXPECT_EQ(volume[k], 1);
  for (const std::size_t k : {2U, 3U}) EXPECT_NEAR(volume[k], std::exp(-2 * 0.3 * 2), 1e-13);
  const auto alone = run_herglotz(
      {"simulate", "grid.toml", "--set", "gamma=0.3", "--set", "q=-3", "--columns", "volume", "--out", "-"},
      folder.path());
  EXPECT_THAT(alone.out, testing::EndsWith(fmt::format("{:.17g}\n", volume[2])));
}

// The pulse exp(-s (t - 1)^2) is 1/sqrt(s) wide. Of the members the last one, with s = 1e8, has one between steps.
TEST(SweepCommand, NamesThePulseThatStepsOfItsMembersMayGoOver) {
  const Folder folder;
  const std::string model = R"([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
s = 1.0
[dynamics]
lagrangian = "v^2/2"
forces = { v = "exp(-s*(t - 1)^2) + 0" }
[simulation]
t_end = 2
)";
  const auto pulsed = [&](const std::string& method, const std::string& largest) {
    const std::string swept = "[sweep]\nparameters.s = { from = 1, to = " + largest + ", count = 300 }\n";
    folder.write("grid.toml", model + method + "\n" + swept + "initial.q = [0, 1]\n");
    return run_herglotz(sweep("pulse.h5", {"--force"}), folder.path()).out;
  };
  EXPECT_THAT(
      pulsed("method = \"contact-gauss-4\"\nstep = 0.1", "1e8"),
      HasSubstr("note       a force or Lagrangian has a pulse at t = 1 that is 0.0001 wide, and steps of 0.1 may "
                "go over it"));
  EXPECT_THAT(pulsed("method = \"contact-gauss-4\"\nstep = 0.1", "100"), Not(HasSubstr("pulse at")));
  EXPECT_THAT(pulsed("tolerance = 1e-8", "1e8"), Not(HasSubstr("pulse at")));
}

TEST(SweepCommand, RefusesToSetWhatIsSwept) {
  const Folder folder;
  folder.write("grid.toml", grid(4, "step = 0.1\nt_end = 2"));
  const auto run = run_herglotz(sweep("e.h5", {"--set", "gamma=1"}), folder.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("--set: 'gamma' is swept"));
}

TEST(SweepCommand, RunsAMillionMembersInOneGigabyte) {
  const Folder folder;
  folder.write("grid.toml", grid(1000, "step = 0.1\nt_end = 0.3"));
  const auto run = run_herglotz(sweep("e.h5"), folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  rusage used{};
  ASSERT_EQ(getrusage(RUSAGE_CHILDREN, &used), 0);
  EXPECT_LT(used.ru_maxrss, 1 << 20);  // in kB: the largest of all children
  const SweepReader reader(folder.path() / "e.h5");
  EXPECT_EQ(reader.facts().members, 1000000u);
  EXPECT_EQ(reader.swept("initial.q", 999999, 1).front(), 3);
  EXPECT_FALSE(std::isnan(reader.column("q", 999999, 1).front()));
}
