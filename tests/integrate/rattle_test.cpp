#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "constrained_groupoid_systems.hpp"
#include "order_of.hpp"

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

}  // namespace
}  // namespace herglotz::integrate
