#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <numbers>
#include <numeric>
#include <set>

#include "herglotz/report/report.hpp"
#include "page_text.hpp"
#include "project_folders.hpp"
#include "sample_sweeps.hpp"
#include "sweep/sweep_digest.hpp"

namespace herglotz::report {
namespace {

namespace fs = std::filesystem;
using ensemble::Keep;
using nlohmann::json;
using testing::HasSubstr;

/// What the page's script does: base64 to bytes, the least significant first.
std::vector<double> unpacked(const json& text) {
  std::vector<std::uint8_t> bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text.get<std::string>()) {
    if (c == '=') break;
    const int letter = c >= 'A' && c <= 'Z'   ? c - 'A'
                       : c >= 'a' && c <= 'z' ? c - 'a' + 26
                       : c >= '0' && c <= '9' ? c - '0' + 52
                       : c == '+'             ? 62
                                              : 63;
    group = (group << 6U) | static_cast<std::uint32_t>(letter);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<std::uint8_t>((group >> static_cast<unsigned>(bits)) & 0xffU));
  }
  std::vector<double> values;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t k = 8; k-- > 0;) word = (word << 8U) | bytes[at + k];
    values.push_back(std::bit_cast<double>(word));
  }
  return values;
}

class SweepReport : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(build_folder()) / "report-tests" / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    file_ = folder_ / "sweep.h5";
  }

  std::string page() {
    write_report(io::SweepReader(file_), folder_ / "sweep.html");
    std::ifstream in(folder_ / "sweep.html", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  json data() { return run_of(page()); }

  fs::path folder_;
  fs::path file_;
};

TEST_F(SweepReport, MapsEveryMemberOfASmallGridToTheLastBit) {
  samples::write_grid(file_, Keep::final);
  const json page = data();
  ASSERT_EQ(page["axes"].size(), 2u);
  const auto gamma = unpacked(page["axes"][0]["values"][0]);
  const auto q = unpacked(page["axes"][1]["values"][0]);
  const auto cells = unpacked(page["columns"][0]["cells"]);
  ASSERT_EQ(gamma.size(), 11u);
  ASSERT_EQ(q.size(), 7u);
  ASSERT_EQ(cells.size(), 77u);
  EXPECT_EQ(page["members_per_cell"], 1);
  for (std::size_t i = 0; i < gamma.size(); ++i) {
    for (std::size_t j = 0; j < q.size(); ++j) {
      const double cell = cells[7 * i + j];
      if (i == 5 && q[j] < 0) {
        EXPECT_TRUE(std::isnan(cell)) << "a member that failed";
      } else {
        EXPECT_EQ(cell, samples::swept_q(gamma[i], q[j], 4)) << gamma[i] << ", " << q[j];
      }
    }
  }
}

TEST_F(SweepReport, CountsFailuresByReasonWithoutItsNumbers) {
  samples::write_grid(file_, Keep::final);
  const std::string text = page();
  const json facts = run_of(text)["facts"];
  EXPECT_EQ(facts["failed"], 3);
  ASSERT_EQ(facts["failures"].size(), 1u);
  EXPECT_EQ(facts["failures"][0]["members"], 3);
  EXPECT_EQ(facts["failures"][0]["first"], (json{35, 36, 37}));
  EXPECT_EQ(facts["failures"][0]["reason"], "no convergence at t = 3.35");
  EXPECT_THAT(between(text, "<noscript>", "</noscript>"), HasSubstr("3 failed: no convergence at t = 3.35"));
  EXPECT_EQ(facts["method"], "contact-gauss-4");
  EXPECT_EQ(facts["members"], 77);
  ASSERT_EQ(facts["largest_residuals"].size(), 1u);
  EXPECT_EQ(facts["largest_residuals"][0]["column"], "energy_residual");
  EXPECT_DOUBLE_EQ(facts["largest_residuals"][0]["largest"].get<double>(), 76e-12);
}

TEST_F(SweepReport, HasTheMotionsOfMembersThatAreEvenlySpread) {
  samples::write_line(file_, 23, Keep::trajectory);
  const json page = data();
  const json& motion = page["motion"];
  const auto times = unpacked(motion["times"]);
  ASSERT_EQ(times.size(), 41u);
  ASSERT_EQ(motion["members"].size(), 12u);
  EXPECT_EQ(motion["members"].back()["member"], 22);
  for (std::size_t k = 0; k < 12; ++k) {
    const json& one = motion["members"][k];
    EXPECT_EQ(one["member"], 2 * k);
    const double gamma = unpacked(one["swept"]).front();
    EXPECT_EQ(gamma, unpacked(page["axes"][0]["values"][0])[2 * k]);
    EXPECT_FALSE(one["motion"]["bodies"].empty());
    ASSERT_EQ(one["columns"].size(), 1u) << "the picture reads q alone";
    EXPECT_EQ(one["columns"][0]["name"], "q");
    const auto q = unpacked(one["columns"][0]["values"]);
    for (std::size_t row = 0; row < times.size(); ++row) EXPECT_EQ(q[row], samples::swept_q(gamma, 1, times[row]));
  }
}

TEST_F(SweepReport, HasMotionsInATimeOfAnyName) {
  samples::write_line(
      file_, 3, Keep::trajectory,
      "[algebroid]\nkind = \"tangent\"\nbase = [\"q\"]\nfibre = [\"v\"]\n[parameters]\ngamma = 0.1\n[dynamics]\n"
      "time = \"r\"\nlagrangian = \"v^2/2 - gamma*q^2/2\"\n[initial]\nq = 1\n[simulation]\nstep = 0.1\n"
      "t_end = 4\n[view.bodies]\nb = { shape = \"sphere\", at = [\"r\", \"q\", 0] }\n");
  const json page = data();
  EXPECT_EQ(page["facts"]["time"], "r");
  ASSERT_EQ(page["motion"]["members"].size(), 3u) << page["motion"].dump();
  const json& columns = page["motion"]["members"][0]["columns"];
  EXPECT_TRUE(std::any_of(columns.begin(), columns.end(), [](const json& one) { return one["name"] == "r"; }));
}

TEST_F(SweepReport, HasNoMotionsOfFinalStatesAndStatistics) {
  samples::write_line(file_, 5);
  EXPECT_TRUE(data()["motion"].is_null());
  samples::write_samples(file_, Keep::statistics, 5);
  EXPECT_TRUE(data()["motion"].is_null());
}

TEST(FailureGroups, TellNamesFromNumbers) {
  const auto groups = grouped({{1, "x1 is not finite at t = -2.5e-3."},
                               {4, "x2 is not finite at t = 1"},
                               {6, "x2 is not finite at t = -17.25"},
                               {7, "x2 is not finite at t = 1e+04"}});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].reason, "x2 is not finite at t = 1");
  EXPECT_EQ(groups[0].first, (std::vector<std::size_t>{4, 6, 7}));
  EXPECT_EQ(groups[1].members, 1u);
}

TEST_F(SweepReport, GivesQuantitiesThatNeverChangeAnAxisEach) {
  samples::write_constant(file_);
  const json page = data();
  ASSERT_EQ(page["axes"].size(), 2u);
  EXPECT_EQ(page["axes"][0]["quantities"], (json{0}));
  EXPECT_EQ(page["axes"][1]["quantities"], (json{1}));
  EXPECT_EQ(unpacked(page["axes"][1]["values"][0]), (std::vector<double>{1, 1, 1}));
}

TEST_F(SweepReport, ShowsNoValuesWhereEveryMemberFailed) {
  samples::write_failed(file_);
  const json page = data();
  EXPECT_EQ(page["facts"]["failed"], 12);
  EXPECT_TRUE(page["facts"]["largest_residuals"].empty());
  EXPECT_TRUE(page["columns"][0]["histogram"].is_null());
  EXPECT_THAT(unpacked(page["columns"][0]["cells"]),
              testing::AllOf(testing::SizeIs(12), testing::Each(testing::IsNan())));
}

TEST_F(SweepReport, AveragesSamplesWithinACell) {
  samples::write_grid(file_, Keep::final, 5);
  const json page = data();
  ASSERT_EQ(page["axes"].size(), 2u) << "samples are not an axis of the map";
  EXPECT_EQ(page["members_per_cell"], 5);
  EXPECT_EQ(page["quantities"][2]["random"], true);
  // q does not depend on z; the residual is 1e-12 times the number of the member.
  const auto residuals = unpacked(page["columns"][1]["cells"]);
  const auto deviations = unpacked(page["columns"][1]["deviation"]);
  for (const std::size_t cell : {0U, 1U, 76U}) {
    const auto number = static_cast<double>(cell);
    EXPECT_NEAR(residuals[cell], 1e-12 * (5 * number + 2), 1e-24);
    EXPECT_NEAR(deviations[cell], 1e-12 * std::sqrt(2.5), 1e-20);
  }
}

TEST_F(SweepReport, MakesAFineGridCoarserAndStaysSmall) {
  samples::write_line(file_, 1'000'000);
  const std::string text = page();
  const json page = run_of(text);
  EXPECT_LT(text.size(), 4'000'000u);
  EXPECT_EQ(page["axes"][0]["points"], 1'000'000);
  EXPECT_EQ(page["axes"][0]["width"], 500);
  const auto gamma = unpacked(page["axes"][0]["values"][0]);
  const auto cells = unpacked(page["columns"][0]["cells"]);
  ASSERT_EQ(gamma.size(), 2000u);
  ASSERT_EQ(cells.size(), gamma.size());
  for (const std::size_t cell : {0U, 777U, 1999U}) {
    const auto number = static_cast<double>(cell);
    EXPECT_NEAR(gamma[cell], (500 * number + 249.5) / 999'999, 1e-14);
    EXPECT_NEAR(cells[cell], std::cos(4 * gamma[cell]), 1e-6);
  }
}

TEST_F(SweepReport, SpreadsTheMembersOnThePageOverAll) {
  samples::write_line(file_, 100'000);
  const json page = data();
  const auto members = unpacked(page["members"]);
  const auto gamma = unpacked(page["quantities"][0]["points"]);
  const auto q = unpacked(page["columns"][0]["points"]);
  ASSERT_EQ(members.size(), 10'000u);
  ASSERT_EQ(q.size(), members.size());
  std::set<int> remainders;
  for (std::size_t k = 0; k < members.size(); ++k) {
    ASSERT_EQ(static_cast<std::size_t>(members[k]) / 10, k) << "one of each ten";
    ASSERT_EQ(q[k], samples::swept_q(gamma[k], 1, 4));
    ASSERT_NEAR(gamma[k], members[k] / 99'999, 1e-14);
    remainders.insert(static_cast<int>(members[k]) % 10);
  }
  EXPECT_EQ(remainders.size(), 10u) << "at places that follow no period";
}

TEST_F(SweepReport, CountsEveryMemberInItsHistogram) {
  samples::write_line(file_, 100'000);
  const json histogram = data()["columns"][0]["histogram"];
  const auto counts = histogram["counts"].get<std::vector<std::size_t>>();
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), 100'000u);
  // cos(4 gamma) falls from 1 to -1 and turns there: P(q < x) for x in the first bars is 2 (pi - acos(x)) / 4, cut off
  // where gamma ends at 1.
  const double from = histogram["from"];
  const double width = (histogram["to"].get<double>() - from) / static_cast<double>(counts.size());
  const double expected = 2 * (std::numbers::pi - std::acos(from + width)) / 4;
  EXPECT_NEAR(static_cast<double>(counts[0]), 1e5 * expected, 10);
}

TEST_F(SweepReport, DrawsQuantilesOverTime) {
  samples::write_samples(file_, Keep::trajectory, 2001);
  const json page = data();
  EXPECT_TRUE(page["axes"].empty());
  EXPECT_EQ(unpacked(page["times"]).size(), 41u);
  const json fan = page["columns"][0]["fan"];
  // At t = 0, q is normal with mean 1 and deviation 0.2: its quantile at 0.95 is 1 + 0.2 * 1.6449.
  EXPECT_NEAR(unpacked(fan["quantiles"][2])[0], 1, 0.02);
  EXPECT_NEAR(unpacked(fan["quantiles"][4])[0], 1 + 0.2 * 1.6449, 0.03);
  EXPECT_NEAR(unpacked(fan["quantiles"][0])[0], 1 - 0.2 * 1.6449, 0.03);
  EXPECT_NEAR(unpacked(fan["deviation"])[0], 0.2, 0.01);
  const auto least = unpacked(fan["least"]);
  const auto largest = unpacked(fan["largest"]);
  const auto lower = unpacked(fan["quantiles"][0]);
  for (std::size_t row = 0; row < least.size(); ++row) {
    EXPECT_LT(least[row], lower[row]);
    EXPECT_LT(lower[row], largest[row]);
  }
}

TEST_F(SweepReport, DrawsAFanOfEachValueOfOneSweptParameter) {
  samples::write_line(file_, 25, Keep::trajectory);
  const json page = data();
  EXPECT_EQ(page["fan_cells"], json({0, 3, 6, 9, 12, 15, 18, 21, 24}));
  const auto gamma = unpacked(page["axes"][0]["values"][0]);
  const auto times = unpacked(page["times"]);
  const json& fans = page["columns"][0]["fans"];
  ASSERT_EQ(fans.size(), 9u);
  for (std::size_t k = 0; k < fans.size(); ++k) {
    const auto median = unpacked(fans[k]["quantiles"][2]);
    ASSERT_EQ(median.size(), times.size());
    for (std::size_t row = 0; row < times.size(); ++row)
      EXPECT_EQ(median[row], samples::swept_q(gamma[3 * k], 1, times[row])) << "gamma = " << gamma[3 * k];
  }
  const auto least = unpacked(page["columns"][0]["fan"]["least"]);
  EXPECT_LT(least.back(), -0.999)
      << "the fan of all members has gamma = 19/24, where q is least, which no other fan has";
}

TEST_F(SweepReport, ShowsMomentsWhereMembersAreNotKept) {
  samples::write_samples(file_, Keep::statistics, 2001);
  const json page = data();
  EXPECT_EQ(page["facts"]["keep"], "statistics");
  EXPECT_TRUE(unpacked(page["members"]).empty());
  const json fan = page["columns"][0]["fan"];
  EXPECT_TRUE(fan["quantiles"].empty());
  EXPECT_NEAR(unpacked(fan["mean"])[0], 1, 0.02);
  EXPECT_NEAR(unpacked(fan["deviation"])[0], 0.2, 0.01);
  EXPECT_EQ(page["columns"][0]["last"]["count"], 2001);
  EXPECT_DOUBLE_EQ(page["facts"]["largest_residuals"][0]["largest"].get<double>(), 2000e-12);
}

TEST_F(SweepReport, LeavesNothingBehindWhereItCannotWrite) {
  samples::write_grid(file_, Keep::final);
  EXPECT_THROW(write_report(io::SweepReader(file_), folder_), std::runtime_error);
  EXPECT_THROW(write_report(io::SweepReader(file_), folder_ / "missing" / "a.html"), std::runtime_error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}), 1);
}

/// The browser's tests open these.
TEST(SampleReports, OfEnsemblesAreWrittenToTheBuildTree) {
  const fs::path folder = fs::path(build_folder()) / "report-samples";
  fs::create_directories(folder);
  const auto show = [&](const char* name) {
    write_report(io::SweepReader(folder / "sweep.h5"), folder / (std::string(name) + ".html"));
  };
  samples::write_grid(folder / "sweep.h5", Keep::trajectory, 4);
  show("sweep-grid");
  samples::write_line(folder / "sweep.h5", 501);
  show("sweep-line");
  samples::write_line(folder / "sweep.h5", 25, Keep::trajectory);
  show("sweep-fans");
  samples::write_constant(folder / "sweep.h5");
  show("sweep-constant");
  samples::write_failed(folder / "sweep.h5");
  show("sweep-failed");
  samples::write_samples(folder / "sweep.h5", Keep::final, 20'000);
  show("sweep-samples");
  samples::write_samples(folder / "sweep.h5", Keep::statistics, 500);
  show("sweep-statistics");
  fs::remove(folder / "sweep.h5");
  EXPECT_GT(fs::file_size(folder / "sweep-grid.html"), 1'000'000u);
}

}  // namespace
}  // namespace herglotz::report
