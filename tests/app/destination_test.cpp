#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "models.hpp"
#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using nlohmann::json;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string swept = pendulum + "\n[sweep.parameters]\ngamma = [0.1, 0.2]\n";

}  // namespace

TEST(Destination, FilesOfOthersAreReplacedOnlyWithForce) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  folder.write("r.html", "<html></html>");
  folder.write("other.csv", "x,y\n1,2\n");
  folder.write("other.h5", "no run");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"simulate", "p.toml", "--out", "other.csv"},
                                                  {"simulate", "p.toml", "--out", "other.h5"},
                                                  {"simulate", "p.toml", "--report", "r.html"},
                                                  {"models", "copy", "heavy-top", "--out", "p.toml"}}) {
    const std::string before = folder.read(command.back());
    const auto refused = run_herglotz(command, folder.path());
    EXPECT_EQ(refused.status, 2) << command.back();
    EXPECT_THAT(refused.err, HasSubstr("--force"));
    EXPECT_EQ(folder.read(command.back()), before);
    auto forced = command;
    forced.emplace_back("--force");
    EXPECT_EQ(run_herglotz(forced, folder.path()).status, 0) << command.back();
    EXPECT_NE(folder.read(command.back()), before);
  }
}

TEST(Destination, FilesOfOursAreReplacedExceptCompleteSweeps) {
  const Folder folder;
  folder.write("p.toml", swept);
  const std::vector<std::string> run{"simulate", "p.toml", "--out", "run.h5", "--report", "run.html"};
  const std::vector<std::string> table{"simulate", "p.toml", "--out", "run.csv"};
  const std::vector<std::string> page{"report", "run.h5", "--out", "page.html"};
  for (int k = 0; k < 2; ++k)
    for (const auto& command : {run, table, page}) EXPECT_EQ(run_herglotz(command, folder.path()).status, 0) << k;
  std::vector<std::string> sweep{"sweep", "p.toml", "--out", "e.h5"};
  ASSERT_EQ(run_herglotz(sweep, folder.path()).status, 0);
  for (const auto& command : {sweep, std::vector<std::string>{"simulate", "p.toml", "--out", "e.h5"}}) {
    const auto refused = run_herglotz(command, folder.path());
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("is a complete sweep; choose another place, or replace it with --force"));
  }
  sweep.emplace_back("--force");
  EXPECT_EQ(run_herglotz(sweep, folder.path()).status, 0);
}

TEST(Destination, LinksThatLeadNowhereAreNotFollowed) {
  const Folder folder;
  std::filesystem::create_symlink("elsewhere.toml", folder.path() / "m.toml");
  EXPECT_EQ(run_herglotz({"models", "copy", "heavy-top", "--out", "m.toml"}, folder.path()).status, 2);
  EXPECT_FALSE(folder.has("elsewhere.toml"));
}

TEST(Destination, NothingIsLeftWhereNothingCanBeWritten) {
  const Folder folder;
  const auto run = run_in_shell("ulimit -f 0; \"$0\" models copy heavy-top --out m.toml", folder.path());
  EXPECT_NE(run.status, 0);
  EXPECT_LT(run.status, 128);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Destination, ARunIsOnTheDiskBeforeItsReport) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto run = run_in_shell("ulimit -f 500; \"$0\" simulate p.toml --out run.h5 --report r.html", folder.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("r.html: the file cannot be written; check the permissions"));
  EXPECT_FALSE(folder.has("r.html"));
  EXPECT_EQ(run_herglotz({"report", "run.h5", "--out", "r.html"}, folder.path()).status, 0);
}

TEST(Destination, ASignalAfterTheRunLeavesItsFile) {
  const Folder folder;
  std::string definitions = "d1 = \"theta\"\n";
  for (int k = 1; k < 16; ++k) definitions += fmt::format("d{} = \"(d{}+1)/(d{}+2)\"\n", k + 1, k, k);
  folder.write("p.toml", with(with(pendulum, "[dynamics]", "[definitions]\n" + definitions + "\n[dynamics]"),
                              "cos(theta)", "cos(theta) + d16/1000"));
  const auto run = run_in_shell(
      "\"$0\" simulate p.toml --out run.h5 & pid=$!\n"
      "for k in $(seq 500); do [ -e run.h5 ] && break; sleep 0.01; done\n"
      "kill $pid; wait $pid",
      folder.path());
  // Equations that are printed in time are not a failure, and a signal may come when all is done and the program
  // leaves.
  EXPECT_THAT(run.status, AnyOf(130, 0, 128 + SIGTERM)) << run.err;
  EXPECT_EQ(run_herglotz({"report", "run.h5", "--out", "r.html"}, folder.path()).status, 0);
}

TEST(Destination, ADashPrintsTheTableAlone) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto printed = run_herglotz({"simulate", "p.toml", "--out", "-"}, folder.path());
  ASSERT_EQ(printed.status, 0) << printed.err;
  ASSERT_EQ(run_herglotz({"simulate", "p.toml", "--out", "p.csv"}, folder.path()).status, 0);
  EXPECT_EQ(printed.out, folder.read("p.csv"));
  EXPECT_THAT(printed.err, StartsWith("pendulum  Damped pendulum"));
  EXPECT_EQ(run_in_shell("\"$0\" simulate p.toml --out - > /dev/full", folder.path()).status, 3);
  EXPECT_EQ(run_in_shell("\"$0\" simulate p.toml --out - --format json", folder.path()).status, 2);
}

TEST(Destination, AModelMayComeFromStandardInput) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  EXPECT_EQ(run_in_shell("\"$0\" derive - < p.toml", folder.path()).out,
            run_herglotz({"derive", "p.toml"}, folder.path()).out);
  EXPECT_EQ(run_in_shell("echo | \"$0\" check -", folder.path()).status, 2);
}

TEST(Json, IsOneObjectOrArray) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto run = json::parse(run_herglotz({"simulate", "p.toml", "--format", "json"}, folder.path()).out);
  EXPECT_EQ(run["creator"], "herglotz");
  EXPECT_EQ(run["model_name"], "pendulum");
  EXPECT_EQ(run["parameter_names"], json({"gamma"}));
  EXPECT_EQ(run["parameter_values"], json({0.2}));
  EXPECT_EQ(run["status"], "complete");
  EXPECT_EQ(run["end"]["t"], 2.0);
  const auto check = json::parse(run_herglotz({"check", "p.toml", "--format", "json"}, folder.path()).out);
  EXPECT_EQ(check["ok"], true);
  EXPECT_EQ(check["model_name"], "pendulum");
  EXPECT_GT(check["findings"].size(), 4U);
  const auto models = json::parse(run_herglotz({"models", "list", "--format", "json"}).out);
  EXPECT_GT(models.size(), 10U);
  for (const auto& model : models) EXPECT_EQ(model.size(), 3U) << model;
}

TEST(SweepOption, SweepsOverARangeWithBothEnds) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  folder.write("s.toml", swept);
  const auto run = run_herglotz({"sweep", "p.toml", "--out", "e.h5", "--sweep", "gamma=0:1:11"}, folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("11, none failed"));
  const auto both = run_herglotz(
      {"sweep", "s.toml", "--out", "f.h5", "--sweep", "gamma=0:1:3", "--sweep", "theta=0.1:0.2:4"}, folder.path());
  EXPECT_THAT(both.out, HasSubstr("12 (3 x 4), none failed")) << both.err;
  for (const char* wrong : {"gamma", "gamma=1", "gamma=0:1", "gamma=0:1:0", "gamma=0:1:2.5", "gama=0:1:3"}) {
    const auto refused = run_herglotz({"sweep", "p.toml", "--out", "g.h5", "--sweep", wrong}, folder.path());
    EXPECT_EQ(refused.status, 2) << wrong;
    EXPECT_THAT(refused.err, StartsWith("--sweep: ")) << wrong;
  }
}

TEST(DeriveOption, SetChangesTheModel) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  EXPECT_EQ(run_herglotz({"derive", "p.toml", "--set", "gamma=0"}, folder.path()).status, 0);
  EXPECT_EQ(run_herglotz({"derive", "p.toml", "--set", "gama=0"}, folder.path()).status, 2);
}
