#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/tableau.hpp"
#include "order_of.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

// B(2s - 2), C(s) of IIIA, C(s - 2) of IIIB and symplecticity of the pair: E. Hairer, C. Lubich, G. Wanner, Geometric
// Numerical Integration, II.1.4, VI.4.
template <int S>
void expect_lobatto_conditions() {
  const auto tableau = lobatto<S>();
  const auto moment = [&](const std::array<double, S>& weights, int k) {
    double sum = 0;
    for (std::size_t j = 0; j < S; ++j) sum += weights[j] * std::pow(tableau.c[j], k - 1);
    return sum;
  };
  for (int k = 1; k <= 2 * S - 2; ++k) EXPECT_NEAR(moment(tableau.b, k), 1.0 / k, 4e-16) << "B(" << k << ")";
  for (std::size_t i = 0; i < S; ++i) {
    for (int k = 1; k <= S; ++k) EXPECT_NEAR(moment(tableau.A[i], k), std::pow(tableau.c[i], k) / k, 4e-16);
    for (int k = 1; k <= S - 2; ++k) EXPECT_NEAR(moment(tableau.A_hat[i], k), std::pow(tableau.c[i], k) / k, 4e-16);
    EXPECT_EQ(tableau.A[0][i], 0) << "the first stage is the start";
    EXPECT_NEAR(tableau.A[S - 1][i], tableau.b[i], 1e-16) << "the last stage is the end";
    EXPECT_NEAR(tableau.A_hat[i][0], tableau.b[0], 1e-16);
    EXPECT_NEAR(tableau.A_hat[i][S - 1], 0, 1e-16);
    for (std::size_t j = 0; j < S; ++j)
      EXPECT_NEAR(tableau.b[i] * tableau.A_hat[i][j] + tableau.b[j] * tableau.A[j][i], tableau.b[i] * tableau.b[j],
                  1e-16);
  }
}

TEST(Lobatto, SatisfiesItsOrderConditionsAndIsSymplecticAsAPair) {
  expect_lobatto_conditions<2>();
  expect_lobatto_conditions<3>();
  expect_lobatto_conditions<4>();
  expect_lobatto_conditions<5>();
}

class ContactLobatto : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, ContactLobatto,
                         ::testing::Values("contact-lobatto-2", "contact-lobatto-4", "contact-lobatto-6",
                                           "contact-lobatto-8"),
                         underscored);

TEST_P(ContactLobatto, IsTheSameMapInVelocitiesAndInMomenta) {
  const std::vector<double> start{0.5, 1.2, 0.3};
  const Settings settings{.method = GetParam(), .t_end = 5, .step = 0.1};
  const auto a = run(dynamics_of<NonlinearAction>(), start, settings).back();
  const auto b = run(dynamics_of<NonlinearActionHamiltonian>(), {0.5, 1.2 * std::exp(0.3 / 5), 0.3}, settings).back();
  EXPECT_NEAR(a.state[0], b.state[0], 2e-13);
  EXPECT_NEAR(a.state[1] * std::exp(a.state[2] / 5), b.state[1], 2e-13);
  EXPECT_NEAR(a.state[2], b.state[2], 2e-13);
  EXPECT_NEAR(a.log_factor, b.log_factor, 1e-13);
}

TEST_P(ContactLobatto, IsItsOwnInverseBackwards) {
  const auto dynamics = dynamics_of<NonlinearAction>();
  const std::vector<double> start{0.5, 1.2, 0.3};
  const auto there = run(dynamics, start, {.method = GetParam(), .t_end = 3, .step = 0.1});
  const auto back = run(dynamics, there.back().state, {.method = GetParam(), .t_end = 0, .step = 0.1}, 3);
  EXPECT_LT(distance(back.back().state, start), 1e-13);
  EXPECT_NEAR(back.back().log_factor, -there.back().log_factor, 1e-13);
}

// Theory, Sec. 4; [ASC25, Prop. 4.4]: a partitioned symplectic pair keeps the bilinear invariants of the lift.
TEST_P(ContactLobatto, KeepsTheDissipatedMomenta) {
  const auto line = run(dynamics_of<DampedOscillator<0, 300>>(), {0.7, 1.3, -0.4},
                        {.method = GetParam(), .t_end = 100, .step = 0.1, .schedule = {.every = 10}});
  ASSERT_EQ(line.outcome.status, Status::success) << line.outcome.reason.text();
  for (const auto& sample : line.samples) EXPECT_NEAR(std::exp(sample.log_factor) * sample.state[1], 1.3, 4e-14);
  const auto plane = run(dynamics_of<PlanarOscillator>(), {1.0, 0.0, 0.3, 0.8, 0.1},
                         {.method = GetParam(), .t_end = 10, .step = 0.05, .schedule = {.every = 10}});
  ASSERT_EQ(plane.outcome.status, Status::success) << plane.outcome.reason.text();
  for (const auto& sample : plane.samples) {
    const auto& u = sample.state;
    const double J = std::exp(u[4] / 5) * (u[0] * u[3] - u[1] * u[2]);
    EXPECT_NEAR(std::exp(sample.log_factor) * J, 0.8 * std::exp(0.1 / 5), 2e-13) << "t = " << sample.t;
  }
  EXPECT_GT(std::abs(plane.back().log_factor), 0.1) << "without dissipation the test says less";
}

}  // namespace
}  // namespace herglotz::integrate
