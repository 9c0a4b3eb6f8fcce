// Sums without round-off, products in two parts, guesses of steps, and the times of samples.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "drive/schedule.hpp"
#include "integrate/two_lanes.hpp"
#include "numerics/compensated.hpp"
#include "numerics/extrapolation.hpp"
#include "numerics/short_array.hpp"
#include "numerics/twofold.hpp"

namespace herglotz::integrate {
namespace {

using Two = Pack<2>;

TEST(Twofold, GivesWhatASumLostExactly) {
  for (const auto& [a, b] : {std::pair{1.0, 1e-20}, {1e-20, 1.0}, {0.1, 0.2}, {1e16, 1.0}, {-1e16, 3.0}, {1.5, -1.5}}) {
    const double sum = a + b;
    const double lost = lost_by_sum(a, b, sum);
    EXPECT_EQ(static_cast<__float128>(sum) + lost, static_cast<__float128>(a) + b) << a << " + " << b;
  }
  EXPECT_EQ(lost_by_sum(1.0, 1e-20, 1.0), 1e-20);
  EXPECT_EQ(lost_by_sum(1.0, 2.0, 3.0), 0.0);
}

TEST(Twofold, GivesWhatAProductLostExactly) {
  for (const auto& [a, b] : {std::pair{0.1, 0.1}, {1.0 / 3, 3.0}, {-1e10 / 3, 1e-10 / 7}, {M_PI, M_E}, {2.0, 0.5}}) {
    const double product = a * b;
    const double lost = lost_by_product(Halves<double>(a), Halves<double>(b), product);
    EXPECT_EQ(static_cast<__float128>(product) + lost, static_cast<__float128>(a) * b) << a << " * " << b;
    const Halves<double> halves(a);
    EXPECT_EQ(halves.high + halves.low, a);
    EXPECT_EQ(lost_by_product(Halves<Two>(Two(a)), Halves<Two>(Two(b)), Two(product))[1], lost);
  }
  EXPECT_NE(lost_by_product(Halves<double>(0.1), Halves<double>(0.1), 0.1 * 0.1), 0);
}

TEST(ShortArray, KeepsItsNumbersWhereverTheyLie) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{16}, std::size_t{17}, std::size_t{200}}) {
    ShortArray numbers(size);
    EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 0.0), static_cast<std::ptrdiff_t>(size));
    for (std::size_t i = 0; i < size; ++i) numbers[i] = 1.0 + static_cast<double>(i);
    ShortArray copy = numbers;
    for (const std::size_t other : {std::size_t{2}, std::size_t{40}}) {
      copy.resize(other);
      EXPECT_EQ(copy.size(), other);
      EXPECT_EQ(std::count(copy.begin(), copy.end(), 0.0), static_cast<std::ptrdiff_t>(other));
      copy = numbers;
      EXPECT_TRUE(std::equal(copy.begin(), copy.end(), numbers.begin(), numbers.end()));
    }
    numbers.resize(size);
    EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 0.0), static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(copy.size(), size) << "a copy has numbers of its own";
    if (size > 0) EXPECT_EQ(copy[size - 1], static_cast<double>(size));
  }
}

TEST(CompensatedSums, KeepWhatPlainSumsLose) {
  constexpr int count = 100'000;
  CompensatedSums<double> sums;
  sums.resize(2);
  sums.set(0, 1);
  double plain = 1;
  for (int k = 0; k < count; ++k) {
    sums.add(0, 1e-16);
    plain += 1e-16;
  }
  EXPECT_EQ(plain, 1) << "a plain sum must lose every increment for this to say something";
  EXPECT_NEAR(sums[0] - 1, count * 1e-16, 3e-16);
  EXPECT_NEAR((sums[0] - 1) + sums.rest(0), count * 1e-16, 1e-20);
  EXPECT_EQ(sums[1], 0);
  sums.set(0, 2);
  EXPECT_EQ(sums[0], 2);
  EXPECT_EQ(sums.rest(0), 0) << "a new value has lost nothing yet";
}

TEST(CompensatedSums, OfLanesAreThoseOfEveryLane) {
  CompensatedSums<Two> pack;
  CompensatedSums<double> alone;
  pack.resize(1);
  alone.resize(1);
  for (int k = 1; k < 100; ++k) {
    Two increments(1e-3 * k);
    increments.set(1, 1.0 / k);
    pack.add(0, increments);
    alone.add(0, 1.0 / k);
  }
  EXPECT_EQ(pack[0][1], alone[0]);
  EXPECT_EQ(pack.rest(0)[1], alone.rest(0));
}

/// (k^degree, -k^degree) at step k.
std::vector<double> powers(int k, int degree) {
  const double value = std::pow(k, degree);
  return {value, -value};
}

// Through the last n steps goes a polynomial of degree n - 1, and no more.
TEST(Extrapolation, IsExactForPolynomialsOfItsDegree) {
  constexpr int length = 5;
  for (int remembered = 1; remembered <= length + 2; ++remembered) {
    const int most = std::min(remembered, length) - 1;
    for (int degree = 0; degree <= length; ++degree) {
      Extrapolation<double, length> past;
      past.resize(2);
      for (int k = 1; k <= remembered; ++k) past.remember(powers(k, degree));
      EXPECT_TRUE(past.more_than(most));
      EXPECT_FALSE(past.more_than(most + 1));
      EXPECT_EQ(past[0], powers(remembered, degree));
      std::vector<double> guess(2);
      past.extrapolate(guess);
      const auto exact = powers(remembered + 1, degree);
      if (degree <= most)
        EXPECT_EQ(guess, exact) << remembered << " steps, degree " << degree;
      else
        EXPECT_GT(std::abs(guess[0] - exact[0]), 0.5) << remembered << " steps, degree " << degree;
    }
  }
}

TEST(Extrapolation, ForgetsAllButTheNewest) {
  Extrapolation<double, 5> past;
  past.resize(2);
  for (int k = 1; k <= 5; ++k) past.remember(powers(k, 3));
  past.forget(true, 2);
  std::vector<double> guess(2);
  past.extrapolate(guess);
  EXPECT_EQ(guess[0], 2 * 125 - 64) << "a line through the last two";
  past.forget(true);
  EXPECT_FALSE(past.more_than(0));
}

TEST(Extrapolation, HasACountInEveryLane) {
  Extrapolation<Two, 5> past;
  past.resize(1);
  for (int k = 1; k <= 5; ++k) past.remember({Two(std::pow(k, 3))});
  past.forget(Mask<2>::of_bits(2), 2);
  std::vector<Two> guess{Two(0.0)};
  past.extrapolate(guess);
  EXPECT_EQ(guess[0][0], 216);
  EXPECT_EQ(guess[0][1], 2 * 125 - 64);
  EXPECT_EQ(bits_of(past.more_than(2)), 1U);
}

TEST(CountSteps, CoversADurationByWholeStepsAndOneShorter) {
  const auto expect = [](double duration, double h, std::size_t whole, double last) {
    const Steps steps = count_steps(duration, h);
    EXPECT_EQ(steps.whole, whole) << duration << " by " << h;
    EXPECT_NEAR(steps.last, last, 1e-12) << duration << " by " << h;
    EXPECT_EQ(steps.total(), whole + (last != 0 ? 1 : 0));
  };
  expect(1, 0.1, 10, 0);
  expect(0.3, 0.1, 3, 0);
  expect(1, 0.3, 3, 0.1);
  expect(-1, -0.3, 3, -0.1);
  expect(0.05, 0.1, 0, 0.05);
  expect(1e6, 0.1, 10'000'000, 0);
}

std::vector<double> times_of(double t0, double t_end, const Schedule& schedule) {
  std::vector<double> times;
  for (SampleTimes due(t0, t_end, schedule); !due.only_end_left(); due.pass()) times.push_back(due.next());
  times.push_back(SampleTimes(t_end, t_end, {}).next());
  return times;
}

TEST(SampleTimes, AreMultipliedOutAndEndAtTheEnd) {
  Schedule schedule;
  schedule.interval = 0.1;
  const auto times = times_of(0.5, 1.5, schedule);
  ASSERT_EQ(times.size(), 10U);
  for (std::size_t k = 0; k + 1 < times.size(); ++k) EXPECT_EQ(times[k], 0.5 + static_cast<double>(k + 1) * 0.1);
  EXPECT_EQ(times.back(), 1.5);
  EXPECT_EQ(times_of(0, -0.25, schedule), (std::vector<double>{-0.1, -0.2, -0.25})) << "backwards";
  EXPECT_EQ(times_of(0, 0.3 + 1e-12, schedule).size(), 3U) << "one within 1e-9 of an interval is the end itself";
  EXPECT_EQ(times_of(0, 0.05, schedule), std::vector<double>{0.05});
}

TEST(SampleTimes, AreThoseListedBeforeTheEnd) {
  Schedule schedule;
  schedule.times = {0.1, 0.7};
  EXPECT_EQ(times_of(0, 1, schedule), (std::vector<double>{0.1, 0.7, 1}));
  SampleTimes due(0, 1, schedule);
  due.pass();
  due.pass();
  EXPECT_TRUE(due.only_end_left());
  EXPECT_EQ(due.next(), 1);
}

}  // namespace
}  // namespace herglotz::integrate
