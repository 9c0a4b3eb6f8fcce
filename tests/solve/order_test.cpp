// Orders of states, costates and controls, on a problem without closed form against multiple shooting.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"

namespace {

using namespace herglotz;

/// A damped pendulum that is turned up halfway; its cost knows its own action.
const std::string turned_pendulum = R"toml([model]
name = "pendulum"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 + cos(x) - 0.3*z"
forces = { v = "u*(1 + x^2/10)" }
[discrete]
rule = "midpoint"
action_rule = "implicit"
[control]
controls = ["u"]
[cost]
running = "(u^2 + v^2/2)/2 - 0.2*zeta"
[boundary]
duration = 1.5
final = { x = 1.5, v = 0 }
[mesh]
output_times = [0.6, 0.675]
)toml";

solve::Solution by(const std::string& method, std::size_t intervals, double tolerance) {
  auto problem = io::parse_problem(turned_pendulum);
  problem.settings.method = method;
  problem.settings.intervals = intervals;
  problem.settings.tolerance = tolerance;
  if (intervals > 0 && tolerance == 1) problem.settings.output_times.clear();
  return solve::solve(problem);
}

constexpr std::array columns{"x", "v", "zeta", "p_v", "q_v", "u"};

/// Returns the errors of the columns at t = 0.6 against `exact`.
std::array<double, columns.size()> errors(const solve::Solution& solution, std::size_t row,
                                          const solve::Solution& exact, std::size_t row_there) {
  std::array<double, columns.size()> result{};
  for (std::size_t c = 0; c < columns.size(); ++c)
    result[c] = std::abs(solution.trajectory[columns[c]][row] - exact.trajectory[columns[c]][row_there]);
  return result;
}

class Orders : public testing::Test {
 protected:
  static void SetUpTestSuite() { exact_ = new solve::Solution(by("auto", 10, 1e-12)); }
  static void TearDownTestSuite() {
    delete exact_;
    exact_ = nullptr;
  }
  /// Returns the row of the exact solution at a time.
  static std::size_t row_at(double t) {
    const auto& times = exact_->trajectory["t"];
    std::size_t row = 0;
    while (row + 1 < times.size() && times[row] < t - 1e-9) ++row;
    EXPECT_NEAR(times[row], t, 1e-9);
    return row;
  }
  static solve::Solution* exact_;
};

solve::Solution* Orders::exact_ = nullptr;

TEST_F(Orders, OfStatesCostatesAndControlsAreThoseOfGaussMethods) {
  ASSERT_EQ(exact_->status, solve::Status::solved) << exact_->reason;
  for (const auto& [method, order] :
       {std::pair<std::string, double>{"direct-gauss-2", 2}, {"direct-gauss-4", 4}, {"direct-gauss-6", 6}}) {
    const std::size_t n = 10;
    const auto on = [&](std::size_t intervals) {
      const auto solution = by(method, intervals, 1);
      EXPECT_EQ(solution.status, solve::Status::solved) << solution.reason;
      return errors(solution, 2 * intervals / 5, *exact_, row_at(0.6));
    };
    const auto coarse = on(n);
    const auto fine = on(2 * n);
    for (std::size_t c = 0; c < columns.size(); ++c)
      EXPECT_NEAR(std::log2(coarse[c] / fine[c]), order, 0.2) << method << " " << columns[c] << " " << fine[c];
  }
}

// [OJM11]: the order of the discrete Lagrangian. Controls are constant on an interval, so they are compared in its
// middle.
TEST_F(Orders, OfDiscreteMechanicsAreThatOfTheRule) {
  ASSERT_EQ(exact_->status, solve::Status::solved) << exact_->reason;
  const auto on = [&](std::size_t intervals, std::size_t row, std::size_t row_of_control) {
    const auto solution = by("direct-herglotz", intervals, 1);
    EXPECT_EQ(solution.status, solve::Status::solved) << solution.reason;
    auto result = errors(solution, row, *exact_, row_at(0.6));
    result.back() = std::abs(solution.trajectory["u"][row_of_control] - exact_->trajectory["u"][row_at(0.675)]);
    return result;
  };
  const auto coarse = on(10, 4, 4);
  const auto fine = on(30, 12, 13);
  for (std::size_t c = 0; c < columns.size(); ++c)
    EXPECT_NEAR(std::log(coarse[c] / fine[c]) / std::log(3), 2, 0.15) << columns[c] << " " << fine[c];
}

}  // namespace
