#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "herglotz/io/trajectory_file.hpp"
#include "io/error_of.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// q'' + q'/4 + q = 0 from (1, 0).
std::string model_with_events(const std::string& events) {
  return R"([model]
name = "oscillator"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[definitions]
kinetic = "v^2/2"
[dynamics]
lagrangian = "kinetic - q^2/2 - z/4"
[initial]
q = 1.0
[simulation]
method = "contact-gauss-6"
step = 0.05
t_end = 10.0
[events]
)" + events;
}

std::string text_of_file(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(EventsTable, TakesExpressionsAndTables) {
  const auto problem = parse_model(model_with_events(R"(zero = "q"
turn = { at = "p_v", direction = "falling" }
half = { at = "energy - kinetic - 1/4", stop = true, direction = "any" }
)"));
  const auto& events = problem.system.events;
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].name, "zero");
  EXPECT_EQ(events[0].direction, mechanics::Direction::any);
  EXPECT_FALSE(events[0].stop);
  EXPECT_EQ(events[1].direction, mechanics::Direction::falling);
  EXPECT_TRUE(events[2].stop);
}

TEST(EventsTable, SaysWhatIsWrong) {
  const auto error = [](const std::string& events) {
    return error_of([&] { parse_model(model_with_events(events), "m.toml"); });
  };
  EXPECT_EQ(error("zero = \"k\""),
            "m.toml:18:9: unknown name 'k'; known names are pi, energy, kinetic, p_v, q, t, v, z");
  EXPECT_EQ(error("zero = { direction = \"any\" }"),
            "m.toml:18:8: the event 'zero' has no 'at'; give the expression whose zeros it is: at = \"q\"");
  EXPECT_THAT(error("zero = { at = \"q\", direction = \"up\" }"), HasSubstr("unknown direction 'up'; known are any"));
  EXPECT_THAT(error("zero = { at = \"q\", stops = true }"), HasSubstr("unknown key 'stops'; did you mean stop?"));
  EXPECT_THAT(error("zero = { at = \"q\", stop = 1 }"), HasSubstr("expected a boolean, got a number"));
  EXPECT_THAT(error("\"a/b\" = \"q\""), HasSubstr("cannot name an event"));
}

TEST(Events, AreRecordedWithEveryColumn) {
  const auto problem =
      parse_model(model_with_events("zero = { at = \"q\", direction = \"rising\" }\nnever = \"q - 7\"\n"));
  const auto trajectory = simulate::simulate(problem);
  ASSERT_EQ(trajectory.events.size(), 2U);
  const auto& zero = trajectory.events[0];
  ASSERT_EQ(zero.columns.size(), trajectory.columns.size());
  for (std::size_t k = 0; k < zero.columns.size(); ++k) EXPECT_EQ(zero.columns[k].name, trajectory.columns[k].name);
  ASSERT_EQ(zero.count(), 1U);
  const double w = std::sqrt(1 - 1.0 / 64);
  EXPECT_NEAR(zero.columns[0].values[0], (2 * M_PI - std::atan(8 * w)) / w, 1e-11);
  EXPECT_NEAR(zero.columns[1].values[0], 0, 1e-14);
  for (const auto& column : zero.columns) {
    if (column.role != analyse::Role::residual) continue;
    EXPECT_LT(std::abs(column.values[0]), 1e-9) << column.name;
  }
  EXPECT_EQ(trajectory.events[1].count(), 0U);
}

TEST(Events, ThatStopARunLeaveACompleteOne) {
  const auto trajectory = simulate::simulate(parse_model(model_with_events("down = { at = \"q\", stop = true }\n")));
  EXPECT_TRUE(trajectory.facts.complete);
  EXPECT_EQ(trajectory.facts.status, "complete");
  EXPECT_NEAR(trajectory["q"].back(), 0, 1e-14);
  EXPECT_EQ(trajectory["t"].back(), trajectory.events[0].columns[0].values[0]);
  ASSERT_EQ(trajectory.facts.notes.size(), 1U);
  EXPECT_THAT(trajectory.facts.notes[0], StartsWith("ended by the event 'down' at t = 1.70"));
}

class EventFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() /
             ("herglotz-events-" + std::string(test->name()) + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    trajectory = simulate::simulate(parse_model(model_with_events("zero = \"q\"\nturn = \"v\"\nnever = \"q - 7\"\n")));
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::filesystem::path folder;
  analyse::Trajectory trajectory;
};

TEST_F(EventFiles, GoBesideTheCsvInTheOrderOfTheRun) {
  write_trajectory(trajectory, folder / "run.csv");
  std::istringstream text(text_of_file(events_file(folder / "run.csv")));
  EXPECT_EQ(events_file(folder / "run.csv").filename(), "run.events.csv");
  std::string row;
  std::getline(text, row);
  EXPECT_THAT(row, StartsWith("event,t,q,v,z,energy,"));
  std::vector<std::string> names;
  while (std::getline(text, row)) names.push_back(row.substr(0, row.find(',')));
  EXPECT_THAT(names, ::testing::ElementsAre("zero", "turn", "zero", "turn", "zero", "turn"));
}

TEST_F(EventFiles, SurviveHdf5ToTheBit) {
  write_trajectory(trajectory, folder / "run.h5");
  const auto read = read_hdf5(folder / "run.h5");
  ASSERT_EQ(read.events.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(read.events[k].name, trajectory.events[k].name);
    ASSERT_EQ(read.events[k].columns.size(), trajectory.events[k].columns.size());
    for (std::size_t c = 0; c < read.events[k].columns.size(); ++c) {
      EXPECT_EQ(read.events[k].columns[c].name, trajectory.events[k].columns[c].name);
      EXPECT_EQ(read.events[k].columns[c].values, trajectory.events[k].columns[c].values);
      EXPECT_EQ(read.events[k].columns[c].role, trajectory.events[k].columns[c].role);
    }
  }
}

TEST_F(EventFiles, AreNotWrittenWithoutEvents) {
  trajectory.events.clear();
  write_trajectory(trajectory, folder / "run.csv");
  EXPECT_FALSE(std::filesystem::exists(events_file(folder / "run.csv")));
}

}  // namespace
}  // namespace herglotz::io
