#include "elementary/sine_and_cosine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bitwise.hpp"
#include "llvm/cpu.hpp"
#include "llvm/functions.hpp"

namespace herglotz::compile::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// (sin p x, cos p x).
symbolic::Program both() {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto x = graph->symbol("x");
  const auto p = graph->symbol("p");
  return {"both", graph, {x}, {p}, {symbolic::sin(p * x), symbolic::cos(p * x)}};
}

/// Numbers of every size, and the doubles around multiples of pi/2.
std::vector<double> angles() {
  std::vector<double> result{0.0,
                             -0.0,
                             5e-324,
                             -5e-324,
                             1e-310,
                             1e-160,
                             largest_reduced_angle,
                             -1e22,
                             1e300,
                             -infinity,
                             infinity,
                             1.7e308,
                             std::nextafter(largest_reduced_angle, infinity)};
  std::mt19937_64 random(31);
  std::uniform_real_distribution<double> mantissa(-2.0, 2.0);
  for (int exponent = -40; exponent < 30; ++exponent)
    for (int i = 0; i < 2000; ++i) result.push_back(std::ldexp(mantissa(random), exponent));
  for (int i = 0; i < 100000; ++i) result.push_back(4 * mantissa(random));
  for (int bits = 1; bits < 30; ++bits) {
    for (int i = 0; i < 1000; ++i) {
      const auto k = static_cast<long double>(random() >> static_cast<unsigned>(64 - bits));
      const auto near = static_cast<double>(k * std::numbers::pi_v<long double> / 2);
      for (const double x : {near, std::nextafter(near, infinity), std::nextafter(near, -infinity)})
        result.push_back(std::abs(x) <= largest_reduced_angle ? x : 1.0);
    }
  }
  return result;
}

/// In units in the last place of the exact number.
double error(double found, long double exact) {
  const auto [rounded, exponent] = [&] {
    int e = 0;
    const auto mantissa = std::frexp(exact, &e);
    return std::pair(mantissa, std::max(e - 53, -1074));
  }();
  return rounded == 0 ? std::abs(found) : static_cast<double>(std::abs(found - exact) / std::ldexp(1.0L, exponent));
}

TEST(SineAndCosine, AreWithinAUnitInTheLastPlace) {
  if (!cpu_has_fma()) GTEST_SKIP() << "this machine has no fused multiply-add";
  static_assert(std::numeric_limits<long double>::digits >= 64);
  double worst_sine = 0;
  double worst_cosine = 0;
  for (const double x : angles()) {
    if (!(std::abs(x) <= largest_reduced_angle)) continue;
    const auto [sine, cosine] = sine_and_cosine(x);
    worst_sine = std::max(worst_sine, error(sine, std::sin(static_cast<long double>(x))));
    worst_cosine = std::max(worst_cosine, error(cosine, std::cos(static_cast<long double>(x))));
  }
  EXPECT_LT(worst_sine, 0.8);
  EXPECT_LT(worst_cosine, 0.8);
}

/// The sine of the double next to n pi is what that double leaves out, rounded: pi has 2^-53 0x1.1a62633145c06e.. more.
TEST(SineAndCosine, KeepTheirDigitsWhereAnArgumentIsAlmostAMultipleOfPi) {
  if (!cpu_has_fma()) GTEST_SKIP() << "this machine has no fused multiply-add";
  for (const auto& [x, expected] :
       {std::pair{std::numbers::pi, 0x1.1a62633145c07p-53}, std::pair{-std::numbers::pi, -0x1.1a62633145c07p-53},
        std::pair{2 * std::numbers::pi, -0x1.1a62633145c07p-52}}) {
    EXPECT_EQ(sine_and_cosine(x).sine, expected);
    EXPECT_EQ(std::abs(sine_and_cosine(x).cosine), 1.0);
  }
}

TEST(SineAndCosine, KeepTheSignOfZeroAndKnowNoInfinity) {
  EXPECT_TRUE(same(sine_and_cosine(0.0).sine, 0.0));
  EXPECT_TRUE(same(sine_and_cosine(-0.0).sine, -0.0));
  EXPECT_EQ(sine_and_cosine(-0.0).cosine, 1.0);
  EXPECT_EQ(sine_and_cosine(5e-324).sine, 5e-324);
  EXPECT_EQ(sine_and_cosine(-5e-324).sine, -5e-324);
  for (const double x : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sine_and_cosine(x).sine)) << x;
    EXPECT_TRUE(std::isnan(sine_and_cosine(x).cosine)) << x;
  }
}

TEST(SineAndCosine, HaveTheSameBitsInMachineCodeAtEveryWidth) {
  auto x = angles();
  // Huge ones and ordinary ones side by side.
  std::shuffle(x.begin(), x.end(), std::mt19937_64(5));
  std::vector<std::vector<double>> u;
  for (const double angle : x) u.push_back({angle});
  const std::vector<std::vector<double>> p(u.size(), {1.0});
  for (const int lanes : {1, 4, 8}) {
    if (lanes > native_lanes()) continue;
    const auto found = run(compile(both(), {Backend::llvm, lanes, 200}), u, p);
    for (std::size_t i = 0; i < u.size(); ++i) {
      const auto [sine, cosine] = sine_and_cosine(x[i]);
      ASSERT_TRUE(same(found[i][0], sine) && same(found[i][1], cosine)) << x[i] << " in " << lanes << " lanes";
    }
  }
}

TEST(SineAndCosine, OfOneLaneDoNotDependOnItsNeighbours) {
  for (const int lanes : {4, 8}) {
    if (lanes > native_lanes()) continue;
    const auto kernel = compile(both(), {Backend::llvm, lanes, 200});
    const auto count = static_cast<std::size_t>(lanes);
    std::mt19937_64 random(9);
    std::uniform_real_distribution<double> ordinary(-100.0, 100.0);
    for (int sample = 0; sample < 200; ++sample) {
      std::vector<double> x(count);
      for (auto& angle : x) angle = ordinary(random);
      const std::vector<double> ones(count, 1.0);
      std::vector<double> quiet(2 * count);
      std::vector<double> disturbed(2 * count);
      std::vector<double> work(kernel.work_size());
      kernel(x.data(), ones.data(), quiet.data(), work.data());
      const std::size_t one = random() % count;
      x[one] = std::array{1e10, -1e18, infinity, std::numeric_limits<double>::quiet_NaN()}[random() % 4];
      kernel(x.data(), ones.data(), disturbed.data(), work.data());
      for (std::size_t lane = 0; lane < count; ++lane) {
        const auto [sine, cosine] = sine_and_cosine(x[lane]);
        EXPECT_TRUE(same(disturbed[lane], sine) && same(disturbed[count + lane], cosine)) << lane;
        if (lane == one) continue;
        EXPECT_TRUE(same(disturbed[lane], quiet[lane])) << lane;
        EXPECT_TRUE(same(disturbed[count + lane], quiet[count + lane])) << lane;
      }
    }
  }
}

}  // namespace
}  // namespace herglotz::compile::test
