#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrate/groupoid/constrained_groupoid_systems.hpp"
#include "integrate/order_of.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

class ContactRattle : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, ContactRattle, ::testing::Values("contact-rattle-2", "contact-rattle-4"),
                         underscored);

TEST_P(ContactRattle, HasItsOrderOnTheSphericalPendulum) {
  expect_order<SphericalPendulum>(GetParam(), {0.6, 0.0, -0.8, 0.4, 0.9, 0.3, 0.25}, 2, 0.1);
}

TEST_P(ContactRattle, HasItsOrderOnTheDoublePendulum) {
  expect_order<DoublePendulum>(GetParam(), {0.6, -0.8, 1.6, -0.8, 0.4, 0.3, 0.4, 1.0, 0.25}, 2, 0.05);
}

TEST_P(ContactRattle, HasItsOrderForPositionsThatDependOnTimeAndAction) {
  expect_order<BreathingHoop>(GetParam(), {0.8, -0.6, 0.5, 0.7, 0.0}, 1, 0.05);
}

TEST_P(ContactRattle, IsItsOwnInverseBackwards) {
  expect_reversible<SphericalPendulum>(GetParam(), {0.6, 0.0, -0.8, 0.4, 0.9, 0.3, 0.25}, 0.1, 20);
  expect_reversible<DoublePendulum>(GetParam(), {0.6, -0.8, 1.6, -0.8, 0.4, 0.3, 0.4, 1.0, 0.25}, 0.05, 20);
  expect_reversible<BreathingHoop>(GetParam(), {0.8, -0.6, 0.5, 0.7, 0.0}, 0.05, 20);
}

TEST_P(ContactRattle, KeepsPositionsVelocitiesAndTheMomentumAboutTheVertical) {
  const auto dynamics = CompiledGroupoid<SphericalPendulum>::dynamics();
  const auto start = consistent(dynamics, {0.6, 0.0, -0.8, 0.4, 0.9, 0.3, 0.25});
  const auto run =
      testing::run(dynamics, start, {.method = GetParam(), .t_end = 200, .step = 0.02, .schedule = {.every = 500}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  double first = 0;
  for (const auto& sample : run.samples) {
    const auto& u = sample.state;
    EXPECT_NEAR(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], 1, 2e-15) << "t = " << sample.t;
    EXPECT_NEAR(u[0] * u[3] + u[1] * u[4] + u[2] * u[5], 0, 1e-15) << "t = " << sample.t;
    const double J = std::exp(u[6] / 5) * (u[0] * u[4] - u[1] * u[3]);
    if (sample.t == 0) first = J;
    EXPECT_NEAR(J, std::exp(-sample.log_factor) * first, 4e-15) << "t = " << sample.t;
    EXPECT_NEAR(sample.budget[1], J, 4e-15) << "the budget is the same quadrature";
  }
}

TEST_P(ContactRattle, KeepsPositionsThatDependOnTimeAndAction) {
  const auto dynamics = CompiledGroupoid<BreathingHoop>::dynamics();
  const auto start = consistent(dynamics, {0.8, -0.6, 0.5, 0.7, 0.0});
  const auto run =
      testing::run(dynamics, start, {.method = GetParam(), .t_end = 4, .step = 0.02, .schedule = {.every = 10}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  for (const auto& sample : run.samples) {
    auto v = sample.state;
    v.push_back(sample.t);
    v.push_back(0);
    const auto point = BreathingHoop::at<double>(v);
    EXPECT_NEAR(point.phi[0], 0, 2e-15) << "t = " << sample.t;
    EXPECT_NEAR(point.Phi[0], 0, 4e-15) << "t = " << sample.t;
  }
}

/// The largest defect of f* eta = sigma eta over one step of 0.1 on the pendulum's constrained phase space, in its
/// angles, their momenta and z.
double contact_defect(const char* method) {
  const auto dynamics = CompiledGroupoid<SphericalPendulum>::dynamics();
  const auto state_of = [](const std::vector<double>& c) {
    // x = (sin a cos b, sin a sin b, -cos a); p = p_a e_a + p_b e_b/sin a.
    const double sa = std::sin(c[0]), ca = std::cos(c[0]), sb = std::sin(c[1]), cb = std::cos(c[1]);
    const double p[3] = {c[2] * ca * cb - c[3] / sa * sb, c[2] * ca * sb + c[3] / sa * cb, c[2] * sa};
    const double growth = std::exp(c[4] / 5);
    return std::vector<double>{sa * cb, sa * sb, -ca, p[0] / growth, p[1] / growth, p[2] / growth, c[4]};
  };
  const auto end = [&](const std::vector<double>& c) {
    return testing::run(dynamics, state_of(c), {.method = method, .t_end = 0.1, .step = 0.1}).back();
  };
  const auto eta = [](const std::vector<double>& u, const std::vector<double>& du) {
    const double growth = std::exp(u[6] / 5);
    return du[6] - growth * (u[3] * du[0] + u[4] * du[1] + u[5] * du[2]);
  };
  const std::vector<double> start{0.7, 0.4, 0.5, 0.8, 0.25};
  const Sample middle = end(start);
  constexpr double s = 1e-3;
  double largest = 0;
  for (std::size_t j = 0; j < 5; ++j) {
    std::vector<double> before(7, 0.0);
    std::vector<double> after(7, 0.0);
    for (const auto& [shift, weight] : {std::pair{1, 45.0}, {-1, -45.0}, {2, -9.0}, {-2, 9.0}, {3, 1.0}, {-3, -1.0}}) {
      auto shifted = start;
      shifted[j] += shift * s;
      const auto first = state_of(shifted);
      const auto last = end(shifted).state;
      for (std::size_t k = 0; k < 7; ++k) {
        before[k] += weight * first[k] / (60 * s);
        after[k] += weight * last[k] / (60 * s);
      }
    }
    largest = std::max(
        largest, std::abs(eta(middle.state, after) - std::exp(-middle.log_factor) * eta(state_of(start), before)));
  }
  return largest;
}

TEST_P(ContactRattle, IsAConformalContactomorphismOfTheConstrainedPhaseSpace) {
  EXPECT_LT(contact_defect(GetParam()), 1e-12);
  EXPECT_GT(contact_defect("contact-gauss-2"), 1e-5) << "projected collocation is none, and the measure must see it";
}

}  // namespace
}  // namespace herglotz::integrate
