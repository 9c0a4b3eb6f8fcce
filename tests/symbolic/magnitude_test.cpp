// The size of the terms of an expression bounds what floating point makes of it, to first order of the unit round-off:
// |(a + da)(b + db) - a b| <= |a| |db| + |b| |da|, and the like for every other operation.

#include "herglotz/symbolic/magnitude.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::symbolic {
namespace {

class Magnitude : public ::testing::Test {
 protected:
  Magnitude() : a_(graph_.symbol("a")), b_(graph_.symbol("b")) {}
  double of(std::string_view text, double a, double b) {
    const Expr size = magnitude(parse(graph_, text, {{"a", a_}, {"b", b_}}));
    const Expr symbols[] = {a_, b_};
    const double values[] = {a, b};
    return evaluate({&size, 1}, symbols, values).front();
  }

  Graph graph_;
  Expr a_, b_;
};

TEST_F(Magnitude, IsThatOfTheTermsWhereTheyCancel) {
  EXPECT_NEAR(of("a - b", 1, 1), 2, 1e-15);
  EXPECT_NEAR(of("a*b", 3, -0.5), 1.5, 1e-15);
  EXPECT_NEAR(of("a*(a - b)", 3, 3), 18, 1e-14);
}

TEST_F(Magnitude, OfSeveralAreThoseOfEach) {
  const Expr several[] = {a_ - b_, sin(a_ - b_) * a_, a_};
  const auto sizes = magnitudes(several);
  ASSERT_EQ(sizes.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(sizes[k], magnitude(several[k])) << k;
  EXPECT_TRUE(magnitudes({}).empty());
}

TEST_F(Magnitude, AddsTheTermsOfFactorsThatCancel) {
  // (a - b)(a + b - 2) at a = b = 1: either factor is 0, so that the error of the other one does not matter.
  EXPECT_EQ(of("(a - b)*(a + b - 2)", 1, 1), 0);
  // (a - 3) exp(-(100 (a - 3))^2) at a = 3.1: its argument of 100 is known to 2*31*10 + 100 units, and a - 3 to 61.
  const double pulse = 0.1 * std::exp(-100);
  EXPECT_NEAR(of("(a - 3)*exp(-(100*(a - 3))^2)", 3.1, 0) / pulse, 1 + 100 + 2 * 1000 * 6.1 + 61, 1e-6 * 12361);
}

// A pulse is over where its values are; the terms of its argument grow like the time from it.
TEST_F(Magnitude, OfAPulseThatIsOverIsNotThatOfItsArgument) {
  EXPECT_EQ(of("b*(a - 3)*exp(-10000*(a - 3)^2)", 5, 1), 0);
  const double pulse = 0.05 * std::exp(-25);
  EXPECT_LT(of("b*(a - 3)*exp(-10000*(a - 3)^2)", 3.05, 1) / pulse, 1e4);
}

}  // namespace
}  // namespace herglotz::symbolic
