#pragma once
/// The order of a fixed-step method, measured against the reference.

#include <gtest/gtest.h>

#include "groupoid/groupoid_systems.hpp"

namespace herglotz::integrate::testing {

/// The nearest start on the constraints.
inline std::vector<double> consistent(const Dynamics& dynamics, const std::vector<double>& start) {
  const Projection nearest = project(dynamics, {}, 0, start);
  EXPECT_EQ(nearest.status, Status::success) << nearest.reason.text();
  return nearest.state;
}

inline std::string underscored(const ::testing::TestParamInfo<const char*>& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// State, log factor, budgets and multipliers.
inline std::vector<double> everything(const Sample& sample) {
  auto all = sample.state;
  all.push_back(sample.log_factor);
  all.insert(all.end(), sample.budget.begin(), sample.budget.end());
  all.insert(all.end(), sample.multipliers.begin(), sample.multipliers.end());
  return all;
}

/// The slope of the error at t_end between steps h/2 and h/4 is the order of the method.
template <typename System>
void expect_order(const char* method, const std::vector<double>& near, double t_end, double h) {
  const auto dynamics = CompiledGroupoid<System>::dynamics();
  const auto start = consistent(dynamics, near);
  const auto exact = run(dynamics, start, {.method = "reference", .t_end = t_end, .tolerance = 1e-13});
  ASSERT_EQ(exact.outcome.status, Status::success) << exact.outcome.reason.text();
  std::vector<double> errors;
  for (const double step : {h, h / 2, h / 4}) {
    const auto found = run(dynamics, start, {.method = method, .t_end = t_end, .step = step});
    ASSERT_EQ(found.outcome.status, Status::success) << found.outcome.reason.text();
    errors.push_back(distance(everything(found.back()), everything(exact.back())));
  }
  EXPECT_GT(errors[2], 1e-12) << "the slope needs errors above round-off";
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), find_method(method)->order, 0.2)
      << method << ": errors " << errors[0] << ", " << errors[1] << ", " << errors[2];
}

/// Back at the start after `steps` steps and as many backwards.
template <typename System>
void expect_reversible(const char* method, const std::vector<double>& near, double h, int steps) {
  const auto dynamics = CompiledGroupoid<System>::dynamics();
  const auto start = consistent(dynamics, near);
  const double end = h * steps;
  const auto there = run(dynamics, start, {.method = method, .t_end = end, .step = h});
  ASSERT_EQ(there.outcome.status, Status::success) << there.outcome.reason.text();
  const auto back = run(dynamics, there.back().state, {.method = method, .t_end = 0, .step = h}, end);
  ASSERT_EQ(back.outcome.status, Status::success) << back.outcome.reason.text();
  EXPECT_LT(distance(back.back().state, start), 2e-13);
  EXPECT_NEAR(back.back().log_factor, -there.back().log_factor, 1e-13);
}

}  // namespace herglotz::integrate::testing
