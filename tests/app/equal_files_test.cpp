// Files of equal runs: every command that writes HDF5 writes the same bytes again, at any time of day.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <map>
#include <thread>

#include "models.hpp"
#include "program.hpp"

namespace {

using namespace herglotz::app::testing;

using Commands = std::map<std::string, std::vector<std::string>>;

/// The commands that write a file, by what it holds.
const Commands commands = {
    {"run", {"simulate", "p.toml"}},
    {"run-with-events", {"simulate", "woodpecker", "--t-end", "1"}},
    {"adaptive-run", {"simulate", "p.toml", "--method", "reference"}},
    {"run-with-derivatives", {"simulate", "p.toml", "--sensitivities", "gamma"}},
    {"families", {"simulate", "toda-lattice", "--t-end", "1"}},
    {"solution", {"solve", "elastica"}},
    {"fit", {"fit", "p.toml", "--data", "d.csv", "--parameters", "gamma"}},
    {"orbit", {"orbit", "v.toml", "--period", "6.6", "--fixed", "omega", "--drifting", "z", "--set", "theta=2"}},
    {"sweep", {"sweep", "p.toml", "--sweep", "gamma=0:1:5"}},
    {"statistics", {"sweep", "s.toml"}},
};

/// Runs every command into `folder` and returns the bytes of the files.
std::map<std::string, std::string> written(const Folder& folder, const std::string& round) {
  std::map<std::string, std::string> bytes;
  for (const auto& [name, command] : commands) {
    auto arguments = command;
    const std::string file = name + round + ".h5";
    arguments.insert(arguments.end(), {"--out", file});
    const auto run = run_herglotz(arguments, folder.path());
    EXPECT_EQ(run.status, 0) << name << ": " << run.err;
    EXPECT_TRUE(folder.has(file)) << name;
    bytes[name] = folder.read(file);
  }
  return bytes;
}

}  // namespace

TEST(EqualRuns, WriteEqualBytesAtAnyTimeOfDay) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  folder.write("s.toml", pendulum + "[sweep]\nkeep = \"statistics\"\n[sweep.parameters]\ngamma = [0.1, 0.2, 0.4]\n");
  folder.write("v.toml",
               with(pendulum, "cos(theta) - gamma*z\"", "- theta^2/2\"\nforces = { omega = \"(1 - theta^2)*omega\" }"));
  const auto data = run_herglotz({"simulate", "p.toml", "--columns", "theta", "--output-every", "5", "--out", "d.csv"},
                                 folder.path());
  ASSERT_EQ(data.status, 0) << data.err;
  const auto first = written(folder, "-1");
  // HDF5 counts times of day in seconds.
  for (const std::time_t now = std::time(nullptr); std::time(nullptr) == now;)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto second = written(folder, "-2");
  for (const auto& [name, bytes] : first) {
    EXPECT_GT(bytes.size(), 0U) << name;
    EXPECT_TRUE(bytes == second.at(name)) << name;
  }
}

TEST(EqualRuns, HaveEqualReportsOfTheirFiles) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  std::string pages[2];
  for (auto& page : pages) {
    ASSERT_EQ(run_herglotz({"simulate", "p.toml", "--out", "run.h5", "--force"}, folder.path()).status, 0);
    ASSERT_EQ(run_herglotz({"report", "run.h5", "--out", "run.html", "--force"}, folder.path()).status, 0);
    page = folder.read("run.html");
  }
  EXPECT_TRUE(pages[0] == pages[1]);
}
