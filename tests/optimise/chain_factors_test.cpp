#include "chain_factors.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace {

using namespace herglotz::optimise;

/// A random symmetric matrix on a chain of blocks with a border, with as many zeros on its diagonal as asked for.
struct Example {
  std::vector<int> place;
  Places entries;
  std::vector<double> values;
  Eigen::MatrixXd dense;

  Example(int blocks, int width, int border, double zeros, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const int n = blocks * width + border;
    for (int i = 0; i < n; ++i) place.push_back(i < blocks * width ? i / width : -1);
    dense.setZero(n, n);
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i) {
        const bool near = place[i] < 0 || place[i] - place[j] <= 1;
        if (!near || (i == j && uniform(random) < 2 * zeros - 1) || uniform(random) < -0.5) continue;
        const double value = uniform(random) * std::pow(10.0, 3 * uniform(random));
        // Entries at one place add up.
        for (const double part : {0.25, 0.75}) {
          entries.add(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
          values.push_back(part * value);
        }
        dense(i, j) = dense(j, i) = value;
      }
    }
  }
};

}  // namespace

TEST(ChainFactors, SolveAndCountNegativeEigenvaluesAsDenseFactorsDo) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Example example(12, 3 + static_cast<int>(seed % 4), static_cast<int>(seed % 3), seed % 2 == 0 ? 0.5 : 1,
                          seed);
    ChainFactors factors(example.place, example.entries);
    factors.factor(example.values);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(example.dense);
    ASSERT_FALSE(factors.is_singular()) << seed;
    EXPECT_EQ(factors.negative(), static_cast<std::size_t>((eigen.eigenvalues().array() < 0).count())) << seed;
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(example.dense.rows(), -1, 1);
    Eigen::VectorXd x = right;
    factors.solve({x.data(), static_cast<std::size_t>(x.size())});
    EXPECT_LT((example.dense * x - right).norm(), 1e-11 * example.dense.norm() * x.norm()) << seed;
  }
}

TEST(ChainFactors, FindSingularMatrices) {
  Example example(4, 3, 1, 0, 7);
  for (std::size_t e = 0; e < example.entries.size(); ++e)
    if (example.entries.row[e] == 5 || example.entries.col[e] == 5) example.values[e] = 0;
  ChainFactors factors(example.place, example.entries);
  factors.factor(example.values);
  EXPECT_TRUE(factors.is_singular());
}

TEST(ChainFactors, PivotsThatComeLaterInTheChainAreWaitedFor) {
  // [0 1; 1 0] with its unknowns in two blocks: neither has a pivot of its own.
  Places entries;
  entries.add(1, 0);
  ChainFactors factors({0, 1}, entries);
  factors.factor(std::vector{2.0});
  EXPECT_FALSE(factors.is_singular());
  EXPECT_EQ(factors.negative(), 1U);
  std::vector<double> x{3, 8};
  factors.solve(x);
  EXPECT_EQ(x, (std::vector{4.0, 1.5}));
}

TEST(ChainFactors, RefuseEntriesAcrossTheChain) {
  Places entries;
  entries.add(2, 0);
  EXPECT_THROW(ChainFactors({0, 1, 2}, entries), std::invalid_argument);
}
