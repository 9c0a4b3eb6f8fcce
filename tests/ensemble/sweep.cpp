#include "herglotz/ensemble/sweep.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "herglotz/compile/compile.hpp"

namespace herglotz::ensemble {
namespace {

using Kind = ProbabilityDistribution::Kind;
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

Sweep sampled(const std::vector<ProbabilityDistribution>& distributions, std::size_t samples, Sampling sampling,
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
  sweep.quantities = {parameter("a", ProbabilityDistribution{Kind::uniform, 0, 1}), parameter("b", List{5, 6}),
                      parameter("c", ProbabilityDistribution{Kind::uniform, 0, 1})};
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

TEST(Sweep, DrawsTheSameForManyMembersAtOnce) {
  Sweep sweep =
      sampled({{Kind::normal, 1, 2}, {Kind::uniform, -1, 1}, {Kind::log_normal, 0, 1}, {Kind::exponential, 2, 0}}, 37,
              Sampling::random, 0);
  sweep.quantities.insert(sweep.quantities.begin(), parameter("range", Range{1, 9, 3, true}));
  sweep.quantities.push_back(parameter("list", List{1, 2, 4}));
  for (const auto sampling : {Sampling::random, Sampling::sobol}) {
    for (const std::uint64_t seed : {0U, 5U}) {
      sweep.sampling = sampling;
      sweep.seed = seed;
      const SweepValues values(sweep);
      const std::size_t quantities = sweep.quantities.size();
      for (const int lanes : {1, 4, 8}) {
        if (lanes > compile::native_lanes()) continue;
        for (const std::size_t count : {1U, 7U, 16U, 77U}) {
          for (std::size_t first = 0; first + count <= sweep.members(); first += count) {
            std::vector<double> together(quantities * count);
            std::vector<double> alone(quantities);
            values(first, count, lanes, together);
            for (std::size_t k = 0; k < count; ++k) {
              values(first + k, alone);
              for (std::size_t q = 0; q < quantities; ++q)
                ASSERT_EQ(std::bit_cast<std::uint64_t>(together[q * count + k]),
                          std::bit_cast<std::uint64_t>(alone[q]));
            }
          }
        }
      }
    }
  }
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
  for (int k = 0; k < 20; ++k) {
    Sweep wide;
    wide.quantities = {parameter("a", Range{1.1e-300 * (k + 1), 1.3e300 / (k + 3), 7, true})};
    EXPECT_EQ(column(wide).front(), 1.1e-300 * (k + 1));
    EXPECT_EQ(column(wide).back(), 1.3e300 / (k + 3));
  }
  Sweep halves;
  halves.quantities = {sweep.quantities[1]};
  for (std::size_t k = 0; k <= 10; ++k) EXPECT_EQ(column(halves)[k], -std::ldexp(1.0, static_cast<int>(k)));
}

TEST(Sweep, RefusesWhatIsNone) {
  const auto one = [](decltype(Swept::values) values) {
    Sweep sweep;
    sweep.quantities = {parameter("a", std::move(values))};
    sweep.samples = 1;
    return sweep;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(one(List{})), "the list of 'a' has no values; give at least one");
  EXPECT_EQ(refusal(one(List{1, NAN})), "the list of 'a' has a value that is not finite; give finite numbers");
  EXPECT_EQ(refusal(one(Range{0, 1, 0, false})), "the range of 'a' has no values; give a count of at least 1");
  EXPECT_EQ(refusal(one(Range{0, infinity, 3, false})),
            "the range of 'a' has an end that is not finite; give finite numbers");
  EXPECT_EQ(refusal(one(Range{0, 1, 1, false})),
            "the range of 'a' has two ends and one value; give a count of at least 2");
  for (const double from : {0.0, -1.0})
    EXPECT_EQ(refusal(one(Range{from, 1, 3, true})),
              "the range of 'a' is logarithmic and passes through 0; give ends of one sign");
  EXPECT_EQ(refusal(one(ProbabilityDistribution{Kind::uniform, 1, 1})),
            "the distribution of 'a' has no width; its upper end lies above its lower");
  EXPECT_EQ(refusal(one(ProbabilityDistribution{Kind::log_uniform, 0, 1})),
            "the distribution of 'a' is logarithmic and reaches 0; give ends above 0");
  EXPECT_EQ(refusal(one(ProbabilityDistribution{Kind::log_normal, 0, -1})),
            "the distribution of 'a' has no positive deviation; give one above 0");
  EXPECT_EQ(refusal(one(ProbabilityDistribution{Kind::exponential, 0, 1})),
            "the distribution of 'a' has no positive mean; give one above 0");
  EXPECT_EQ(refusal(one(ProbabilityDistribution{Kind::normal, infinity, 1})),
            "the distribution of 'a' is not given by finite numbers; give such");
  EXPECT_EQ(refusal(one(Range{0, 1, std::size_t{1} << 52U, false})),
            "there are 2^52 members or more; give shorter axes");
}

TEST(Sweep, RefusesWhatDoesNotFitTogether) {
  Sweep sweep;
  sweep.quantities = {parameter("a", List{1, 2}), parameter("b", List{1, 2, 3}),
                      parameter("c", ProbabilityDistribution{Kind::normal, 0, 1}), parameter("d", List{1, 2})};
  EXPECT_EQ(refusal(sweep), "there are distributions and no samples of them; give samples, e.g. 1000");
  sweep.samples = 10;
  EXPECT_EQ(refusal(sweep), "none");
  const auto zipped = [&](std::vector<std::vector<std::string>> groups) {
    sweep.zipped = std::move(groups);
    return refusal(sweep);
  };
  EXPECT_EQ(zipped({{"a", "d"}}), "none");
  EXPECT_EQ(zipped({{"a", "b"}}), "'b' has 3 values and 'a', with which it is zipped, has 2; give both as many");
  EXPECT_EQ(zipped({{"a", "e"}}), "'e' is zipped and not swept; give its values, or leave it out");
  EXPECT_EQ(zipped({{"a", "c"}}),
            "'c' is zipped and has a distribution; distributions go together as they are; leave it out");
  EXPECT_EQ(zipped({{"a", "d"}, {"a"}}), "'a' is zipped twice; name it once");
  sweep.zipped = {};
  sweep.quantities.push_back({Target::initial, "a", List{1}});
  EXPECT_EQ(refusal(sweep), "'a' is swept twice; keep one of the two");
  sweep.quantities.pop_back();
  sweep.samples = std::size_t{1} << 50U;
  EXPECT_EQ(refusal(sweep), "there are 2^52 members or more; give shorter axes");
}

}  // namespace
}  // namespace herglotz::ensemble
