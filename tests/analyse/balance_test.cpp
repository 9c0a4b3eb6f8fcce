#include "herglotz/analyse/balance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using herglotz::analyse::BalanceLedger;

TEST(BalanceLedger, IsZeroWhereTheLawHolds) {
  BalanceLedger ledger;
  for (int k = 0; k < 10; ++k) {
    const double t = 0.3 * k;
    const double quantity = 2 * std::exp(-0.4 * t);
    EXPECT_EQ(ledger.residual({t, quantity, 3 * std::exp(-0.4 * t), quantity, 0.4 * t}), 0.0);
  }
  EXPECT_EQ(ledger.largest(), 0.0);
}

TEST(BalanceLedger, MeasuresTheScaledDefectAgainstTheLargestTermSoFar) {
  BalanceLedger ledger;
  ledger.residual({0, 2, 5, 2, 0});  // largest |term| is 5
  const double factor = 3;           // lambda
  const double r = ledger.residual({0, 1.5, 1.2, 1, std::log(factor)});
  EXPECT_NEAR(r, factor * (1.5 - 1) / 5, 1e-15);  // 5 > 3 * 1.5
  EXPECT_NEAR(ledger.largest(), r, 0);
}

TEST(BalanceLedger, CountsTheIntegralOfTheSourceAmongTheTerms) {
  BalanceLedger ledger;
  ledger.residual({0, 0, 0, 0, 0});
  EXPECT_NEAR(ledger.residual({0, 8.5, 8.5, 8, 0}), 0.5 / 8.5, 1e-15);
}

TEST(BalanceLedger, JudgesTheRunByTheLargestTermOfTheWholeRun) {
  // A pulse: terms grow by far more than a step of constant size follows, and its error is forgotten beside them.
  BalanceLedger pulse;
  EXPECT_NEAR(pulse.residual({0, 0, 0, 0, 0}), 0, 0);
  EXPECT_NEAR(pulse.residual({1, 2e-20, 2e-20, 1e-20, 0}), 0.5, 1e-15);
  EXPECT_EQ(pulse.largest(), 0.5);
  pulse.residual({2, 1, 1, 1 - 1e-8, 0});
  EXPECT_NEAR(pulse.largest(), 1e-8, 1e-15);
  // A wrong term is as large as the terms where these are largest.
  BalanceLedger wrong;
  for (const double size : {0.0, 1e-20, 1.0}) wrong.residual({size, size, size, 0.99 * size, 0});
  EXPECT_NEAR(wrong.largest(), 0.01, 1e-12);
}

TEST(BalanceLedger, ComparesDefectsOfADecayedQuantityWithItsOwnTerms) {
  // What was large before counts as it has decayed, and what is large later as it is.
  BalanceLedger ledger;
  for (int t = 0; t <= 100; ++t) {
    const double exact = std::exp(-t);
    ledger.residual({1.0 * t, t < 50 ? exact : 1.01 * exact, exact, exact, 1.0 * t});
  }
  EXPECT_NEAR(ledger.largest(), 0.01 / 1.01, 1e-6);
  ledger.residual({101, 1, 1, 1, 101});
  EXPECT_LT(ledger.largest(), 1e-20);
}

TEST(BalanceLedger, DoesNotForgetAWrongTransientOfADrivenMotion) {
  // lambda grows to 1e43 while the terms stay of one size: an early defect is no smaller for that.
  BalanceLedger ledger;
  for (int t = 0; t <= 100; ++t) ledger.residual({1.0 * t, t == 3 ? 1.02 : 1.0, 1, 1, 1.0 * t});
  EXPECT_NEAR(ledger.largest(), 0.02 / 1.02, 1e-12);
}

// The definition, sample by sample.
TEST(LargestResidual, IsThatOfItsDefinition) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const double growth : {0.0, 0.3, -0.3}) {
    for (const double fall : {-0.2, 0.0, 0.2}) {
      herglotz::analyse::LargestResidual largest;
      std::vector<double> residuals, yardsticks, grown;  // grown: G
      for (int i = 0; i < 120; ++i) {
        const double change = growth * uniform(random);  // of log(lambda)
        residuals.push_back(uniform(random) * std::exp(-10 * uniform(random)));
        yardsticks.push_back(i % 20 == 0 ? 0.0 : std::exp(-fall * i + 5 * uniform(random)));
        grown.push_back((grown.empty() ? 0 : grown.back()) + std::max(0.0, -change));
        largest.enter(residuals.back(), yardsticks.back(), std::exp(-change));
        double expected = 0;
        for (std::size_t j = 0; j < residuals.size(); ++j) {
          double most = yardsticks[j];
          for (std::size_t k = j; k < residuals.size(); ++k)
            most = std::max(most, yardsticks[k] * std::exp(grown[j] - grown[k]));
          const double defect = residuals[j] * (yardsticks[j] > 0 ? yardsticks[j] : 1);
          expected = std::max(expected, most > 0 ? defect / most : defect * std::exp(grown.back() - grown[j]));
        }
        ASSERT_NEAR(largest.value(), expected, 1e-11 * expected) << i << ", " << growth << ", " << fall;
      }
    }
  }
}

TEST(BalanceLedger, SurvivesFactorsBeyondTheRangeOfDoubles) {
  BalanceLedger ledger;
  ledger.residual({0, 1, 1, 1, 0});
  EXPECT_NEAR(ledger.residual({0, 1.25, 1, 1, 2000}), 0.2, 1e-15);
  BalanceLedger growing;
  growing.residual({0, 1, 1, 1, 0});
  EXPECT_TRUE(std::isfinite(growing.residual({0, 1e200, 1e200, 1e200, -460})));
}

TEST(BalanceLedger, RemembersThatAResidualWasNotANumber) {
  BalanceLedger ledger;
  ledger.residual({0, 1, 1, 1, 0});
  ledger.residual({0, std::nan(""), 1, 1, 0});
  ledger.residual({0, 1, 1, 1, 0});
  EXPECT_TRUE(std::isnan(ledger.largest()));
}

TEST(BalanceLedger, TakesWhatRoundOffExplainsForNoViolation) {
  // Terms of dQ/dt of size 1 cancel while Q decays, so that rounding keeps Q at 1e-18.
  BalanceLedger ledger;
  for (int k = 0; k <= 500; ++k) {
    const double exact = std::exp(-0.15 * k);
    ledger.residual({static_cast<double>(k), exact + 1e-18, std::exp(-0.075 * k), exact, 0.15 * k, 1.0});
  }
  EXPECT_LT(ledger.largest(), 1e-9);
  ASSERT_TRUE(ledger.at_round_off());
  EXPECT_GT(*ledger.at_round_off(), 100);
  EXPECT_LT(*ledger.at_round_off(), 300);
}

TEST(BalanceLedger, CountsADefectBeyondRoundOff) {
  BalanceLedger ledger;
  for (int k = 0; k <= 500; ++k) {
    const double exact = std::exp(-0.15 * k);
    ledger.residual({static_cast<double>(k), 1.01 * exact, std::exp(-0.075 * k), exact, 0.15 * k, 1.0});
  }
  EXPECT_NEAR(ledger.largest(), 0.01 / 1.01, 1e-3);
  BalanceLedger late;  // 1e-12 is not round-off of terms of size 1
  for (int k = 0; k <= 500; ++k) {
    const double exact = std::exp(-0.15 * k);
    late.residual({static_cast<double>(k), exact + 1e-12, std::exp(-0.075 * k), exact, 0.15 * k, 1.0});
  }
  EXPECT_GT(late.largest(), 0.1);
}

TEST(BalanceLedger, TakesTheRoundingOfTermsThatCancelInTheQuantityForNoViolation) {
  // Q = v + nu cos(theta) with theta near pi/2: rounding of theta alone makes 1e-15 of it.
  const auto largest = [](double error) {
    BalanceLedger ledger;
    for (int k = 0; k <= 500; ++k) {
      const double exact = std::exp(-0.15 * k);
      ledger.residual({static_cast<double>(k), exact + error, exact, exact, 0.15 * k, 0.15 * exact, 5 * 1.57});
    }
    return ledger.largest();
  };
  EXPECT_LT(largest(1e-15), 1e-9);
  EXPECT_GT(largest(1e-12), 0.1);
}

TEST(BalanceLedger, KnowsNumbersWithoutAllTheirDigitsNoBetterThanTheLeastWithAll) {
  const auto follow = [](BalanceLedger& ledger, double factor) {
    for (int t = 0; t <= 800; t += 5) {
      const double exact = std::exp(-t);  // from t = 709 on below the least number with 53 digits
      const double error =
          exact < std::numeric_limits<double>::min() ? 3 * std::numeric_limits<double>::denorm_min() : 0;
      ledger.residual({static_cast<double>(t), factor * exact + error, exact, exact, static_cast<double>(t)});
    }
    return ledger.largest();
  };
  BalanceLedger right;
  EXPECT_LT(follow(right, 1), 1e-9);
  ASSERT_TRUE(right.at_round_off());
  EXPECT_GT(*right.at_round_off(), 650);
  BalanceLedger wrong;
  EXPECT_NEAR(follow(wrong, 1.01), 0.01 / 1.01, 1e-3);
}

TEST(BalanceLedger, ForgetsRoundOffThatAGrowingQuantityLeavesBehind) {
  BalanceLedger ledger;
  ledger.residual({0, 1e-20, 1e-20, 1e-20, 0, 1.0});
  ledger.residual({1, 1e-20, 1e-20, 0, 0, 1.0});
  EXPECT_TRUE(ledger.at_round_off());
  ledger.residual({2, 1, 1, 1, 0, 1.0});
  EXPECT_FALSE(ledger.at_round_off());
}

TEST(BalanceLedger, ExcusesNothingWhereTheTermsAreNotFinite) {
  BalanceLedger ledger;
  ledger.residual({0, 1, 1, 1, 0, 1.0});
  EXPECT_NEAR(ledger.residual({1, 1.5, 1, 1, 0, INFINITY}), 0.5 / 1.5, 1e-15);
}
