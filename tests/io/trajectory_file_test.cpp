#include "herglotz/io/trajectory_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <sstream>
#include <vector>

#include "error_of.hpp"

namespace herglotz::io {
namespace {

using analyse::Role;
using analyse::Trajectory;

/// A folder of its own for each test, removed at the end.
class TrajectoryFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder =
        std::filesystem::temp_directory_path() / ("herglotz-" + std::string(test->name()) + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  [[nodiscard]] std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
    return names;
  }

  std::filesystem::path folder;
};

Trajectory example(std::size_t rows) {
  Trajectory trajectory;
  std::mt19937_64 random(20240607);
  const std::vector<std::pair<std::string, Role>> columns{{"t", Role::time},
                                                          {"x", Role::base},
                                                          {"v", Role::fibre},
                                                          {"z", Role::action},
                                                          {"nu1", Role::multiplier},
                                                          {"energy", Role::energy},
                                                          {"factor", Role::factor},
                                                          {"energy_invariant", Role::invariant},
                                                          {"energy_residual", Role::residual},
                                                          {"momentum.spin-1", Role::momentum},
                                                          {"constraint.1", Role::constraint},
                                                          {"speed", Role::observable}};
  for (const auto& [name, role] : columns) {
    std::vector<double> values;
    for (std::size_t i = 0; i < rows; ++i) {
      double value = std::bit_cast<double>(random());
      if (std::isnan(value)) value = -0.0;
      values.push_back(value);
    }
    trajectory.columns.push_back({name, role, values});
  }
  auto& facts = trajectory.facts;
  facts.model_name = "example";
  facts.title = "An example with \xC3\xA9 and \xE2\x88\x82";
  facts.reference = "ASC25";
  facts.model_text = "[model]\nname = \"example\"\n" + std::string(100'000, '#');
  facts.parameters = {{"gamma", 0.1}, {"m", 1.0 / 3}};
  facts.initial = {{"x", 0.3}};
  facts.method = "contact-gauss-4";
  facts.method_reason = "a step is given";
  facts.order = 4;
  facts.step = 0.01;
  facts.t_end = 12.5;
  facts.status = "stopped: the velocity Hessian is singular at t = 1";
  facts.complete = false;
  facts.version = "0.1.0";
  facts.wall_seconds = 0.25;
  facts.steps = 1234;
  facts.rejected_steps = 5;
  facts.newton_iterations = 6789;
  facts.largest_energy_residual = 1e-15;
  facts.largest_momentum_residuals = {{"spin-1", 2e-15}};
  facts.largest_constraint_residual = 3e-16;
  facts.at_round_off = {{"spin-1", 7.5}};
  facts.largest_invariants = {{"unit", 4e-16}};
  facts.notes = {"start moved onto the constraints: v 0.8 -> 0.75", "constraint 2 follows from the others"};
  facts.equations_latex = "\\dot x = v";
  return trajectory;
}

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> all;
  for (const double value : values) all.push_back(std::bit_cast<std::uint64_t>(value));
  return all;
}

TEST_F(TrajectoryFile, Hdf5RoundTripKeepsEveryBitAndFact) {
  const Trajectory written = example(257);
  write_hdf5(written, folder / "run.h5");
  const Trajectory read = read_hdf5(folder / "run.h5");
  ASSERT_EQ(read.columns.size(), written.columns.size());
  for (std::size_t k = 0; k < written.columns.size(); ++k) {
    EXPECT_EQ(read.columns[k].name, written.columns[k].name);
    EXPECT_EQ(read.columns[k].role, written.columns[k].role);
    EXPECT_EQ(bits(read.columns[k].values), bits(written.columns[k].values));
  }
  const auto& a = read.facts;
  const auto& b = written.facts;
  EXPECT_EQ(a.model_name, b.model_name);
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.reference, b.reference);
  EXPECT_EQ(a.model_text, b.model_text);
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.initial, b.initial);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.method_reason, b.method_reason);
  EXPECT_EQ(a.order, b.order);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.tolerance, b.tolerance);
  EXPECT_EQ(a.t_end, b.t_end);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.complete, b.complete);
  EXPECT_EQ(a.version, b.version);
  EXPECT_EQ(a.wall_seconds, b.wall_seconds);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.rejected_steps, b.rejected_steps);
  EXPECT_EQ(a.newton_iterations, b.newton_iterations);
  EXPECT_EQ(a.largest_energy_residual, b.largest_energy_residual);
  EXPECT_EQ(a.largest_momentum_residuals, b.largest_momentum_residuals);
  EXPECT_EQ(a.largest_constraint_residual, b.largest_constraint_residual);
  EXPECT_EQ(a.at_round_off, b.at_round_off);
  EXPECT_EQ(a.largest_invariants, b.largest_invariants);
  EXPECT_EQ(a.notes, b.notes);
  EXPECT_EQ(a.equations_latex, b.equations_latex);
  EXPECT_THAT(entries(), testing::ElementsAre("run.h5"));
}

TEST_F(TrajectoryFile, Hdf5HoldsAnEmptyTrajectoryWithoutParameters) {
  Trajectory written = example(0);
  written.facts.parameters.clear();
  written.facts.notes.clear();
  written.facts.model_text.clear();
  write_hdf5(written, folder / "empty.h5");
  const Trajectory read = read_hdf5(folder / "empty.h5");
  EXPECT_EQ(read.rows(), 0U);
  EXPECT_EQ(read.columns.size(), written.columns.size());
  EXPECT_TRUE(read.facts.parameters.empty());
  EXPECT_TRUE(read.facts.notes.empty());
}

TEST_F(TrajectoryFile, CsvHasOneHeaderAndDigitsThatGiveBackEveryBit) {
  Trajectory written = example(100);
  written.columns[1].values[3] = std::numeric_limits<double>::denorm_min();
  written.columns[1].values[4] = 0.1;
  write_trajectory(written, folder / "run.csv");
  std::ifstream stream(folder / "run.csv");
  std::string line;
  std::getline(stream, line);
  EXPECT_EQ(line, "t,x,v,z,nu1,energy,factor,energy_invariant,energy_residual,momentum.spin-1,constraint.1,speed");
  for (std::size_t row = 0; row < written.rows(); ++row) {
    ASSERT_TRUE(std::getline(stream, line));
    std::istringstream fields(line);
    std::string text;
    for (const auto& column : written.columns) {
      ASSERT_TRUE(std::getline(fields, text, ','));
      EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)),
                std::bit_cast<std::uint64_t>(column.values[row]))
          << text;
      if (row == 4 && column.name == "x") {
        EXPECT_EQ(text, "0.10000000000000001");
      }
    }
    EXPECT_FALSE(std::getline(fields, text, ','));
  }
  EXPECT_FALSE(std::getline(stream, line));
  EXPECT_THAT(entries(), testing::ElementsAre("run.csv"));
}

TEST_F(TrajectoryFile, AnOldFileIsReplacedAsAWhole) {
  write_hdf5(example(10), folder / "run.h5");
  write_hdf5(example(20), folder / "run.h5");
  EXPECT_EQ(read_hdf5(folder / "run.h5").rows(), 20U);
  EXPECT_THAT(entries(), testing::ElementsAre("run.h5"));
}

TEST_F(TrajectoryFile, PlacesThatCannotBeWrittenAreErrorsOfOneLine) {
  const Trajectory trajectory = example(3);
  const auto missing = folder / "missing" / "run.h5";
  EXPECT_EQ(error_of([&] { write_trajectory(trajectory, missing); }),
            missing.string() + ": there is no folder '" + (folder / "missing").string() + "'; create it first");
  EXPECT_EQ(error_of([&] { write_trajectory(trajectory, "run.txt"); }),
            "run.txt: the ending '.txt' names no format; use .csv or .h5");
  std::filesystem::create_directories(folder / "taken.csv");
  EXPECT_EQ(error_of([&] { write_trajectory(trajectory, folder / "taken.csv"); }),
            (folder / "taken.csv").string() + ": this is a folder; name a file in it");
  EXPECT_EQ(error_of([&] { write_csv(trajectory, "/dev/full/run.csv"); }),
            "/dev/full/run.csv: there is no folder '/dev/full'; create it first");
}

TEST_F(TrajectoryFile, FilesOfOthersAreRefused) {
  const std::string remedy = "; give a .h5 file that 'simulate --out' wrote";
  const auto text = folder / "text.h5";
  std::ofstream(text) << "no HDF5 at all\n";
  EXPECT_EQ(error_of([&] { read_hdf5(text); }),
            text.string() + ": this is not a trajectory file: could not open it as HDF5" + remedy);
  EXPECT_EQ(error_of([&] { read_hdf5(folder / "none.h5"); }),
            (folder / "none.h5").string() + ": there is no such file; give a trajectory that 'simulate --out' wrote");
}

TEST_F(TrajectoryFile, FilesCutShortAreRefused) {
  write_hdf5(example(40), folder / "run.h5");
  std::ifstream stream(folder / "run.h5", std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(stream)), {});
  for (std::size_t cut = 1; cut <= 100; ++cut) {
    std::ofstream(folder / "cut.h5", std::ios::binary) << whole.substr(0, whole.size() * cut / 101);
    const std::string error = error_of([&] { read_hdf5(folder / "cut.h5"); });
    EXPECT_THAT(error, testing::HasSubstr("this is not a trajectory file: could not"));
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace herglotz::io
