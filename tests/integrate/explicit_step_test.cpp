#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "herglotz/integrate/numerics/composition.hpp"
#include "order_slope.hpp"
#include "splitting/stepper.hpp"
#include "systems.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

/// Power series in non-commuting letters Y1, Y3, Y5, Y7 (words of digits) up to a weight.
using Series = std::map<std::string, long double>;
constexpr int heaviest = 8;

int weight(const std::string& word) {
  int sum = 0;
  for (const char letter : word) sum += letter - '0';
  return sum;
}

Series product(const Series& a, const Series& b) {
  Series result;
  for (const auto& [left, x] : a)
    for (const auto& [right, y] : b)
      if (weight(left) + weight(right) <= heaviest) result[left + right] += x * y;
  return result;
}

/// exp(c Y1 + c^3 Y3 + c^5 Y5 + c^7 Y7): any symmetric step of size c. [HLW06, II.4]
Series symmetric_step(long double c) {
  const Series generator{{"1", c}, {"3", c * c * c}, {"5", std::pow(c, 5)}, {"7", std::pow(c, 7)}};
  Series sum{{"", 1}};
  Series power = sum;
  for (int k = 1; k <= heaviest; ++k) {
    power = product(power, generator);
    for (auto& [word, x] : power) sum[word] += x /= k;
  }
  return sum;
}

/// The heaviest weight up to which a composition is exp(Y1).
int order_of(std::span<const double> fractions) {
  Series whole{{"", 1}};
  for (const double fraction : fractions) whole = product(whole, symmetric_step(fraction));
  const Series exact = symmetric_step(1);
  int order = heaviest;
  for (const auto& [word, x] : whole) {
    const bool flow = word.find_first_not_of('1') == std::string::npos;
    if (std::abs(x - (flow ? exact.at(word) : 0)) > 1e-14L) order = std::min(order, weight(word) - 1);
  }
  return order;
}

TEST(SymmetricComposition, MeetsEveryOrderConditionAndNoMore) {
  for (const int order : {2, 4, 6, 8}) {
    const auto fractions = symmetric_composition(order);
    EXPECT_EQ(order_of(fractions), order);
    for (std::size_t k = 0; k < fractions.size(); ++k)
      EXPECT_EQ(fractions[k], fractions[fractions.size() - 1 - k]) << "order " << order;
  }
  EXPECT_THROW(symmetric_composition(10), std::invalid_argument);
}

/// Half a drift, the flow of q^2/2 + gamma z + sin(t) q, half a drift, written out; with the budget of a source -q.
kernel::Kernel strang(double gamma, bool forced) {
  return kernel::from_function(
      "step", 7, 0, 6, [gamma, forced](std::span<const double> u, std::span<const double>, std::span<double> out) {
        const double h = u[6];
        const double dq = h / 2 * u[1];
        const double q = u[0] + dq;
        const double drive = forced ? std::sin(u[5] + h / 2) : 0;
        const double growth = std::expm1(-gamma * h);
        const double dp = growth * u[1] + growth / gamma * (q + drive);
        const double p = u[1] + dp;
        out[0] = dq + h / 2 * p;
        out[1] = dp;
        const double z = u[2] + h / 4 * u[1] * u[1];
        out[2] = (z - u[2]) + growth * z + growth / gamma * (q * q / 2 + drive * q) + h / 4 * p * p;
        const double source = -(u[0] + out[0]);
        out[3] = growth * u[3] + h / 2 * ((1 + growth) * u[4] + source);
        out[4] = source - u[4];
        out[5] = gamma * h;
      });
}

template <int GammaPerMille>
Dynamics split_oscillator(bool forced = false) {
  Dynamics d = dynamics_of<DampedOscillator<1000, GammaPerMille>>();
  d.velocities = true;
  d.splitting.loop = kernel::loop_around(strang(GammaPerMille / 1000.0, forced), 1);
  d.splitting.momentum = d.splitting.velocity = kernel::from_function(
      "identity", 4, 0, 1,
      [](std::span<const double> u, std::span<const double>, std::span<double> out) { out[0] = u[1]; });
  d.splitting.sources = kernel::from_function(
      "sources", 4, 0, 1,
      [](std::span<const double> u, std::span<const double>, std::span<double> out) { out[0] = -u[0]; });
  d.splitting.driven = {1};
  return d;
}

Settings settings(int order, double t_end, double step, std::size_t every = 0) {
  return {.method = "contact-splitting-" + std::to_string(order),
          .t_end = t_end,
          .step = step,
          .schedule = {.every = every}};
}

TEST(ExplicitKernels, HasTheOrderOfItsCompositionInStateAndBudgets) {
  const auto dynamics = split_oscillator<250>();
  const std::vector<double> start{1.0, 0.5, 0.2};
  const auto exact = run(dynamics, start, {.method = "reference", .t_end = 4, .tolerance = 1e-13});
  for (const int order : {2, 4, 6, 8}) {
    const auto error_of = [&](double step) {
      const auto found = run(dynamics, start, settings(order, 4, step));
      EXPECT_EQ(found.outcome.status, Status::success) << found.outcome.reason.text();
      return std::max(distance(found.back().state, exact.back().state),
                      std::abs(found.back().budget[1] - exact.back().budget[1]));
    };
    const auto found = test::observed_order(error_of, 4, order);
    ASSERT_GE(found.used, 4U) << "too few errors above round-off:" << found.seen;
    EXPECT_NEAR(found.slope, order, 0.2) << found.seen;
  }
}

TEST(ExplicitKernels, DoesNotDependOnWhenSamplesAreTaken) {
  const auto dynamics = split_oscillator<250>(true);
  const std::vector<double> start{1.0, 0.5, 0.2};
  for (const int order : {2, 6}) {
    const auto whole = run(dynamics, start, settings(order, 50.003, 0.01));
    const auto seen = run(dynamics, start, settings(order, 50.003, 0.01, 1));
    auto timed = settings(order, 50.003, 0.01);
    timed.schedule.interval = 0.313;
    const auto between = run(dynamics, start, timed);
    EXPECT_EQ(whole.outcome.steps, 5001u);
    EXPECT_EQ(seen.outcome.steps, 5001u);
    EXPECT_EQ(seen.samples.size(), 5002u);
    for (const auto* other : {&seen, &between}) {
      EXPECT_EQ(other->back().state, whole.back().state);
      EXPECT_EQ(other->back().log_factor, whole.back().log_factor);
      EXPECT_EQ(other->back().budget, whole.back().budget);
    }
  }
}

TEST(ExplicitKernels, ReturnsToItsStart) {
  const auto dynamics = split_oscillator<250>(true);
  const std::vector<double> start{1.0, 0.5, 0.2};
  for (const int order : {2, 4, 6, 8}) {
    const auto there = run(dynamics, start, settings(order, 5, 0.25));
    const auto back = run(dynamics, there.back().state, settings(order, 0, 0.25), 5);
    EXPECT_LT(distance(back.back().state, start), 3e-14) << order;
    EXPECT_GT(distance(there.back().state, start), 0.1);
  }
}

TEST(ExplicitKernels, NamesTheStepWhereTheStateStopsBeingFinite) {
  auto dynamics = split_oscillator<250>();
  const auto stops = [inner = strang(0.25, false)](std::span<const double> u, std::span<const double> p,
                                                   std::span<double> out) {
    inner(u.data(), p.data(), out.data(), nullptr);
    if (u[5] > 12.345 && u[6] > 0.005) out[1] = std::nan("");
  };
  dynamics.splitting.loop = kernel::loop_around(kernel::from_function("step", 7, 0, 6, stops), 1);
  const auto found = run(dynamics, {1.0, 0.5, 0.2}, settings(2, 50, 0.01));
  EXPECT_EQ(found.outcome.status, Status::not_finite);
  EXPECT_EQ(found.outcome.steps, 1235u);
  EXPECT_NEAR(found.outcome.t, 12.35, 1e-12);
  EXPECT_THAT(found.outcome.reason.text(), ::testing::HasSubstr("a step of 0.005 would do there"));
  const auto before = run(split_oscillator<250>(), {1.0, 0.5, 0.2}, settings(2, 12.35, 0.01));
  EXPECT_EQ(found.outcome.state, before.back().state);
}

TEST(ExplicitKernels, LeavesADissipatedMomentumItsFactorExactly) {
  const auto dynamics = split_oscillator<50>();
  const auto found = run(dynamics, {1.0, 0.5, 0.2}, settings(4, 100, 0.1, 10));
  for (const Sample& sample : found.samples) {
    EXPECT_NEAR(sample.log_factor, 0.05 * sample.t, 1e-14);
    EXPECT_NEAR(sample.budget[0] * std::exp(0.05 * sample.t), found.samples[0].budget[0], 1e-13);
  }
}

TEST(ExplicitKernels, IsNeeded) {
  const Dynamics dynamics = dynamics_of<DampedOscillator<1000, 250>>();
  EXPECT_THROW(run(dynamics, {1.0, 0.5, 0.2}, settings(2, 1, 0.1)), std::invalid_argument);
}

}  // namespace
}  // namespace herglotz::integrate
