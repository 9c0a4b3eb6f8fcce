// Derivatives by differences of whole runs, of which one column is not smooth.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulate/run_differences.hpp"

namespace {

using namespace herglotz;
using simulate::Simulator;
using testing::HasSubstr;

}  // namespace

// |q| has no derivative by the start q = 0 where the body has hardly moved yet, which functions of other columns do not
// need.
TEST(DifferencedRuns, NeedDerivativesOfTheColumnsOfAFunctionOnly) {
  Model model({"q"}, {"v"}, {{"k", 1.3}}, "v^2/2 - k*q^2/2 + q - z/10");
  model.system.observables.push_back({"distance", model.read("abs(q)")});
  const Simulator simulator(model.system);
  const auto asked = request(50, "contact-splitting-4", {"q", "k"}, {{"q", 0.0}, {"v", 0.0}}, 0.05, 0.001);
  const std::string refused = refusal_of(simulator, asked);
  EXPECT_THAT(refused, HasSubstr("the derivative of distance by q is known to"));
  EXPECT_THAT(refused, HasSubstr("leave that observable out of the columns, or end the run earlier"));
  auto run = run_of(simulator, asked);
  simulate::Differentiator differentiator(simulator);
  simulate::Cotangents cotangents{{"q"}, std::vector<double>(run.rows(), 0.0)};
  cotangents.values.back() = 2;
  const auto gradient = differentiator.gradient(asked, cotangents, run);
  // q'' = 1 - k q - q'/10: the derivative by the start is e^(-t/20) (cos w t + sin(w t)/(20 w)), w^2 = k - 1/400.
  const double w = std::sqrt(1.3 - 1.0 / 400);
  const double t = 0.05;
  EXPECT_NEAR(gradient.by[0], 2 * std::exp(-t / 20) * (std::cos(w * t) + std::sin(w * t) / (20 * w)), 1e-10);
  // A function of parameters alone needs no column.
  EXPECT_EQ(differentiator.gradient(asked, {{}, {}, 0, {{"k", 3}}}, run).by, (std::vector<double>{0, 3}));
}
