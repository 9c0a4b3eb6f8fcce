// Ensembles of whole models.

#include "herglotz/ensemble/ensemble.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <mutex>

#include "herglotz/io/plan_file.hpp"

namespace herglotz::ensemble {
namespace {

constexpr const char* falling = R"(
[model]
name = "falling"
[algebroid]
kind = "tangent"
base = ["h"]
fibre = ["v"]
[parameters]
g = 1.0
[dynamics]
lagrangian = "v^2/2 - g*h"
[events]
ground = { at = "h", direction = "falling", stop = true }
[initial]
h = 0.8
[simulation]
method = "reference"
tolerance = 1e-10
t_end = 4.0
output_step = 1.0
[sweep]
keep = "trajectory"
columns = ["h"]
[sweep.parameters]
g = [0.5, 0.1]
)";

// h = 0.8 - g t^2/2 reaches the ground at t = 1.79 for g = 1/2, and at t = 4 for g = 1/10.
TEST(Ensemble, KeepsNoRowOfARunAfterTheEventThatEndedIt) {
  const Ensemble ensemble(io::parse_plan(falling, "falling.toml"));
  ASSERT_EQ(ensemble.layout().times, (std::vector<double>{0, 1, 2, 3, 4}));
  Block found;
  EXPECT_TRUE(ensemble.run({}, [&](Block&& block) { found = std::move(block); }));
  ASSERT_TRUE(found.failures.empty());
  const auto& h = found.columns.at(0);
  ASSERT_EQ(h.size(), 10u);
  EXPECT_EQ(h[0], 0.8);
  EXPECT_NEAR(h[1], 0.55, 1e-9);
  for (std::size_t k = 2; k < 5; ++k) EXPECT_TRUE(std::isnan(h[k])) << k;
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(h[5 + k], 0.8 - 0.05 * static_cast<double>(k * k), 1e-9);
}

}  // namespace
}  // namespace herglotz::ensemble
