// Adjoints of implicit Runge-Kutta steps, by their pairing with the variations of the same steps.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "herglotz/sensitivity/implicit_steps.hpp"
#include "sensitivity/lifted_form.hpp"

namespace {

using namespace herglotz;
using sensitivity::AdjointSteps;
using sensitivity::ImplicitTableau;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

class ImplicitAdjoint : public testing::TestWithParam<double> {};

// <lambda, J v> = <J^T lambda, v> for the derivative J of the step by state, parameter and time, and the derivative by
// the place inside the step; at its end and, on the polynomial or by a shorter step, inside.
TEST_P(ImplicitAdjoint, PairsWithVariationsAsTheStepDoes) {
  constexpr double t = 0.3;
  constexpr double h = 0.4;
  const double part = GetParam() * h;
  const std::array<double, 2> y{0.9, -0.4};
  const std::array<double, 1> theta{0.7};
  for (const ImplicitTableau& tableau :
       {sensitivity::gauss_tableau(1), sensitivity::gauss_tableau(3), sensitivity::lobatto_tableau(2),
        sensitivity::lobatto_tableau(4), sensitivity::radau_tableau()}) {
    const auto steps = sensitivity::implicit_adjoint(sensitivity::lifted_form(), tableau);
    ASSERT_EQ(steps->states(), 2U);
    const AdjointSteps::Step step{t, h, part, y, theta};
    std::vector<double> kept(steps->kept());
    std::array<double, 2> reached{};
    ASSERT_TRUE(steps->forward(step, kept, reached));
    std::array<double, 2> cotangent{0.7, -1.1};
    const auto at_end = cotangent;
    std::array<double, 1> by_theta{0.25};  // what the steps behind have added
    const auto by = steps->backward(step, kept, cotangent, by_theta).value();

    const auto variations = sensitivity::implicit_tangent(sensitivity::lifted_form(), tableau, 1);
    std::array<double, 2> dy{0.3, 0.8};
    const auto at_start = dy;
    const std::array<double, 3> parameters{theta[0], -0.6, 0.45};
    std::array<double, 2> varied{};
    ASSERT_TRUE(variations->within(t, h, part, y, parameters, dy, varied));
    EXPECT_NEAR(varied[0], reached[0], 1e-15);
    EXPECT_NEAR(varied[1], reached[1], 1e-15);
    EXPECT_NEAR(dot(at_end, dy), dot(cotangent, at_start) + (by_theta[0] - 0.25) * parameters[1] + by.t * parameters[2],
                2e-15)
        << tableau.c.size();
    ASSERT_TRUE(variations->by_part(t, h, part, y, parameters, varied));
    EXPECT_NEAR(by.part, dot(at_end, varied), 2e-15) << tableau.c.size();
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, ImplicitAdjoint, testing::Values(0.0, 0.37, 1.0));

TEST(ImplicitSteps, SaySoWhereThereIsNoStep) {
  auto kernel = kernel::from_function("none", 2, 0, 4,
                                      [](std::span<const double> u, std::span<const double>, std::span<double> out) {
                                        out[0] = u[0];
                                        out[1] = std::sqrt(1 - u[0]);
                                        out[2] = 1;
                                        out[3] = -0.5 / out[1];
                                      });
  const auto steps =
      sensitivity::implicit_adjoint({std::move(kernel), {0, 1}, {0, 0}, 1, {}, {false}}, sensitivity::gauss_tableau(2));
  std::vector<double> kept(steps->kept());
  std::array<double, 1> reached{};
  EXPECT_FALSE(steps->forward({0, 5, 5, std::array<double, 1>{0.5}, {}}, kept, reached));
  // Nor is there an adjoint at stages and an end where the equations are not defined.
  const std::vector<double> beyond(steps->kept(), 2.0);
  std::array<double, 1> cotangent{1};
  EXPECT_FALSE(steps->backward({0, 0.1, 0.1, std::array<double, 1>{0.5}, {}}, beyond, cotangent, {}));
}
