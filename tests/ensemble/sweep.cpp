#include "herglotz/ensemble/sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

namespace herglotz::ensemble {
namespace {

using Kind = Distribution::Kind;
using List = std::vector<double>;

Swept parameter(std::string name, decltype(Swept::values) values) {
  return {Target::parameter, std::move(name), std::move(values)};
}

/// Member by member, the value of every quantity.
std::vector<List> table(const Sweep& sweep) {
  std::vector<List> rows(sweep.members(), List(sweep.quantities.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) sweep.values(k, rows[k]);
  return rows;
}

/// Quantity `q` over the members.
List column(const Sweep& sweep, std::size_t q = 0) {
  const SweepValues values(sweep);
  List row(sweep.quantities.size());
  List column;
  for (std::size_t k = 0; k < sweep.members(); ++k) {
    values(k, row);
    column.push_back(row[q]);
  }
  return column;
}

Sweep sampled(const std::vector<Distribution>& distributions, std::size_t samples, Sampling sampling,
              std::uint64_t seed) {
  Sweep sweep;
  for (const auto& distribution : distributions)
    sweep.quantities.push_back(parameter("x" + std::to_string(sweep.quantities.size()), distribution));
  sweep.sampling = sampling;
  sweep.samples = samples;
  sweep.seed = seed;
  sweep.validate();
  return sweep;
}

std::string refusal(const Sweep& sweep) {
  try {
    sweep.validate();
  } catch (const std::invalid_argument& reason) {
    return reason.what();
  }
  return "none";
}

TEST(Sweep, OfNothingHasOneMember) {
  const Sweep sweep;
  sweep.validate();
  EXPECT_TRUE(sweep.shape().empty());
  EXPECT_EQ(sweep.members(), 1U);
}

TEST(Sweep, RunsItsLastAxisFastest) {
  Sweep sweep;
  sweep.quantities = {parameter("a", List{1, 2}), parameter("b", Range{0, 2, 3, false})};
  sweep.validate();
  EXPECT_EQ(sweep.shape(), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(table(sweep), (std::vector<List>{{1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}));
}

TEST(Sweep, MovesWhatIsZippedInStep) {
  Sweep sweep;
  sweep.quantities = {parameter("a", List{1, 2}), parameter("b", List{5, 6, 7}), parameter("c", Range{3, 4, 2, false})};
  sweep.zipped = {{"c", "a"}};
  sweep.validate();
  EXPECT_EQ(sweep.shape(), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(sweep.axis_of(), (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(table(sweep), (std::vector<List>{{1, 5, 3}, {1, 6, 3}, {1, 7, 3}, {2, 5, 4}, {2, 6, 4}, {2, 7, 4}}));
}

TEST(Sweep, DrawsDistributionsAlongOneLastAxis) {
  Sweep sweep;
  sweep.quantities = {parameter("a", Distribution{Kind::uniform, 0, 1}), parameter("b", List{5, 6}),
                      parameter("c", Distribution{Kind::uniform, 0, 1})};
  sweep.samples = 3;
  sweep.validate();
  EXPECT_EQ(sweep.shape(), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(sweep.axis_of(), (std::vector<std::size_t>{1, 0, 1}));
  const auto rows = table(sweep);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(rows[k][1], 5);
    EXPECT_EQ(rows[k + 3][1], 6);
    EXPECT_EQ(rows[k][0], rows[k + 3][0]);
    EXPECT_EQ(rows[k][2], rows[k + 3][2]);
    EXPECT_NE(rows[k][0], rows[k][2]);
  }
  EXPECT_NE(rows[0][0], rows[1][0]);
}

TEST(Sweep, DrawsTheSameWhateverElseIsCrossed) {
  Sweep sweep = sampled({{Kind::normal, 0, 1}}, 5, Sampling::random, 3);
  const List alone = column(sweep);
  sweep.quantities.insert(sweep.quantities.begin(), parameter("grid", List{1, 2}));
  const List crossed = column(sweep, 1);
  for (std::size_t k = 0; k < crossed.size(); ++k) EXPECT_EQ(crossed[k], alone[k % 5]);
}

TEST(Sweep, IsTheSameInAnyThread) {
  const Sweep sweep = sampled({{Kind::log_normal, 0, 1}, {Kind::normal, 0, 1}}, 1000, Sampling::sobol, 7);
  const SweepValues values(sweep);
  const List here = column(sweep, 1);
  List there(here.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t first = 0; first < 4; ++first)
      threads.emplace_back([&, first] {
        List row(2);
        for (std::size_t k = first; k < there.size(); k += 4) {
          values(k, row);
          there[k] = row[1];
        }
      });
  }
  EXPECT_EQ(here, there);
}

TEST(Range, HasBothEndsAndEqualDistances) {
  Sweep sweep;
  sweep.quantities = {parameter("a", Range{0, 1, 11, false})};
  const List tenths = column(sweep);
  for (std::size_t k = 0; k <= 10; ++k) EXPECT_EQ(tenths[k], static_cast<double>(k) / 10);
  sweep.quantities = {parameter("a", Range{1e308, -1e308, 3, false})};
  EXPECT_EQ(column(sweep), (List{1e308, 0, -1e308}));
}

TEST(Range, HasBothEndsAndEqualRatios) {
  Sweep sweep;
  sweep.quantities = {parameter("a", Range{0.1, 10, 3, true}), parameter("b", Range{-1, -1024, 11, true}),
                      parameter("c", Range{3, 3, 1, true}), parameter("d", Range{7e-5, 123.4, 23, true})};
  sweep.validate();
  sweep.zipped = {};
  for (const std::size_t q : {0U, 1U, 3U}) {
    Sweep alone;
    alone.quantities = {sweep.quantities[q]};
    const auto range = std::get<Range>(sweep.quantities[q].values);
    const List values = column(alone);
    EXPECT_EQ(values.front(), range.from);
    EXPECT_EQ(values.back(), range.to);
    for (std::size_t k = 1; k + 1 < values.size(); ++k)
      EXPECT_NEAR(values[k] * values[k] / (values[k - 1] * values[k + 1]), 1, 1e-15);
  }
  Sweep halves;
  halves.quantities = {sweep.quantities[1]};
  for (std::size_t k = 0; k <= 10; ++k) EXPECT_EQ(column(halves)[k], -std::ldexp(1.0, static_cast<int>(k)));
}

}  // namespace
}  // namespace herglotz::ensemble
