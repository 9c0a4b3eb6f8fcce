#include "herglotz/symbolic/rational.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace herglotz::symbolic {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

Rational q(std::int64_t num, std::int64_t den) {
  return *Rational::make(num, den);
}

TEST(Rational, IsInLowestTermsWithPositiveDenominator) {
  EXPECT_EQ(q(6, -4).num(), -3);
  EXPECT_EQ(q(6, -4).den(), 2);
  EXPECT_EQ(q(0, -7), Rational(0));
  EXPECT_EQ(q(kMin, kMin), Rational(1));
  EXPECT_EQ(q(-8, 6).to_string(), "-4/3");
}

TEST(Rational, HasNoZeroDenominator) {
  EXPECT_FALSE(Rational::make(1, 0));
  EXPECT_FALSE(divide(Rational(1), Rational(0)));
  EXPECT_FALSE(power(Rational(0), -1));
}

TEST(Rational, FormsAField) {
  EXPECT_EQ(add(q(1, 6), q(1, 10)), q(4, 15));
  EXPECT_EQ(multiply(q(2, 3), q(9, 4)), q(3, 2));
  EXPECT_EQ(divide(q(2, 3), q(-4, 9)), q(-3, 2));
  EXPECT_EQ(power(q(-2, 3), 3), q(-8, 27));
  EXPECT_EQ(power(q(-2, 3), -2), q(9, 4));
  EXPECT_EQ(power(Rational(0), 0), Rational(1));
}

TEST(Rational, ReportsOverflowInsteadOfWrapping) {
  EXPECT_FALSE(add(Rational(kMax), Rational(1)));
  EXPECT_FALSE(multiply(Rational(kMax), Rational(2)));
  EXPECT_FALSE(multiply(Rational(kMin), Rational(-1)));
  EXPECT_FALSE(divide(Rational(kMin), Rational(-1)));
  EXPECT_FALSE(add(q(1, kMax), q(1, kMax - 1)));
  EXPECT_FALSE(power(Rational(2), 63));
  EXPECT_EQ(power(Rational(-2), 63), Rational(kMin));
  EXPECT_FALSE(power(Rational(3), kMin));
  EXPECT_FALSE(Rational::make(1, kMin));
}

TEST(Rational, CancelsBeforeItReportsOverflow) {
  EXPECT_EQ(multiply(q(kMax, 3), q(3, kMax)), Rational(1));
  EXPECT_EQ(add(q(kMax, 2), q(-kMax, 2)), Rational(0));
}

TEST(Rational, OrderIsExactWhereDoublesTie) {
  EXPECT_EQ(compare(q(kMax, kMax - 1), q(kMax - 1, kMax - 2)), -1);
  EXPECT_EQ(compare(q(1, 3), q(1, 3)), 0);
  EXPECT_EQ(compare(Rational(kMin), Rational(kMax)), -1);
}

TEST(Rational, ReadsDecimalsExactly) {
  EXPECT_EQ(Rational::from_decimal("0.3"), q(3, 10));
  EXPECT_EQ(Rational::from_decimal("1e-4"), q(1, 10000));
  EXPECT_EQ(Rational::from_decimal("-12.50E1"), Rational(-125));
  EXPECT_EQ(Rational::from_decimal("1000e15"), Rational(1'000'000'000'000'000'000));
  EXPECT_EQ(Rational::from_decimal("0.00e999999999"), Rational(0));
  EXPECT_EQ(Rational::from_decimal("100000000000000000000000e-23"), Rational(1));
}

TEST(Rational, RefusesDecimalsThatDoNotFitOrAreNone) {
  for (const char* text :
       {"1e999999999", "1e-999999999", "1e19", "9223372036854775808", "", ".", "1e", "1x", "1.2.3"}) {
    EXPECT_FALSE(Rational::from_decimal(text)) << text;
  }
  EXPECT_EQ(Rational::from_decimal("9223372036854775807"), Rational(kMax));
}

TEST(Rational, TakesOnlyDoublesWithSmallBinaryDenominators) {
  EXPECT_EQ(Rational::from_double(0.375), q(3, 8));
  EXPECT_EQ(Rational::from_double(-0.0), Rational(0));
  EXPECT_EQ(Rational::from_double(1.0 / (1 << 20)), q(1, 1 << 20));
  EXPECT_FALSE(Rational::from_double(1.0 / (1 << 21)));
  EXPECT_FALSE(Rational::from_double(0.1));
  EXPECT_FALSE(Rational::from_double(1e19));
  EXPECT_FALSE(Rational::from_double(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(Rational::from_double(std::numeric_limits<double>::quiet_NaN()));
}

TEST(Rational, ConvertsToTheNearestDouble) {
  EXPECT_EQ(q(1, 3).to_double(), 1.0 / 3.0);
  EXPECT_EQ(q(1, 10).to_double(), 0.1);
}

}  // namespace
}  // namespace herglotz::symbolic
