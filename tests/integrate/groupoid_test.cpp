#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "groupoid_systems.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

/// Errors at t_end against the reference for steps h, h/2, h/4.
template <typename System>
std::vector<double> errors(const char* method, const std::vector<double>& start, double t_end, double h) {
  const auto dynamics = GroupoidKernels<System>::dynamics();
  const auto exact = testing::run(dynamics, start, {.method = "reference", .t_end = t_end, .tolerance = 1e-13});
  EXPECT_EQ(exact.outcome.status, Status::success) << exact.outcome.message;
  std::vector<double> found;
  for (const double step : {h, h / 2, h / 4}) {
    const auto run = testing::run(dynamics, start, {.method = method, .t_end = t_end, .step = step});
    EXPECT_EQ(run.outcome.status, Status::success) << run.outcome.message;
    auto state = run.back().state;
    auto expected = exact.back().state;
    state.push_back(run.back().log_factor);
    expected.push_back(exact.back().log_factor);
    for (const double budget : run.back().budget) state.push_back(budget);
    for (const double budget : exact.back().budget) expected.push_back(budget);
    for (const double l : run.back().multipliers) state.push_back(l);
    for (const double l : exact.back().multipliers) expected.push_back(l);
    found.push_back(distance(state, expected));
  }
  return found;
}

template <typename System>
void expect_order(const char* method, const std::vector<double>& start, double t_end, double h) {
  const auto e = errors<System>(method, start, t_end, h);
  const double order = find_method(method)->order;
  EXPECT_NEAR(std::log2(e[1] / e[2]), order, 0.2) << method << ": errors " << e[0] << ", " << e[1] << ", " << e[2];
  std::printf("%s: %g %g %g\n", method, e[0], e[1], e[2]);
}

class LieHph : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, LieHph,
                         ::testing::Values("lie-hph-2", "lie-hph-4", "lie-hph-cayley-2", "lie-hph-cayley-4"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Theory, Sec. 5.
TEST_P(LieHph, HasItsOrderOnALieAlgebraWithANonlinearAction) {
  expect_order<FreeBody>(GetParam(), {0.7, 0.5, 0.9, 0.25}, 2, 0.1);
}

TEST_P(LieHph, HasItsOrderOnAnActionAlgebroid) {
  expect_order<HeavyTop>(GetParam(), {0.6, 0.0, 0.8, 0.7, 0.5, 0.9, 0.25}, 2, 0.1);
}

}  // namespace
}  // namespace herglotz::integrate
