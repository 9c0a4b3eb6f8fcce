// Functions of stages at many points.

#include "stage/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "herglotz/io/problem_file.hpp"
#include "problems.hpp"
#include "setup.hpp"

namespace {

using namespace herglotz;
using solve::Batch;

/// Returns `count` points, the first of which are the same for every count.
std::vector<double> points(std::size_t count, std::size_t size) {
  std::vector<double> values(count * size);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(1.7 * static_cast<double>(i % 997));
  return values;
}

}  // namespace

// A few points are interpreted one by one, more of them in lanes, and many are worth a compiler: all have the same
// bits.
TEST(Batch, HasTheSameBitsInterpretedAndCompiled) {
  const auto problem = io::parse_problem(solve::testing::sleigh);
  const solve::Setup setup(problem);  // the test fixture has a function of this name
  const Batch& stage = setup.stage;
  const std::size_t entries = stage.jacobian().row.size();
  const auto jacobian = [&](std::size_t count) {
    std::vector<double> values(count * entries);
    stage.jacobian(points(count, stage.inputs()), values);
    return values;
  };
  const auto single = jacobian(3);
  const auto wide = jacobian(11);
  constexpr std::size_t many = 400'000;
  const auto compiled = jacobian(many);
  EXPECT_TRUE(std::equal(single.begin(), single.end(), wide.begin()));
  EXPECT_TRUE(std::equal(wide.begin(), wide.end(), compiled.begin()));
  EXPECT_EQ(jacobian(3), single);
}
