// Derivatives of implicit Runge-Kutta steps, against closed forms and differences of the same steps.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "herglotz/sensitivity/implicit_steps.hpp"

namespace {

using namespace herglotz;
using sensitivity::ImplicitForm;
using sensitivity::ImplicitTableau;

/// (exp(u))' = -theta t u, where m is not the state; it is not differentiated by theta.
ImplicitForm form() {
  auto kernel = kernel::from_function("form", 2, 1, 5,
                                      [](std::span<const double> u, std::span<const double> p, std::span<double> out) {
                                        out[0] = std::exp(u[0]);
                                        out[1] = -p[0] * u[1] * u[0];
                                        out[2] = std::exp(u[0]);
                                        out[3] = -p[0] * u[1];
                                        out[4] = -p[0] * u[0];
                                      });
  return {std::move(kernel), {0, 1, 1}, {0, 0, 2}, 1, {}, {false}};
}

/// u' = -theta u: one step of a method of s stages is a rational function of theta h.
ImplicitForm decay() {
  auto kernel = kernel::from_function("decay", 2, 1, 5,
                                      [](std::span<const double> u, std::span<const double> p, std::span<double> out) {
                                        out[0] = u[0];
                                        out[1] = -p[0] * u[0];
                                        out[2] = 1;
                                        out[3] = -p[0];
                                        out[4] = -u[0];
                                      });
  return {std::move(kernel), {0, 1, 1}, {0, 0, 1}, 1, {}, {false}};
}

}  // namespace

// The stability functions R(-theta h) of the midpoint rule, of Gauss with two stages, and of Radau IIA with three are
// the Pade approximants (1,1), (2,2) and (2,3) of the exponential: E. Hairer, G. Wanner, Solving Ordinary Differential
// Equations II, Tables 3.1 and IV.5.
TEST(ImplicitTangent, OfTheTestEquationIsThatOfThePadeApproximant) {
  struct Case {
    ImplicitTableau tableau;
    double (*numerator)(double);
    double (*denominator)(double);
  };
  const std::array<Case, 3> cases{
      Case{sensitivity::gauss_tableau(1), [](double x) { return 1 + x / 2; }, [](double x) { return 1 - x / 2; }},
      Case{sensitivity::gauss_tableau(2), [](double x) { return 1 + x / 2 + x * x / 12; },
           [](double x) { return 1 - x / 2 + x * x / 12; }},
      Case{sensitivity::radau_tableau(), [](double x) { return 1 + 2 * x / 5 + x * x / 20; },
           [](double x) { return 1 - 3 * x / 5 + 3 * x * x / 20 - x * x * x / 60; }}};
  constexpr double theta = 1.3;
  constexpr double h = 0.7;
  for (const Case& one : cases) {
    const auto steps = sensitivity::implicit_tangent(decay(), one.tableau, 2);
    const auto R = [&](double x) { return one.numerator(x) / one.denominator(x); };
    std::array<double, 2> dy{1, 0};  // by the start, and by theta
    std::array<double, 1> reached{};
    ASSERT_TRUE(
        steps->step(0.2, h, std::array<double, 1>{0.4}, std::array<double, 6>{theta, theta, 0, 1, 0, 0}, dy, reached));
    EXPECT_NEAR(reached[0], 0.4 * R(-theta * h), 1e-15);
    EXPECT_NEAR(dy[0], R(-theta * h), 1e-15);
    const double e = 1e-3;
    const double slope =
        (8 * (R(-theta * h + e) - R(-theta * h - e)) - (R(-theta * h + 2 * e) - R(-theta * h - 2 * e))) / (12 * e);
    EXPECT_NEAR(dy[1], -h * 0.4 * slope, 1e-11);
  }
}

TEST(ImplicitTangent, IsThatOfTheSameStepForGeneralM) {
  for (const auto& tableau : {sensitivity::gauss_tableau(2), sensitivity::lobatto_tableau(3)}) {
    const auto steps = sensitivity::implicit_tangent(form(), tableau, 1);
    const std::array<double, 3> parameters{0.8, 0, -0.6};  // the time moves with the state
    const auto end = [&](double offset, double longer) {
      std::array<double, 1> dy{1};
      std::array<double, 1> reached{};
      const std::array<double, 1> y{0.9 + offset};
      EXPECT_TRUE(steps->step(0.3 - 0.6 * offset, 0.4 + longer, y, parameters, dy, reached));
      return std::pair{reached[0], dy[0]};
    };
    const auto slope = [](const auto& at) {
      const double e = 1e-3;
      return (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
    };
    EXPECT_NEAR(end(0, 0).second, slope([&](double s) { return end(s, 0).first; }), 1e-11);
    std::array<double, 1> by{};
    ASSERT_TRUE(steps->by_part(0.3, 0.9, 0.4, std::array<double, 1>{0.9}, parameters, by));
    EXPECT_NEAR(by[0], slope([&](double s) { return end(0, s).first; }), 1e-11);
  }
}

TEST(ImplicitTangent, InsideADenseStepIsOnThePolynomialThroughTheStages) {
  const auto steps = sensitivity::implicit_tangent(decay(), sensitivity::radau_tableau(), 1);
  const std::array<double, 1> y{0.4};
  const std::array<double, 3> parameters{1.3, 0, 0};
  std::array<double, 1> dy{1};
  std::array<double, 1> at_end{};
  std::array<double, 1> reached{};
  ASSERT_TRUE(steps->within(0, 0.7, 0.7, y, parameters, dy, at_end));
  std::array<double, 1> d_end{1};
  ASSERT_TRUE(steps->step(0, 0.7, y, parameters, d_end, reached));
  EXPECT_NEAR(at_end[0], reached[0], 1e-15);
  EXPECT_NEAR(dy[0], d_end[0], 1e-15);
  dy = {1};
  ASSERT_TRUE(steps->within(0, 0.7, 0.3, y, parameters, dy, reached));
  EXPECT_NEAR(reached[0], 0.4 * std::exp(-1.3 * 0.3), 1e-3);
  EXPECT_NEAR(dy[0], reached[0] / 0.4, 1e-15);
  std::array<double, 1> by{};
  ASSERT_TRUE(steps->by_part(0, 0.7, 0.3, y, parameters, by));
  const double e = 1e-3;
  double ahead = 0;
  double behind = 0;
  for (const double part : {0.3 + e, 0.3 - e}) {
    dy = {1};
    ASSERT_TRUE(steps->within(0, 0.7, part, y, parameters, dy, reached));
    (part > 0.3 ? ahead : behind) = reached[0];
  }
  EXPECT_NEAR(by[0], (ahead - behind) / (2 * e), 1e-6);
}

// Slopes of g that overflow when they are multiplied by the step leave a matrix, and changes, that are not numbers.
TEST(ImplicitTangent, TakesNoChangeThatIsNoNumberForConvergence) {
  auto kernel = kernel::from_function(
      "overflow", 3, 1, 10, [](std::span<const double> u, std::span<const double>, std::span<double> out) {
        constexpr double steep = 1e308;
        const std::array<double, 10> values{u[0], u[1], 1, 1, 1, 1, steep, steep, steep, steep};
        std::copy(values.begin(), values.end(), out.begin());
      });
  const ImplicitForm form{std::move(kernel), {0, 1, 2, 2, 3, 3}, {0, 1, 0, 1, 0, 1}, 2, {}, {false, false}};
  const auto steps = sensitivity::implicit_tangent(form, sensitivity::radau_tableau(), 1);
  std::array<double, 2> by{};
  EXPECT_FALSE(steps->by_part(0, 1e3, 500, std::array<double, 2>{0.4, 0.5}, std::array<double, 3>{1, 0, 0}, by));
}
