#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrate/groupoid/constrained_groupoid_systems.hpp"
#include "integrate/order_of.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

class ContactDla : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, ContactDla, ::testing::Values("contact-dla-2", "contact-dla-4"), underscored);

TEST_P(ContactDla, HasItsOrderOnALieAlgebra) {
  expect_order<Sleigh>(GetParam(), {0.9, 0.7, 0.0, 0.25}, 2, 0.1);
}

TEST_P(ContactDla, HasItsOrderOnASkate) {
  expect_order<Skate>(GetParam(), {0.1, 0.2, 0.4, 0.8 * std::cos(0.4), 0.8 * std::sin(0.4), 1.1, 0.2}, 2, 0.1);
}

TEST_P(ContactDla, HasItsOrderForAffineConstraintsThatDependOnTimeAndAction) {
  const double side = (1 + 0.2) / 5;
  const double c = std::cos(0.4);
  const double s = std::sin(0.4);
  expect_order<DraggedSkate>(GetParam(), {0.1, 0.2, 0.4, 0.8 * c + side * s, 0.8 * s - side * c, 1.1, 0.2}, 2, 0.1);
}

TEST_P(ContactDla, HasItsOrderForConstraintsNonlinearInTheVelocities) {
  expect_order<AppellHamel>(GetParam(), {0.1, 0.2, 0.3, 0.6, 0.8, std::sqrt(1 / 1.7), 0.2}, 1, 0.05);
}

TEST_P(ContactDla, HasItsOrderForPositions) {
  expect_order<SphericalPendulum>(GetParam(), {0.6, 0.0, -0.8, 0.4, 0.9, 0.3, 0.25}, 2, 0.1);
}

TEST_P(ContactDla, HasItsOrderForPositionsAndVelocitiesTogether) {
  const double x = 0.6;
  const double h = -0.8;
  const double around = 0.7;
  const double theta = 0.5;
  expect_order<SkateOnCylinder>(
      GetParam(), {x, 0.1, h, theta, h * around, around * std::tan(theta), -x * around, 1.1, 0.2}, 1, 0.05);
}

// On it the order of compositions rests.
TEST_P(ContactDla, IsItsOwnInverseBackwards) {
  expect_reversible<Sleigh>(GetParam(), {0.9, 0.7, 0.0, 0.25}, 0.1, 20);
  expect_reversible<DraggedSkate>(GetParam(), {0.1, 0.2, 0.4, 0.8, 0.5, 1.1, 0.2}, 0.1, 20);
  expect_reversible<AppellHamel>(GetParam(), {0.1, 0.2, 0.3, 0.6, 0.8, 0.8, 0.2}, 0.05, 20);
  expect_reversible<SkateOnCylinder>(GetParam(), {0.6, 0.1, -0.8, 0.5, -0.5, 0.4, -0.4, 1.1, 0.2}, 0.05, 20);
}

template <typename System>
void expect_constraints(const char* method, const std::vector<double>& near, double t_end, double h, double bound) {
  const auto dynamics = CompiledGroupoid<System>::dynamics();
  const auto run = testing::run(dynamics, consistent(dynamics, near),
                                {.method = method, .t_end = t_end, .step = h, .schedule = {.every = 50}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  for (const auto& sample : run.samples) {
    auto v = sample.state;
    v.push_back(sample.t);
    v.resize(System::n + System::r + 2 + System::m);
    const auto point = System::template at<double>(v);
    double size = 1;
    for (std::size_t a = 0; a < System::r; ++a) size = std::max(size, std::abs(v[System::n + a]));
    for (const double Phi : point.Phi) EXPECT_NEAR(Phi, 0, bound * size) << "t = " << sample.t;
    for (const double phi : point.phi) EXPECT_NEAR(phi, 0, bound) << "t = " << sample.t;
  }
}

TEST_P(ContactDla, KeepsConstraintsToRoundOff) {
  expect_constraints<Sleigh>(GetParam(), {0.9, 0.7, 0.0, 0.25}, 100, 0.05, 1e-15);
  expect_constraints<DraggedSkate>(GetParam(), {0.1, 0.2, 0.4, 0.8, 0.5, 1.1, 0.2}, 20, 0.05, 2e-15);
  expect_constraints<SkateOnCylinder>(GetParam(), {0.6, 0.1, -0.8, 0.5, -0.5, 0.4, -0.4, 1.1, 0.2}, 20, 0.05, 2e-15);
}

// The momentum of theta does not see the blade: dJ/dt = L_z J.
TEST_P(ContactDla, KeepsTheDissipatedMomentumOfAHorizontalSymmetry) {
  const auto dynamics = CompiledGroupoid<Skate>::dynamics();
  const auto start = consistent(dynamics, {0.1, 0.2, 0.4, 0.8, 0.3, 1.1, 0.2});
  const auto run =
      testing::run(dynamics, start, {.method = GetParam(), .t_end = 20, .step = 0.05, .schedule = {.every = 40}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  for (const auto& sample : run.samples) {
    const double J = 0.6 * sample.state[5];
    EXPECT_NEAR(J, std::exp(-sample.log_factor) * 0.6 * start[5], 4e-15) << "t = " << sample.t;
    EXPECT_NEAR(sample.budget[1], J, 4e-15) << "the budget is the same quadrature";
  }
}

// th_dot and ph_dot decay like exp(-t/5), the path is an arc: the closed form behind rolling_disk_dissipative.json.
TEST_P(ContactDla, RollsADiskAlongItsArc) {
  const auto dynamics = CompiledGroupoid<RollingDisk>::dynamics();
  const std::vector<double> start{0.1, 0.2, 0.4, 0.3, 1.1 * std::cos(0.3), 1.1 * std::sin(0.3), 1.1, 0.7, 0.2};
  const double t = 5;
  const double decay = std::exp(-t / 5);
  const double s = 5 * (1 - decay);
  const double heading = 0.3 + 0.7 * s;
  const double radius = 1.1 / 0.7;
  const std::vector<double> exact{0.1 + radius * (std::sin(heading) - std::sin(0.3)),
                                  0.2 - radius * (std::cos(heading) - std::cos(0.3)),
                                  0.4 + 1.1 * s,
                                  heading,
                                  1.1 * decay * std::cos(heading),
                                  1.1 * decay * std::sin(heading),
                                  1.1 * decay,
                                  0.7 * decay,
                                  decay * (0.2 + (1.1 * 1.1 + 0.7 * 0.7 / 2) * s)};
  std::vector<double> errors;
  for (const double h : {0.2, 0.1, 0.05}) {
    const auto run = testing::run(dynamics, start, {.method = GetParam(), .t_end = t, .step = h});
    ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
    errors.push_back(distance(run.back().state, exact));
  }
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), find_method(GetParam())->order, 0.2) << errors[2];
  EXPECT_LT(errors[2], GetParam() == std::string("contact-dla-2") ? 1e-3 : 1e-7);
}

}  // namespace
}  // namespace herglotz::integrate
