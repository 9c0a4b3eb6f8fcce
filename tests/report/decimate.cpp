#include "run/decimate.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>

#include "sample_runs.hpp"

namespace herglotz::report {
namespace {

using analyse::Role;
using analyse::Trajectory;

TEST(Decimation, KeepsEveryRowOfAShortRun) {
  const auto rows = rows_to_draw(samples::damped_oscillator(100), 100);
  ASSERT_EQ(rows.size(), 100u);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], i);
}

TEST(Decimation, KeepsBothEndsAndStaysNearItsLimit) {
  const auto rows = rows_to_draw(samples::damped_oscillator(100'000, 500), 2000);
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), 99'999u);
  EXPECT_LE(rows.size(), 2010u);
  EXPECT_GE(rows.size(), 1000u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(std::set<std::size_t>(rows.begin(), rows.end()).size(), rows.size());
}

TEST(Decimation, KeepsTheExtremesOfEveryColumn) {
  Trajectory run = samples::damped_oscillator(100'000, 500);
  run.columns[2].values[61'803] = 1e6;
  run.columns[3].values[27'182] = -1e6;
  const auto rows = rows_to_draw(run, 1000);
  for (const auto& column : run.columns) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const std::size_t row : rows) {
      low = std::min(low, column.values[row]);
      high = std::max(high, column.values[row]);
    }
    const auto [least, greatest] = std::minmax_element(column.values.begin(), column.values.end());
    EXPECT_EQ(low, *least) << column.name;
    EXPECT_EQ(high, *greatest) << column.name;
  }
}

TEST(Decimation, KeepsTheEnvelopeOfAFastOscillation) {
  Trajectory run;
  run.columns = {{"t", Role::time, {}}, {"x", Role::base, {}}};
  for (int i = 0; i < 200'000; ++i) {
    run.columns[0].values.push_back(i);
    run.columns[1].values.push_back(std::sin(1.1 * i));
  }
  const auto rows = rows_to_draw(run, 4000);
  for (std::size_t first = 0; first < 200'000; first += 2000) {
    double high = -1;
    for (const std::size_t row : rows) {
      if (row >= first && row < first + 2000) high = std::max(high, run.columns[1].values[row]);
    }
    EXPECT_GT(high, 0.999) << "from row " << first;
  }
}

TEST(Decimation, KeepsTheFirstNumberThatIsNotFinite) {
  Trajectory run = samples::damped_oscillator(50'000);
  run.columns[1].values[31'415] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(rows_to_draw(run, 500), testing::Contains(31'415u));
}

}  // namespace
}  // namespace herglotz::report
