// The least value of K over boxes of controls, by branch and bound.

#include "maximum/least_value.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "herglotz/control/first_order.hpp"
#include "herglotz/io/problem_file.hpp"
#include "solve/problems.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Searches for a lower value of a running cost of u (and w) than at a start.
LeastValue least(const std::string& cost, const std::vector<double>& start, const std::vector<Range>& domain,
                 std::size_t most_boxes = 20000) {
  const std::string controls = start.size() == 1 ? "\"u\"" : "\"u\", \"w\"";
  const auto problem = io::parse_problem(solve::testing::control_of(
      {"x"}, {"0"},
      fmt::format("controls = [{}]\n[cost]\nrunning = \"{}\"\n[boundary]\nduration = 1\n", controls, cost)));
  const auto form = control::first_order(problem);
  std::vector<symbolic::Expr> symbols = form.v;
  symbols.insert(symbols.end(), form.w.begin(), form.w.end());
  symbols.push_back(problem.system.t);
  std::vector<double> values(form.v.size());
  values.insert(values.end(), start.begin(), start.end());
  values.push_back(0);
  const std::vector<double> P{0, 1};
  const std::vector<std::size_t> all = start.size() == 1 ? std::vector<std::size_t>{0} : std::vector<std::size_t>{0, 1};
  Hamiltonian hamiltonian(form, symbols, all, P);
  hamiltonian.go_to({values, P, {}});
  return least_value(hamiltonian, domain, {1e-10, 1e-12, std::vector<double>(start.size(), 1.0), most_boxes});
}

}  // namespace

TEST(LeastValue, IsAtAnEndOfTheBoundsWhereThatIsLowest) {
  // u^3 - u falls from its minimum at 0.577 over its maximum to the lower bound, where it is lower.
  const LeastValue below = least("u^3 - u", {std::sqrt(1.0 / 3)}, {{-1.5, 1.5}});
  EXPECT_TRUE(below.decided);
  ASSERT_EQ(below.controls.size(), 1U);
  EXPECT_DOUBLE_EQ(below.controls[0], -1.5);
  EXPECT_NEAR(below.fall, 1.875 - std::sqrt(4.0 / 27), 1e-12);
  const LeastValue above = least("u - u^3", {-std::sqrt(1.0 / 3)}, {{-1.5, 1.5}});
  EXPECT_DOUBLE_EQ(above.controls[0], 1.5);
  // Where the minimum inside is the lowest, nothing is.
  const LeastValue none = least("u^3 - u", {std::sqrt(1.0 / 3)}, {{-1, 1.5}});
  EXPECT_TRUE(none.decided);
  EXPECT_EQ(none.fall, 0);
}

TEST(LeastValue, IsFoundInNarrowValleys) {
  // A valley of the width 0.01 that is lower than the minimum at -1 by 0.5.
  const LeastValue valley = least("(u + 1)^2 - 10*exp(-((u - 1.7)/0.005)^2)", {-1}, {{-3, 3}});
  EXPECT_TRUE(valley.decided);
  EXPECT_NEAR(valley.controls[0], 1.7, 1e-4);
  EXPECT_NEAR(valley.fall, 10 - 2.7 * 2.7, 1e-3);
}

TEST(LeastValue, OfConvexFunctionsNeedsOneBox) {
  for (const char* cost : {"u^4", "exp(u) - u", "abs(u) + u^2", "sqrt(1 + u^2)", "max(u^2, -u)"}) {
    const LeastValue found = least(cost, {0}, {{-infinity, infinity}});
    EXPECT_TRUE(found.decided) << cost;
    EXPECT_EQ(found.fall, 0) << cost;
    EXPECT_LE(found.boxes, 200U) << cost;
  }
  EXPECT_EQ(least("cosh(u)", {0}, {{-infinity, infinity}}).boxes, 1U);
  EXPECT_EQ(least("sqrt(1 + u^2 + w^2) + (u - w)^2", {0, 0}, {{-infinity, infinity}, {-infinity, infinity}}).boxes, 1U);
}

TEST(LeastValue, OfSeveralControlsIsSearchedInBoxes) {
  // Four minima at u, w = -1 or 1, of which u w lowers those of different signs.
  const LeastValue found = least("(u^2 - 1)^2 + (w^2 - 1)^2 + u*w/4", {1, 1}, {{-2, 2}, {-2, 2}});
  EXPECT_TRUE(found.decided);
  EXPECT_LT(found.controls[0] * found.controls[1], 0);
  EXPECT_NEAR(std::abs(found.controls[0]), std::sqrt(1 + 1.0 / 16), 1e-6);
}

TEST(LeastValue, IsNotDecidedWithoutEnoughBoxes) {
  EXPECT_FALSE(least("(u + 1)^2 - 10*exp(-((u - 1.7)/0.005)^2)", {-1}, {{-3, 3}}, 5).decided);
  EXPECT_FALSE(least("u*exp(-u) + u", {0}, {{-infinity, infinity}}, 50).decided);
}
