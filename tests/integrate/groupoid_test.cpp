#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "order_of.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

class LieHph : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, LieHph,
                         ::testing::Values("lie-hph-2", "lie-hph-4", "lie-hph-cayley-2", "lie-hph-cayley-4"),
                         underscored);

// Theory, Sec. 5.
TEST_P(LieHph, HasItsOrderOnALieAlgebraWithANonlinearAction) {
  expect_order<FreeBody>(GetParam(), {0.7, 0.5, 0.9, 0.25}, 2, 0.1);
}

TEST_P(LieHph, HasItsOrderOnAnActionAlgebroid) {
  expect_order<HeavyTop>(GetParam(), {0.6, 0.0, 0.8, 0.7, 0.5, 0.9, 0.25}, 2, 0.1);
}

}  // namespace
}  // namespace herglotz::integrate
