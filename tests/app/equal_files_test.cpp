// Files of equal runs: every command that writes HDF5 writes the same bytes again, at any time of day, but for the
// wall time of the run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <ctime>
#include <filesystem>
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

/// Sets the wall time of a file, if it has one, to 0.
void forget_wall_time(const std::filesystem::path& file) {
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(opened, 0);
  if (H5Aexists(opened, "wall_seconds") > 0) {
    const hid_t attribute = H5Aopen(opened, "wall_seconds", H5P_DEFAULT);
    const double none = 0;
    EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &none), 0);
    EXPECT_GE(H5Aclose(attribute), 0);
  }
  EXPECT_GE(H5Fclose(opened), 0);
}

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
    forget_wall_time(folder.path() / file);
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
