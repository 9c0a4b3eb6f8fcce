#include <gtest/gtest.h>

#include <cmath>

#include "radau/step.hpp"
#include "systems.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

// J. C. Butcher 1964; E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, Thm IV.5.1: the order is 5 if
// B(5), C(3) and D(1) hold.
TEST(RadauTableau, SatisfiesTheSimplifyingConditionsOfOrderFive) {
  for (std::size_t j = 0; j < 3; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += Radau::A[2][i] * Radau::A[i][j];
    EXPECT_NEAR(sum, Radau::A[2][j] * (1 - Radau::c[j]), 1e-15) << "D(1)";
  }
  for (int k = 1; k <= 5; ++k) {
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 3; ++j) sum += Radau::A[i][j] * std::pow(Radau::c[j], k - 1);
      if (k <= 3 || i == 2) {
        EXPECT_NEAR(sum, std::pow(Radau::c[i], k) / k, 1e-15) << "stage " << i << ", degree " << k - 1;
      }
    }
  }
  double sixth = 0;
  for (std::size_t j = 0; j < 3; ++j) sixth += Radau::A[2][j] * std::pow(Radau::c[j], 5);
  EXPECT_GT(std::abs(sixth - 1.0 / 6), 1e-4) << "the order is 5, not 6";
}

// T^-1 T = 1 and A T diag = T: the transformed matrices are those of A^-1.
TEST(RadauTableau, TransformationMakesTheInverseOfTheTableauBlockDiagonal) {
  const double blocks[3][3] = {{Radau::gamma, 0, 0}, {0, Radau::alpha, -Radau::beta}, {0, Radau::beta, Radau::alpha}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double one = 0;
      double back = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        one += Radau::T_inverse[i][k] * Radau::T[k][j];
        for (std::size_t l = 0; l < 3; ++l) back += Radau::A[i][k] * Radau::T[k][l] * blocks[l][j];
      }
      EXPECT_NEAR(one, i == j ? 1 : 0, 1e-14);
      EXPECT_NEAR(back, Radau::T[i][j], 1e-14);
    }
  }
}

TEST(RadauTableau, PolynomialPassesThroughTheStages) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double s = Radau::c[j];
      const double value = s * (Radau::dense[i][0] + s * (Radau::dense[i][1] + s * Radau::dense[i][2]));
      EXPECT_NEAR(value, i == j ? 1 : 0, 2e-14);
    }
}

TEST(Radau, SamplesInsideStepsAreAsAccurateAsTheSteps) {
  const auto dynamics = dynamics_of<NonlinearAction>();
  const std::vector<double> start{0.5, 1.2, 0.3};
  const double tolerance = 1e-7;
  const auto run = testing::run(
      dynamics, start, {.method = "radau-5", .t_end = 2, .tolerance = tolerance, .schedule = {.interval = 0.013}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  EXPECT_LT(run.outcome.steps, run.samples.size()) << "no sample would lie inside a step";
  const auto exact = testing::run(
      dynamics, start, {.method = "reference", .t_end = 2, .tolerance = 1e-13, .schedule = {.interval = 0.013}});
  ASSERT_EQ(run.samples.size(), exact.samples.size());
  for (std::size_t k = 0; k < run.samples.size(); ++k)
    EXPECT_LT(distance(run.samples[k].state, exact.samples[k].state), 100 * tolerance) << run.samples[k].t;
}

}  // namespace
}  // namespace herglotz::integrate
