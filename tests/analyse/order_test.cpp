#include "herglotz/analyse/order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace herglotz::analyse {
namespace {

TEST(Order, IsTheSlopeOfLogErrorOverLogStep) {
  std::vector<double> steps;
  std::vector<double> errors;
  for (int k = 0; k < 6; ++k) {
    steps.push_back(std::pow(0.5, k));
    errors.push_back(3 * std::pow(steps.back(), 4));
  }
  const auto fit = fit_order(steps, errors);
  EXPECT_NEAR(fit.order, 4, 1e-12);
  EXPECT_NEAR(fit.constant, std::log(3.0), 1e-12);
  EXPECT_LT(fit.deviation, 1e-12);
  EXPECT_EQ(fit.used, 6u);
}

TEST(Order, IsNotBentByRoundOff) {
  const std::vector<double> steps{-0.4, -0.2, -0.1, -0.05, -0.025};
  std::vector<double> errors;
  for (const double h : steps) errors.push_back(std::pow(std::abs(h), 6) * 1e-3);
  errors[3] = 3e-13;
  errors[4] = 2e-12;
  const auto fit = fit_order(steps, errors);
  EXPECT_EQ(fit.used, 3u) << "a larger error at a smaller step than the first one at the floor is round-off too";
  EXPECT_NEAR(fit.order, 6, 1e-10);
}

TEST(Order, CannotBeFittedFromTooLittle) {
  EXPECT_THROW(fit_order(std::vector{0.1, 0.2}, std::vector{1.0, 2.0}), std::invalid_argument);
  EXPECT_THROW(fit_order(std::vector{0.1, 0.2, 0.4}, std::vector{1e-16, 1e-15, 1e-3}), std::invalid_argument);
  EXPECT_THROW(fit_order(std::vector{0.1, 0.1, 0.4}, std::vector{1.0, 1.0, 1.0}), std::invalid_argument);
  EXPECT_THROW(fit_order(std::vector{0.1, 0.2, 0.4}, std::vector{1.0, std::nan(""), 1.0}), std::invalid_argument);
  EXPECT_THROW(fit_order(std::vector{0.1, 0.2, 0.4}, std::vector{1.0, 1.0}), std::invalid_argument);
}

TEST(Drift, OfABoundedOscillationIsZeroWithinItsError) {
  std::vector<double> times;
  std::vector<double> values;
  for (int k = 0; k <= 1000; ++k) {
    times.push_back(0.1 * k);
    values.push_back(5 + 1e-3 * std::sin(7.3 * times.back()));
  }
  const auto fit = fit_drift(times, values);
  EXPECT_LT(std::abs(fit.slope), 3 * fit.standard_error);
  EXPECT_NEAR(fit.spread, 1e-3, 1e-5);
}

TEST(Drift, IsFoundBesideALargeConstant) {
  std::vector<double> times;
  std::vector<double> values;
  for (int k = 0; k <= 1000; ++k) {
    times.push_back(0.1 * k);
    values.push_back(5 + 1e-3 * std::sin(7.3 * times.back()) + 2e-4 * times.back());
  }
  const auto fit = fit_drift(times, values);
  EXPECT_NEAR(fit.slope, 2e-4, 1e-6);
  EXPECT_GT(fit.slope, 50 * fit.standard_error);
  EXPECT_NEAR(fit.drift, 2e-2, 1e-4);
}

TEST(Drift, NeedsTimesThatDiffer) {
  EXPECT_THROW(fit_drift(std::vector{1.0, 1.0, 1.0}, std::vector{1.0, 2.0, 3.0}), std::invalid_argument);
}

}  // namespace
}  // namespace herglotz::analyse
