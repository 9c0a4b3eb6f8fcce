// Second derivatives of functions of runs: closed forms of linear motions, and their symmetry.

#include "herglotz/simulate/hessian_product.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "herglotz/error.hpp"
#include "simulate/damped_pendulum.hpp"

namespace {

using namespace herglotz;
using simulate::SensitivityRequest;
using simulate::Simulator;

/// The oscillator q'' = -k q.
mechanics::System oscillator() {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto q = graph->symbol("q");
  const auto v = graph->symbol("v");
  const auto k = graph->symbol("k");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.generator = v * v / 2 - k * q * q / 2;
  system.parameters = {{k, 1.7}};
  return system;
}

SensitivityRequest request(const std::string& method, std::vector<std::string> wrt) {
  SensitivityRequest asked{std::move(wrt), {{"q", 1.2}, {"v", 0.3}}, {}};
  asked.settings.method = method;
  asked.settings.t_end = 3;
  if (integrate::find_method(method)->adaptive)
    asked.settings.tolerance = 1e-13;
  else
    asked.settings.step = 0.01;
  return asked;
}

simulate::HessianProduct product(const Simulator& simulator, const SensitivityRequest& asked, const std::string& text,
                                 const std::vector<double>& direction) {
  simulate::Differentiator differentiator(simulator);
  const auto run = simulator.run(asked.initial, asked.settings, asked.parameters);
  const simulate::Loss loss(simulator.system(), run, text);
  return simulate::hessian_product(
      simulator, differentiator, asked, [&](const analyse::Trajectory& of) { return loss.at_end(of); }, direction);
}

}  // namespace

// q(T) = q0 cos(w T) + v0 sin(w T)/w with w^2 = k, by (k, q0): d^2q/dk^2 and d^2q/dk dq0, and zero twice by q0.
class HessianOfAnOscillator : public testing::TestWithParam<std::string> {};

TEST_P(HessianOfAnOscillator, IsThatOfItsClosedForm) {
  const Simulator simulator(oscillator());
  const double T = 3;
  const double w = std::sqrt(1.7);
  const double c = std::cos(w * T);
  const double s = std::sin(w * T);
  // d/dk = (1/(2 w)) d/dw
  const double by_w = -1.2 * T * s + 0.3 * (T * c / w - s / (w * w));
  const double by_w_w = -1.2 * T * T * c + 0.3 * (-T * T * s / w - 2 * T * c / (w * w) + 2 * s / (w * w * w));
  const double kk = by_w_w / (4 * w * w) - by_w / (4 * w * w * w);
  const double kq = -T * s / (2 * w);
  const auto found = product(simulator, request(GetParam(), {"k", "q"}), "q", {1, 0});
  EXPECT_NEAR(found.values[0], kk, 2e-9);
  EXPECT_NEAR(found.values[1], kq, 2e-9);
  EXPECT_LT(found.error, 1e-8);
  const auto beside = product(simulator, request(GetParam(), {"k", "q"}), "q", {0, 2});
  EXPECT_NEAR(beside.values[0], 2 * kq, 2e-9);
  EXPECT_NEAR(beside.values[1], 0, 2e-9);
}

INSTANTIATE_TEST_SUITE_P(Methods, HessianOfAnOscillator,
                         testing::Values("runge-kutta-8", "contact-gauss-6", "reference", "taylor"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(HessianProduct, IsSymmetricAndLinear) {
  const Simulator simulator(damped_pendulum(1.0));
  const auto asked = request("runge-kutta-8", {"gamma", "k", "q", "v"});
  const std::string loss = "energy^2 + q*v + k*q";
  const std::array<std::vector<double>, 2> directions{{{0.3, -1, 0.7, 0.2}, {-0.5, 0.4, 1.1, -0.8}}};
  const auto first = product(simulator, asked, loss, directions[0]);
  const auto second = product(simulator, asked, loss, directions[1]);
  double up = 0;
  double down = 0;
  std::vector<double> sum;
  for (std::size_t i = 0; i < 4; ++i) {
    up += directions[1][i] * first.values[i];
    down += directions[0][i] * second.values[i];
    sum.push_back(directions[0][i] + directions[1][i]);
  }
  EXPECT_NEAR(up, down, 1e-9 * std::abs(up));
  const auto both = product(simulator, asked, loss, sum);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(both.values[i], first.values[i] + second.values[i], 1e-9);
  EXPECT_THAT(product(simulator, asked, loss, {0, 0, 0, 0}).values, testing::Each(0.0));
}

TEST(HessianProduct, RefusesWhatHasNone) {
  const Simulator simulator(oscillator());
  EXPECT_THROW(product(simulator, request("runge-kutta-8", {"k", "q"}), "q", {1}), Refused);
  EXPECT_THROW(product(simulator, request("runge-kutta-8", {"k", "none"}), "q", {1, 0}), Refused);
  EXPECT_THROW(product(simulator, request("runge-kutta-8", {"k"}), "q", {NAN}), Refused);
}
