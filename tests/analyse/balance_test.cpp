#include "herglotz/analyse/balance.hpp"

#include <gtest/gtest.h>

#include <cmath>

using herglotz::analyse::BalanceLedger;

TEST(BalanceLedger, IsZeroWhereTheLawHolds) {
  BalanceLedger ledger;
  for (int k = 0; k < 10; ++k) {
    const double t = 0.3 * k;
    const double quantity = 2 * std::exp(-0.4 * t);
    EXPECT_EQ(ledger.residual(quantity, 3 * std::exp(-0.4 * t), quantity, 0.4 * t), 0.0);
  }
  EXPECT_EQ(ledger.largest(), 0.0);
}

TEST(BalanceLedger, MeasuresTheScaledDefectAgainstTheLargestTermSoFar) {
  BalanceLedger ledger;
  ledger.residual(2, 5, 2, 0);  // largest |term| is 5
  const double factor = 3;      // lambda
  const double r = ledger.residual(1.5, 1.2, 1, std::log(factor));
  EXPECT_NEAR(r, factor * (1.5 - 1) / 5, 1e-15);  // 5 > 3 * 1.5
  EXPECT_NEAR(ledger.largest(), r, 0);
}

TEST(BalanceLedger, CountsTheIntegralOfTheSourceAmongTheTerms) {
  BalanceLedger ledger;
  ledger.residual(0, 0, 0, 0);
  EXPECT_NEAR(ledger.residual(8.5, 8.5, 8, 0), 0.5 / 8.5, 1e-15);
}

TEST(BalanceLedger, SurvivesFactorsBeyondTheRangeOfDoubles) {
  BalanceLedger ledger;
  ledger.residual(1, 1, 1, 0);
  EXPECT_NEAR(ledger.residual(1.25, 1, 1, 2000), 0.2, 1e-15);
  BalanceLedger growing;
  growing.residual(1, 1, 1, 0);
  EXPECT_TRUE(std::isfinite(growing.residual(1e200, 1e200, 1e200, -460)));
}

TEST(BalanceLedger, RemembersThatAResidualWasNotANumber) {
  BalanceLedger ledger;
  ledger.residual(1, 1, 1, 0);
  ledger.residual(std::nan(""), 1, 1, 0);
  ledger.residual(1, 1, 1, 0);
  EXPECT_TRUE(std::isnan(ledger.largest()));
}
