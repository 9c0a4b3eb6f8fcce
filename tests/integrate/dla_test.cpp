#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "constrained_groupoid_systems.hpp"
#include "order_of.hpp"

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

}  // namespace
}  // namespace herglotz::integrate
