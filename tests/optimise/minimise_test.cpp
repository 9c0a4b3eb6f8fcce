#include "herglotz/optimise/minimise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace herglotz::optimise;

/// x^2 + s y^2 + x y with a x + y = 1 and bounds.
class Quadratic : public Nlp {
 public:
  double s = 1;
  double limit = infinity;  ///< y <= limit
  double least = 1;         ///< least <= 2 x + y <= most
  double most = 1;

  Quadratic() {
    jacobian_.add(0, 0);
    jacobian_.add(0, 1);
    hessian_.add(0, 0);
    hessian_.add(1, 0);
    hessian_.add(1, 1);
  }
  void finish() {
    upper_[1] = limit;
    least_ = {least};
    most_ = {most};
  }
  [[nodiscard]] const std::vector<double>& lower() const override { return lower_; }
  [[nodiscard]] const std::vector<double>& upper() const override { return upper_; }
  [[nodiscard]] const std::vector<double>& g_lower() const override { return least_; }
  [[nodiscard]] const std::vector<double>& g_upper() const override { return most_; }
  double objective(std::span<const double> x) override { return x[0] * x[0] + s * x[1] * x[1] + x[0] * x[1]; }
  void gradient(std::span<const double> x, std::span<double> v) override {
    v[0] = 2 * x[0] + x[1];
    v[1] = 2 * s * x[1] + x[0];
  }
  void constraints(std::span<const double> x, std::span<double> v) override { v[0] = 2 * x[0] + x[1]; }
  [[nodiscard]] const Places& jacobian_places() const override { return jacobian_; }
  void jacobian(std::span<const double>, std::span<double> v) override {
    v[0] = 2;
    v[1] = 1;
  }
  [[nodiscard]] const Places& hessian_places() const override { return hessian_; }
  void hessian(std::span<const double>, double weight, std::span<const double>, std::span<double> v) override {
    v[0] = 2 * weight;
    v[1] = weight;
    v[2] = 2 * s * weight;
  }

 private:
  std::vector<double> lower_{-infinity, -infinity};
  std::vector<double> upper_{infinity, infinity};
  std::vector<double> least_{1};
  std::vector<double> most_{1};
  Places jacobian_;
  Places hessian_;
};

/// T^2/2 with x_{k+1} = x_k + T, asked for twice, from x_0 = 0 to x_N = 1, and from `other` too if that is not 0. T is
/// on the border, and the unknowns x_N, ..., x_0 run against the chain.
class Steps : public Nlp {
 public:
  explicit Steps(int count, double other = 0)
      : count_(count), lower_(unknowns(), -infinity), upper_(unknowns(), infinity) {
    for (int k = 0; k < count; ++k) {
      for (const int row : {2 * k, 2 * k + 1}) {
        for (const int col : {place_of(k + 1), place_of(k), 0})
          jacobian_.add(static_cast<std::size_t>(row), static_cast<std::size_t>(col));
        values_.insert(values_.end(), {1, -1, -1});
        equal_.push_back(0);
        chain_.constraint.push_back(k);
      }
    }
    equal_[1] = other;
    lower_.back() = upper_.back() = 0;
    lower_[1] = upper_[1] = 1;
    hessian_.add(0, 0);
    chain_.unknown.push_back(-1);
    for (int k = count; k >= 0; --k) chain_.unknown.push_back(k);
  }
  [[nodiscard]] std::size_t unknowns() const { return static_cast<std::size_t>(count_) + 2; }
  [[nodiscard]] PrimalDualPoint start() const {
    PrimalDualPoint at{std::vector<double>(unknowns(), 0.0), std::vector<double>(equal_.size(), 0.0), {}, {}};
    at.x[1] = 1;
    return at;
  }
  [[nodiscard]] const std::vector<double>& lower() const override { return lower_; }
  [[nodiscard]] const std::vector<double>& upper() const override { return upper_; }
  [[nodiscard]] const std::vector<double>& g_lower() const override { return equal_; }
  [[nodiscard]] const std::vector<double>& g_upper() const override { return equal_; }
  double objective(std::span<const double> x) override { return x[0] * x[0] / 2; }
  void gradient(std::span<const double> x, std::span<double> v) override {
    std::fill(v.begin(), v.end(), 0.0);
    v[0] = x[0];
  }
  void constraints(std::span<const double> x, std::span<double> v) override {
    std::fill(v.begin(), v.end(), 0.0);
    for (std::size_t e = 0; e < values_.size(); ++e)
      v[static_cast<std::size_t>(jacobian_.row[e])] += values_[e] * x[static_cast<std::size_t>(jacobian_.col[e])];
  }
  [[nodiscard]] const Places& jacobian_places() const override { return jacobian_; }
  void jacobian(std::span<const double>, std::span<double> v) override {
    std::copy(values_.begin(), values_.end(), v.begin());
  }
  [[nodiscard]] const Places& hessian_places() const override { return hessian_; }
  void hessian(std::span<const double>, double weight, std::span<const double>, std::span<double> v) override {
    v[0] = weight;
  }
  [[nodiscard]] Chain chain() const override { return chain_; }

 private:
  [[nodiscard]] int place_of(int k) const { return 1 + count_ - k; }

  int count_;
  std::vector<double> lower_;
  std::vector<double> upper_;
  std::vector<double> equal_;
  std::vector<double> values_;
  Places jacobian_;
  Places hessian_;
  Chain chain_;
};

const PrimalDualPoint origin{{0, 0}, {0}, {0, 0}, {0, 0}};

}  // namespace

TEST(LagrangeSlopes, AreSumsOfTermsWithTheirSizes) {
  Quadratic nlp;
  nlp.finish();
  // 2 x + y + 2 mu and 2 y + x + mu, by x and y at (3, -2) with mu = -1.
  const auto slopes = lagrange_slopes(nlp, {{3, -2}, {-1}, {0, 0}, {0, 0}}, {1, 0});
  ASSERT_EQ(slopes.size(), 2U);
  EXPECT_EQ(slopes[0].value, -4 + 3 - 1);
  EXPECT_EQ(slopes[0].size, 1 + 1);
  EXPECT_EQ(slopes[1].value, 6 - 2 - 2);
  EXPECT_EQ(slopes[1].size, 4 + 2);
}

TEST(Minimise, FindsAMinimumWithTheSignOfItsMultipliers) {
  Quadratic nlp;
  const auto found = minimise(nlp, origin);
  ASSERT_EQ(found.verdict, Verdict::solved) << found.reason;
  // y = 1 - 2 x leaves 3 x^2 - 3 x + 1: x = 1/2, y = 0; 2 x + y + 2 mu = 0.
  EXPECT_NEAR(found.at.x[0], 0.5, 1e-9);
  EXPECT_NEAR(found.at.mu[0], -0.5, 1e-9);
  EXPECT_LT(stationarity(nlp, found.at), 1e-9);
  EXPECT_LT(largest_violation(nlp, found.at.x).size, 1e-12);
}

TEST(Minimise, HoldsABoundWithoutRelaxingIt) {
  Quadratic nlp;
  nlp.limit = -1;
  nlp.finish();
  const auto found = minimise(nlp, origin);
  ASSERT_EQ(found.verdict, Verdict::solved) << found.reason;
  EXPECT_LE(found.at.x[1], -1);
  EXPECT_NEAR(found.at.x[1], -1, 1e-8);
  EXPECT_GT(found.at.at_upper[1], 0.1);
}

TEST(Minimise, StationaryPointsNeedBeNoMinimum) {
  Quadratic nlp;
  nlp.s = -1;
  const auto found = find_stationary(nlp, origin);
  ASSERT_EQ(found.verdict, Verdict::solved) << found.reason;
  // y = 1 - 2 x leaves -5 x^2 + 5 x - 1, which has a maximum at 1/2.
  EXPECT_NEAR(found.at.x[0], 0.5, 1e-12);
  EXPECT_NEAR(found.at.x[1], 0, 1e-12);
  EXPECT_NE(minimise(nlp, origin, {1e-10, 50}).verdict, Verdict::solved);
}

TEST(Minimise, ViolationsHaveTheirPlace) {
  Quadratic nlp;
  EXPECT_EQ(largest_violation(nlp, {0, 0}).constraint, 0U);
  EXPECT_DOUBLE_EQ(largest_violation(nlp, {0, 0}).size, 1);
}

TEST(FindStationary, TreatsARangeAsEqualOnlyWhereItIsActive) {
  Quadratic nlp;
  nlp.least = -1;
  nlp.most = 2;
  nlp.finish();
  const auto inactive = find_stationary(nlp, {{0.3, 0.1}, {0.7}, {0, 0}, {0, 0}});
  ASSERT_EQ(inactive.verdict, Verdict::solved);
  EXPECT_NEAR(inactive.at.x[0], 0, 1e-14);
  EXPECT_NEAR(inactive.at.mu[0], 0, 1e-14);
  const auto active = find_stationary(nlp, {{1, 0}, {0}, {0, 0}, {0, 0}});
  ASSERT_EQ(active.verdict, Verdict::solved);
  EXPECT_NEAR(2 * active.at.x[0] + active.at.x[1], 2, 1e-14);
}

TEST(FindStationary, EquationsThatDependOnOthersAreEliminatedAlongTheChain) {
  constexpr int count = 20000;
  Steps nlp(count);
  const auto found = find_stationary(nlp, nlp.start());
  ASSERT_EQ(found.verdict, Verdict::solved) << found.reason;
  EXPECT_NEAR(found.at.x[0], 1.0 / count, 1e-12);
  EXPECT_NEAR(found.at.x[1 + count / 2], 0.5, 1e-9);
}

// No step meets x_1 = T and x_1 = T + 1 at once, whatever shift it has; between two shifts the caller is asked.
TEST(FindStationary, IsStoppedBetweenTwoShifts) {
  Steps nlp(10, 1);
  int asked = 0;
  const auto found = find_stationary(nlp, nlp.start(), {1e-10, 100, false, 0, [&] { return ++asked < 2; }});
  EXPECT_EQ(found.verdict, Verdict::stopped) << found.reason;
}

TEST(Minimise, DirectionsInWhichTheLagrangeFunctionFallsAreCounted) {
  Quadratic least;
  EXPECT_EQ(directions(least, minimise(least, origin).at).value().negative, 0U);
  Quadratic greatest;
  greatest.s = -1;
  const auto found = find_stationary(greatest, origin);
  EXPECT_EQ(directions(greatest, found.at).value().negative, 1U);
  // At a bound there is no direction left.
  greatest.limit = found.at.x[1];
  greatest.finish();
  EXPECT_EQ(directions(greatest, found.at).value().negative, 0U);
}
