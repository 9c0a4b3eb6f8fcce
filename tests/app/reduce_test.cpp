// Systems on the algebroid of their constraints, and dissipated functions, from the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Reduce, WritesAModelThatRuns) {
  const auto reduced = run_herglotz({"reduce", "chaplygin-sleigh"});
  ASSERT_EQ(reduced.status, 0) << reduced.err;
  EXPECT_THAT(reduced.out,
              AllOf(HasSubstr("fibre = [\"u\", \"w\"]"), Not(HasSubstr("[constraints]")), HasSubstr("vx = ")));
  EXPECT_THAT(reduced.err, HasSubstr("left out: the symmetry translation_x"));
}

TEST(Reduce, RefusesOtherModelsInOneLine) {
  const auto free = run_herglotz({"reduce", "damped-pendulum"});
  EXPECT_EQ(free.status, 2);
  EXPECT_THAT(free.err, HasSubstr("needs nonholonomic constraints"));
  const auto kept = run_herglotz({"reduce", "rolling-disk", "--keep", "vth"});
  EXPECT_EQ(kept.status, 2);
  EXPECT_THAT(kept.err, HasSubstr("leave 2 fibre coordinates, not 1"));
}

}  // namespace
