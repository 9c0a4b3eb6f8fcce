// Adjoints of implicit Runge-Kutta steps, by their pairing with the variations of the same steps.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numeric>

#include "herglotz/sensitivity/implicit_steps.hpp"

namespace {

using namespace herglotz;
using sensitivity::AdjointSteps;
using sensitivity::ImplicitForm;
using sensitivity::ImplicitTableau;

/// m and g of a motion in two states and a factor R, with all terms that a form may have: m depends on the parameter
/// and on time, and the second table applies to two entries.
template <class T>
std::array<T, 6> lifted(const std::array<T, 5>& at) {
  const auto& [a, b, R, theta, t] = at;
  return {a + a * a * a / 9.0 + theta * b / 7.0,   R * (b * (1.5 + sin(a) / 2.0) + theta * t),
          R * (1.0 + theta * a * t / 20.0),        b + cos(theta * t) * a / 3.0,
          R * (-theta * sin(a) - b * b / 5.0 + t), -R * (theta + a * b) / 4.0};
}

/// The form of these functions; its derivatives are complex steps.
ImplicitForm form() {
  ImplicitForm made;
  made.kernel = kernel::from_function("form", 4, 1, 36,
                                      [](std::span<const double> u, std::span<const double> p, std::span<double> out) {
                                        const std::array<double, 5> at{u[0], u[1], u[2], p[0], u[3]};
                                        const auto values = lifted(at);
                                        std::copy(values.begin(), values.end(), out.begin());
                                        for (std::size_t k = 0; k < 5; ++k) {
                                          constexpr double e = 1e-100;
                                          std::array<std::complex<double>, 5> beside;
                                          std::copy(at.begin(), at.end(), beside.begin());
                                          beside[k] += std::complex(0.0, e);
                                          const auto slopes = lifted(beside);
                                          for (std::size_t i = 0; i < 6; ++i) out[6 + 5 * i + k] = slopes[i].imag() / e;
                                        }
                                      });
  for (std::size_t i = 0; i < 30; ++i) {
    made.row.push_back(i / 5);
    made.col.push_back(i % 5);
  }
  made.states = 2;
  made.start = {1};
  made.of_second_table = {false, true, true};
  return made;
}

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
    const auto steps = sensitivity::implicit_adjoint(form(), tableau);
    ASSERT_EQ(steps->states(), 2U);
    const AdjointSteps::Step step{t, h, part, y, theta};
    std::vector<double> kept(steps->kept());
    std::array<double, 2> reached{};
    ASSERT_TRUE(steps->forward(step, kept, reached));
    std::array<double, 2> cotangent{0.7, -1.1};
    const auto at_end = cotangent;
    std::array<double, 1> by_theta{0.25};  // what the steps behind have added
    const auto by = steps->backward(step, kept, cotangent, by_theta).value();

    const auto variations = sensitivity::implicit_tangent(form(), tableau, 1);
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
