#include "quantile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "elementary.hpp"

namespace herglotz::ensemble {
namespace {

using Kind = ProbabilityDistribution::Kind;
using List = std::vector<double>;

constexpr std::size_t count = 100000;

List draws(const std::vector<ProbabilityDistribution>& distributions, std::uint64_t seed, std::size_t q = 0) {
  Sweep sweep;
  for (const auto& distribution : distributions)
    sweep.quantities.push_back({Target::parameter, "x" + std::to_string(sweep.quantities.size()), distribution});
  sweep.samples = count;
  sweep.seed = seed;
  sweep.validate();
  const SweepValues values(sweep);
  List row(distributions.size());
  List column(count);
  for (std::size_t k = 0; k < count; ++k) {
    values(k, row);
    column[k] = row[q];
  }
  return column;
}

/// The largest distance of the empirical distribution function from the exact one, times sqrt(count).
double kolmogorov(List x, const std::function<double(double)>& distribution) {
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(x.size());
  double largest = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double f = distribution(x[k]);
    largest = std::max({largest, f - static_cast<double>(k) / n, static_cast<double>(k + 1) / n - f});
  }
  return largest * std::sqrt(n);
}

double normal_distribution(double x) {
  return std::erfc(-x / std::sqrt(2.0)) / 2;
}

double correlation(const List& x, const List& y) {
  const auto n = static_cast<double>(std::min(x.size(), y.size()));
  double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) {
    sx += x[k];
    sy += y[k];
    sxx += x[k] * x[k];
    syy += y[k] * y[k];
    sxy += x[k] * y[k];
  }
  return (n * sxy - sx * sy) / std::sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
}

/// Against values of 40 digits.
TEST(Elementary, FunctionsRoundCorrectly) {
  const std::vector<std::array<double, 2>> logarithms{
      {1e-5, -11.5129254649702283382869},        {0.1, -2.30258509299404562850684},
      {0.5, -0.6931471805599453094172321},       {0.7071, -0.3465831803719420002781364},
      {1.0000001, 9.99999950583870451775161e-8}, {3.5, 1.252762968495367995688121},
      {123456.789, 11.72364648718588101602963},  {1e300, 690.7755278982137052579022},
      {5e-324, -744.4400719213812623141073},     {1, 0}};
  for (const auto& [x, y] : logarithms) EXPECT_EQ(static_cast<double>(logarithm(x)), y) << x;
  const std::vector<std::array<double, 2>> exponentials{{-700, 9.859676543759770856705373e-305},
                                                        {-12.5, 0.000003726653172078670992924851},
                                                        {-0.3, 0.7408182206817178742916082},
                                                        {1e-9, 1.0000000010000000005},
                                                        {0.4, 1.491824697641270350950016},
                                                        {1.5, 4.481689070338064822602055},
                                                        {33.33, 298562378461581.2566168051},
                                                        {700, 1.01423205473500450945533e+304},
                                                        {0, 1},
                                                        {-800, 0}};
  for (const auto& [x, y] : exponentials) EXPECT_EQ(static_cast<double>(exponential(x)), y) << x;
}

TEST(Elementary, FunctionsKnowMoreDigitsThanADouble) {
  for (int k = -1000; k <= 1000; ++k) {
    const long double x = 0.37L * k + 0.001L;
    EXPECT_NEAR(static_cast<double>(exponential(x) * exponential(-x) - 1), 0, 1e-18) << k;
    EXPECT_NEAR(static_cast<double>(exponential(x) / std::exp(x) - 1), 0, 1e-18) << k;
    const long double y = std::exp(x / 1000);
    EXPECT_NEAR(static_cast<double>(logarithm(y) / std::log(y) - 1), 0, 1e-18) << k;
  }
}

/// Against values of 40 digits, from erfc.
TEST(NormalQuantile, IsAccurateToTheLastDigits) {
  const std::vector<std::array<double, 2>> known{
      {0x1p-53, -8.2095361516013868556}, {1e-300, -37.047096299361199237}, {1e-12, -7.0344838253011319326},
      {0.001, -3.0902323061678135354},   {0.02, -2.0537489106318230443},   {0.0749, -1.4402382675279636631},
      {0.0751, -1.4388253927525399824},  {0.3, -0.52440051270804081597},   {0.4999, -0.00025066283008800749239},
      {0.6, 0.25334710313579974132},     {0.9251, 1.4402382675279638594},  {0.99999, 4.2648907939238407699}};
  for (const auto& [p, x] : known) EXPECT_NEAR(normal_quantile(p) / x, 1, 5e-16) << p;
  EXPECT_EQ(normal_quantile(0.5), 0);
}

TEST(Quantile, InvertsTheDistributionFunction) {
  for (const double about : {1e-9, 0.01, 0.3, 0.5, 0.8, 0.999}) {
    const double p = std::round(about * 0x1p53) * 0x1p-53;
    EXPECT_NEAR((quantile({Kind::uniform, -2, 6}, p) + 2) / 8, p, 1e-15);
    EXPECT_NEAR(std::log(quantile({Kind::log_uniform, 1e-3, 1e2}, p) / 1e-3) / std::log(1e5), p, 1e-15);
    EXPECT_NEAR(normal_distribution((quantile({Kind::normal, 3, 2}, p) - 3) / 2), p, 1e-15);
    EXPECT_NEAR(normal_distribution((std::log(quantile({Kind::log_normal, 3, 2}, p)) - 3) / 2), p, 1e-15);
    EXPECT_NEAR(-std::expm1(-quantile({Kind::exponential, 3, 1}, p) / 3) / p, 1, 1e-15);
  }
}

/// Beyond 1.95 chance alone comes once in a thousand times.
TEST(Draws, FollowTheirDistributions) {
  EXPECT_LT(kolmogorov(draws({{Kind::uniform, -2, 6}}, 1), [](double x) { return (x + 2) / 8; }), 1.95);
  EXPECT_LT(kolmogorov(draws({{Kind::normal, 3, 2}}, 2), [](double x) { return normal_distribution((x - 3) / 2); }),
            1.95);
  EXPECT_LT(kolmogorov(draws({{Kind::exponential, 3, 1}}, 3), [](double x) { return -std::expm1(-x / 3); }), 1.95);
  EXPECT_LT(kolmogorov(draws({{Kind::log_normal, 1, 0.5}}, 4),
                       [](double x) { return normal_distribution((std::log(x) - 1) / 0.5); }),
            1.95);
  EXPECT_LT(kolmogorov(draws({{Kind::log_uniform, 0.1, 10}}, 5),
                       [](double x) { return std::log(x / 0.1) / std::log(100.0); }),
            1.95);
}

TEST(Draws, HaveTheMomentsOfTheNormalDistribution) {
  const List x = draws({{Kind::normal, 0, 1}}, 6);
  const auto moment = [&](int power) {
    double sum = 0;
    for (const double value : x) sum += std::pow(value, power);
    return sum / count;
  };
  const double unit = 1 / std::sqrt(static_cast<double>(count));
  EXPECT_NEAR(moment(1), 0, 4 * unit);
  EXPECT_NEAR(moment(2), 1, 4 * std::sqrt(2.0) * unit);
  EXPECT_NEAR(moment(3), 0, 4 * std::sqrt(15.0) * unit);
  EXPECT_NEAR(moment(4), 3, 4 * std::sqrt(96.0) * unit);
}

TEST(Draws, AreIndependentOfTheirNeighboursQuantitiesAndSeeds) {
  const ProbabilityDistribution uniform{Kind::uniform, 0, 1};
  const List x = draws({uniform, uniform}, 9);
  const double bound = 4 / std::sqrt(static_cast<double>(count));
  for (const std::ptrdiff_t lag : {1, 2, 3, 16, 1024})
    EXPECT_NEAR(correlation(x, List(x.begin() + lag, x.end())), 0, bound) << lag;
  EXPECT_NEAR(correlation(x, draws({uniform, uniform}, 9, 1)), 0, bound);
  EXPECT_NEAR(correlation(x, draws({uniform}, 10)), 0, bound);
  // Pairs of neighbours in 16 x 16 boxes: chi squared with 255 degrees of freedom.
  std::array<double, 256> boxes{};
  for (std::size_t k = 0; k + 1 < count; k += 2)
    ++boxes[static_cast<std::size_t>(16 * x[k]) * 16 + static_cast<std::size_t>(16 * x[k + 1])];
  const double expected = count / 2.0 / 256;
  double chi_squared = 0;
  for (const double box : boxes) chi_squared += (box - expected) * (box - expected) / expected;
  EXPECT_NEAR(chi_squared, 255, 4 * std::sqrt(2 * 255.0));
}

}  // namespace
}  // namespace herglotz::ensemble
