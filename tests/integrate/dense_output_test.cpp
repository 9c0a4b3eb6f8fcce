#include <gtest/gtest.h>

#include "systems.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

class DenseOutput : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, DenseOutput,
                         ::testing::Values("contact-gauss-2", "contact-gauss-4", "contact-gauss-6"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

const std::vector<double> dense_output_start{0.5, 1.2, 0.3};

/// The largest error over samples that all lie inside steps.
double error_inside_steps(const std::string& method, double step) {
  const auto dynamics = dynamics_of<NonlinearAction>();
  const double interval = 0.37;
  const auto run = testing::run(dynamics, dense_output_start,
                                {.method = method, .t_end = 3.2, .step = step, .schedule = {.interval = interval}});
  const auto exact =
      testing::run(dynamics, dense_output_start,
                   {.method = "reference", .t_end = 3.2, .tolerance = 1e-13, .schedule = {.interval = interval}});
  double largest = 0;
  for (std::size_t k = 0; k < run.samples.size(); ++k)
    largest = std::max(largest, distance(run.samples[k].state, exact.samples[k].state));
  return largest;
}

TEST_P(DenseOutput, InsideStepsHasTheOrderOfTheMethod) {
  const int order = find_method(GetParam())->order;
  const double coarse = error_inside_steps(GetParam(), 0.2);
  const double fine = error_inside_steps(GetParam(), 0.1);
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.2);
}

TEST_P(DenseOutput, LeavesTheStepsAsTheyAre) {
  const auto dynamics = dynamics_of<NonlinearAction>();
  const Settings plain{.method = GetParam(), .t_end = 3.2, .step = 0.1};
  Settings dense = plain;
  dense.schedule.interval = 0.037;
  const auto run = testing::run(dynamics, dense_output_start, dense);
  EXPECT_EQ(run.samples.size(), 88U);
  EXPECT_EQ(run.back().state, testing::run(dynamics, dense_output_start, plain).back().state);
}

// The energy law and the factor are followed inside steps too.
TEST_P(DenseOutput, KeepsADissipatedMomentumInsideSteps) {
  const auto run = testing::run(dynamics_of<DampedOscillator<0, 300>>(), {0.7, 1.3, -0.4},
                                {.method = GetParam(), .t_end = 10, .step = 0.1, .schedule = {.interval = 0.033}});
  for (const auto& sample : run.samples)
    EXPECT_NEAR(std::exp(sample.log_factor) * sample.state[1], 1.3, 2e-14) << "t = " << sample.t;
}

}  // namespace
}  // namespace herglotz::integrate
