#include "sobol.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "herglotz/ensemble/sweep.hpp"

namespace herglotz::ensemble {
namespace {

using Points = std::vector<std::vector<double>>;

double coordinate(const Sobol& sobol, std::size_t dimension, std::uint64_t index) {
  return static_cast<double>(sobol.bits(dimension, index)) * 0x1p-52;
}

Points points(Sampling sampling, std::size_t dimensions, std::size_t count, std::uint64_t seed) {
  Sweep sweep;
  for (std::size_t d = 0; d < dimensions; ++d)
    sweep.quantities.push_back({Target::parameter, "x" + std::to_string(d),
                                ProbabilityDistribution{ProbabilityDistribution::Kind::uniform, 0, 1}});
  sweep.sampling = sampling;
  sweep.samples = count;
  sweep.seed = seed;
  Points all(count, std::vector<double>(dimensions));
  const SweepValues values(sweep);
  for (std::size_t k = 0; k < count; ++k) values(k, all[k]);
  return all;
}

/// The L2 star discrepancy (Warnock 1972).
double discrepancy(const Points& points) {
  const auto n = static_cast<double>(points.size());
  double ones = 0;
  double pairs = 0;
  for (const auto& x : points) {
    double product = 1;
    for (const double u : x) product *= (1 - u * u) / 2;
    ones += product;
    for (const auto& y : points) {
      product = 1;
      for (std::size_t d = 0; d < x.size(); ++d) product *= 1 - std::max(x[d], y[d]);
      pairs += product;
    }
  }
  return std::sqrt(std::pow(3.0, -static_cast<double>(points.front().size())) - 2 * ones / n + pairs / (n * n));
}

/// The first points as every implementation with the numbers of Joe and Kuo (2008) has them.
TEST(Sobol, BeginsWithTheKnownPoints) {
  const Sobol sobol(3);
  const Points known{{0, 0, 0},
                     {0.5, 0.5, 0.5},
                     {0.75, 0.25, 0.25},
                     {0.25, 0.75, 0.75},
                     {0.375, 0.375, 0.625},
                     {0.875, 0.875, 0.125},
                     {0.625, 0.125, 0.875},
                     {0.125, 0.625, 0.375},
                     {0.1875, 0.3125, 0.9375}};
  for (std::size_t k = 0; k < known.size(); ++k)
    for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(coordinate(sobol, d, k), known[k][d]) << k << " " << d;
}

/// Against scipy.stats.qmc.Sobol 1.x, without scrambling.
TEST(Sobol, HasTheKnownPointsInHighDimensionsToo) {
  const Sobol sobol(40);
  const std::vector<std::size_t> dimensions{3, 6, 10, 19, 39};
  const std::map<std::uint64_t, std::vector<double>> known{
      {5, {0.375, 0.875, 0.375, 0.625, 0.375}},
      {77, {0.7734375, 0.2265625, 0.1328125, 0.0078125, 0.2734375}},
      {1000, {0.6767578125, 0.0458984375, 0.0849609375, 0.7255859375, 0.4794921875}}};
  for (const auto& [index, expected] : known)
    for (std::size_t i = 0; i < dimensions.size(); ++i)
      EXPECT_EQ(coordinate(sobol, dimensions[i], index), expected[i]) << index << " " << dimensions[i];
}

TEST(Sobol, DoesNotDependOnHowManyDimensionsThereAre) {
  const Sobol few(2);
  const Sobol many(most_sobol_dimensions);
  for (const std::uint64_t index : {std::uint64_t{1}, std::uint64_t{12345}, (std::uint64_t{1} << 51U) + 99})
    for (std::size_t d = 0; d < 2; ++d) EXPECT_EQ(few.bits(d, index), many.bits(d, index));
  std::set<std::uint64_t> different;
  for (std::size_t d = 0; d < most_sobol_dimensions; ++d) different.insert(many.bits(d, 0xABCDE12345));
  EXPECT_EQ(different.size(), most_sobol_dimensions);
}

TEST(SobolSampling, LeavesTheOriginOutWhereItIsNotShifted) {
  const auto x = points(Sampling::sobol, 2, 3, 0);
  EXPECT_EQ(x, (Points{{0.5, 0.5}, {0.75, 0.25}, {0.25, 0.75}}));
}

/// Two dimensions are a (0, m, 2)-net in base 2, and remain one under a digital shift.
TEST(SobolSampling, PutsOnePointIntoEveryElementaryBoxAndStillDoesWhenShifted) {
  const std::size_t m = 8;
  for (const std::uint64_t seed : {1U, 2U, 77U}) {
    const auto x = points(Sampling::sobol, 2, std::size_t{1} << m, seed);
    for (std::size_t a = 0; a <= m; ++a) {
      std::set<std::pair<int, int>> boxes;
      for (const auto& point : x)
        boxes.emplace(static_cast<int>(std::ldexp(point[0], static_cast<int>(a))),
                      static_cast<int>(std::ldexp(point[1], static_cast<int>(m - a))));
      EXPECT_EQ(boxes.size(), x.size()) << "seed " << seed << ", a = " << a;
    }
  }
}

TEST(SobolSampling, ShiftsByTheSeed) {
  const auto one = points(Sampling::sobol, 2, 4, 1);
  EXPECT_EQ(one, points(Sampling::sobol, 2, 4, 1));
  const auto two = points(Sampling::sobol, 2, 4, 2);
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t d = 0; d < 2; ++d) EXPECT_NE(one[k][d], two[k][d]);
  EXPECT_NE(one[0][0], one[0][1]);
}

TEST(SobolSampling, IsFarMoreEvenThanChance) {
  for (const std::size_t dimensions : {2U, 5U}) {
    for (const std::uint64_t seed : {0U, 5U}) {
      const double chance = discrepancy(points(Sampling::random, dimensions, 1024, seed + 1));
      EXPECT_LT(discrepancy(points(Sampling::sobol, dimensions, 1024, seed)), chance / (dimensions == 2 ? 8 : 2.5));
      // Of independent points its square has the mean (2^-s - 3^-s)/N.
      const double expected = std::sqrt(
          (std::pow(2.0, -static_cast<double>(dimensions)) - std::pow(3.0, -static_cast<double>(dimensions))) / 1024);
      EXPECT_LT(chance, 2 * expected);
      EXPECT_GT(chance, expected / 3);
    }
  }
}

}  // namespace
}  // namespace herglotz::ensemble
