#include "herglotz/kernel/kernel.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace herglotz::kernel {

TEST(Kernel, DefaultConstructedIsEmpty) {
  EXPECT_FALSE(Kernel());
}

TEST(Kernel, FromFunctionEvaluatesTheFunctionOnItsSpans) {
  const auto kernel = from_function("oscillator", 2, 1, 2, [](auto u, auto p, auto out) {
    ASSERT_EQ(u.size(), 2U);
    ASSERT_EQ(p.size(), 1U);
    ASSERT_EQ(out.size(), 2U);
    out[0] = u[1];
    out[1] = -p[0] * u[0];
  });
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel.name(), "oscillator");
  EXPECT_EQ(kernel.variables(), 2U);
  EXPECT_EQ(kernel.parameters(), 1U);
  EXPECT_EQ(kernel.outputs(), 2U);
  EXPECT_EQ(kernel.work_size(), 0U);
  EXPECT_EQ(kernel.lanes(), 1);
  const std::vector<double> u{3.0, 5.0};
  const double p = 2.0;
  std::vector<double> out(2);
  kernel(u.data(), &p, out.data(), nullptr);
  EXPECT_EQ(out, (std::vector<double>{5.0, -6.0}));
}

TEST(Kernel, CopiesOutliveTheOriginal) {
  Kernel copy;
  {
    const auto original = from_function(
        "twice", 1, 0, 1, [factor = std::vector<double>{2.0}](auto u, auto, auto out) { out[0] = factor[0] * u[0]; });
    copy = original;
  }
  const double u = 4.0;
  double out = 0.0;
  copy(&u, nullptr, &out, nullptr);
  EXPECT_EQ(out, 8.0);
}

TEST(Kernel, AnEmptyFunctionIsRefused) {
  EXPECT_THROW(from_function("none", 1, 0, 1, {}), std::invalid_argument);
}

}  // namespace herglotz::kernel
