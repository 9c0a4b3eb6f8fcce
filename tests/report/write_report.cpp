#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "herglotz/report/report.hpp"
#include "project_folders.hpp"
#include "sample_runs.hpp"

namespace herglotz::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WriteReport : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(build_folder()) / "report-tests" / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}));
  }

  static std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
};

TEST_F(WriteReport, WritesThePageAndNothingElse) {
  const auto run = samples::damped_oscillator(20);
  write_report(run, folder_ / "run.html");
  EXPECT_EQ(text_of(folder_ / "run.html"), render(run));
  EXPECT_EQ(files(), 1u);
}

TEST_F(WriteReport, ReplacesAnEarlierReport) {
  std::ofstream(folder_ / "run.html") << "before";
  write_report(samples::damped_oscillator(20), folder_ / "run.html");
  EXPECT_THAT(text_of(folder_ / "run.html"), HasSubstr("<!doctype html>"));
}

TEST_F(WriteReport, LeavesNothingBehindWhereItCannotWrite) {
  fs::create_directory(folder_ / "taken");
  for (const fs::path& place : {folder_ / "missing" / "run.html", folder_ / "taken"}) {
    try {
      write_report(samples::damped_oscillator(20), place);
      ADD_FAILURE() << place << " was accepted";
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr(place.string()));
    }
  }
  EXPECT_EQ(files(), 1u);
}

/// The browser's tests open these.
TEST(SampleReports, AreWrittenToTheBuildTree) {
  const fs::path folder = fs::path(build_folder()) / "report-samples";
  fs::create_directories(folder);
  analyse::Trajectory watched = samples::damped_oscillator(2001);
  watched.events = {{"third", watched.columns}, {"never", {}}};
  for (auto& column : watched.events.front().columns) column.values.resize(3);
  write_report(watched, folder / "damped-oscillator.html");
  write_report(samples::damped_oscillator(1'000'000, 400), folder / "long.html");
  write_report(samples::precessing_body(1201), folder / "precessing-body.html");
  write_report(samples::rolling_in_the_plane(400), folder / "stopped-early.html");
  write_report(samples::knife_edge(100'000), folder / "knife-edge.html");
  write_report(samples::damped_oscillator(801), samples::damped_oscillator(401, 10), {"fine", "coarse"},
               folder / "comparison.html");
  EXPECT_GT(fs::file_size(folder / "damped-oscillator.html"), 1'000'000u);
}

}  // namespace
}  // namespace herglotz::report
