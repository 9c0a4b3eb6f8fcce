#include "herglotz/kernel/runge_kutta_loop.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bitwise.hpp"
#include "methods_of_devices.hpp"
#include "motions.hpp"

namespace herglotz::compile::test {
namespace {

using kernel::RungeKuttaLoop;
using kernel::StateLayout;

/// All rows of the lanes of a loop.
class RungeKuttaLanes {
 public:
  explicit RungeKuttaLanes(const RungeKuttaLoop& loop)
      : loop_(loop),
        count_(static_cast<std::size_t>(loop.lanes())),
        room_(loop.rows() * count_),
        p_(loop.parameters() * count_, parameter),
        work_(loop.work_size()) {}

  void start(std::size_t lane, const std::vector<double>& y) {
    for (std::size_t row = 0; row < loop_.rows(); ++row) at(row, lane) = row < y.size() ? y[row] : 0;
  }
  void run(const RungeKuttaLoop::Steps& steps) { loop_(room_.data(), p_.data(), steps, work_.data()); }
  [[nodiscard]] std::size_t count() const { return count_; }
  double& at(std::size_t row, std::size_t lane) { return room_[row * count_ + lane]; }

 private:
  RungeKuttaLoop loop_;
  std::size_t count_;
  std::vector<double> room_;
  std::vector<double> p_;
  std::vector<double> work_;
};

class RungeKuttaLoops : public testing::TestWithParam<Motion> {
 protected:
  void SetUp() override {
    if (!loop(1)) GTEST_SKIP() << "this machine has no fused multiply-add";
  }
  [[nodiscard]] RungeKuttaLoop loop(int lanes) const {
    return compile_runge_kutta(program_of(GetParam()), state_of(GetParam().size), classical(), {.lanes = lanes});
  }
};

TEST_P(RungeKuttaLoops, ConvergeToTheSolutionWithOrderFour) {
  RungeKuttaLanes lanes(loop(1));
  const auto start = start_of(GetParam(), 1);
  const auto expected = solution(GetParam(), start, t0, end_of(1));
  const auto error = [&](std::size_t steps) {
    lanes.start(0, start);
    lanes.run({t0, (end_of(1) - t0) / static_cast<double>(steps), 0, steps});
    double largest = 0;
    for (std::size_t i = 0; i < start.size(); ++i)
      largest = std::max(largest, std::abs(lanes.at(i, 0) - static_cast<double>(expected[i])));
    return largest;
  };
  EXPECT_NEAR(std::log2(error(128) / error(256)), 4, 0.2);
  EXPECT_LT(error(512), 1e-9);
}

TEST_P(RungeKuttaLoops, GiveEveryLaneTheBitsThatItHasAlone) {
  const auto alone = loop(1);
  for (const int width : {4, 8}) {
    if (width > native_lanes()) continue;
    RungeKuttaLanes lanes(loop(width));
    ASSERT_GE(lanes.count(), static_cast<std::size_t>(width));
    for (std::size_t k = 0; k < lanes.count(); ++k) lanes.start(k, start_of(GetParam(), k));
    lanes.run({t0, 0.05, 0, 12});
    for (std::size_t k = 0; k < lanes.count(); ++k) {
      RungeKuttaLanes one(alone);
      one.start(0, start_of(GetParam(), k));
      one.run({t0, 0.05, 0, 12});
      for (std::size_t row = 0; row < alone.rows(); ++row)
        ASSERT_TRUE(same(one.at(row, 0), lanes.at(row, k))) << "row " << row << " of lane " << k;
    }
  }
}

TEST_P(RungeKuttaLoops, AreTheSameStepByStepAsInOneCall) {
  RungeKuttaLanes once(loop(1));
  RungeKuttaLanes often(loop(1));
  once.start(0, start_of(GetParam(), 2));
  often.start(0, start_of(GetParam(), 2));
  once.run({t0, 0.04, 3, 10});
  for (std::size_t k = 3; k < 13; ++k) often.run({t0, 0.04, k, 1});
  often.run({t0, 0.04, 13, 0});
  for (std::size_t i = 0; i < 2 * GetParam().size; ++i) EXPECT_TRUE(same(once.at(i, 0), often.at(i, 0))) << i;
}

INSTANTIATE_TEST_SUITE_P(Motions, RungeKuttaLoops, testing::ValuesIn(motions()),
                         [](const auto& given) { return given.param.name; });

INSTANTIATE_TEST_SUITE_P(OfManyEntries, RungeKuttaLoops, testing::Values(long_chain()));

TEST(RungeKuttaLoop, CompensatesItsSums) {
  // A million slopes of 0.1 in steps of 0.1: a plain sum is off by 1e-7.
  Source s;
  const auto loop = compile_runge_kutta(s.with({s.graph->number(0.1)}), state_of(1), classical());
  if (!loop) GTEST_SKIP() << "this machine has no fused multiply-add";
  RungeKuttaLanes lanes(loop);
  lanes.start(0, {1.0});
  lanes.run({0, 0.1, 0, 1000000});
  EXPECT_NEAR(lanes.at(0, 0), 10001, 1e-11);
}

TEST(RungeKuttaLoop, CountsTheStepsThatBeganWhereAPivotHadLostItsDigits) {
  // The check falls below 1e-7 at t = 1.6.
  Source s;
  StateLayout entries = state_of(1);
  entries.checks = 1;
  const auto loop = compile_runge_kutta(s.with({s.y, exp(-10.0 * s.t)}), entries, classical());
  if (!loop) GTEST_SKIP() << "this machine has no fused multiply-add";
  RungeKuttaLanes lanes(loop);
  lanes.start(0, {1.0});
  lanes.run({0, 0.125, 0, 12});
  EXPECT_EQ(lanes.at(loop.unsound(), 0), 0);
  lanes.run({0, 0.125, 12, 4});
  EXPECT_EQ(lanes.at(loop.unsound(), 0), 3);
}

TEST(RungeKuttaLoop, LeavesOutTheScalesOfBudgets) {
  Source s;
  const Expr g = s.graph->symbol("g");
  auto program = s.with({-s.y, s.y - g, sqrt(-1.0 - s.y * s.y)});
  program.variables = {s.y, g, s.t};
  const auto loop = compile_runge_kutta(program, {{0, 1, 1, 1, 1}, false, 1, 0}, classical());
  if (!loop) GTEST_SKIP() << "this machine has no fused multiply-add";
  RungeKuttaLanes lanes(loop);
  lanes.start(0, {1.0, 0.0});
  lanes.run({0, 0.01, 0, 100});
  EXPECT_NEAR(lanes.at(0, 0), std::exp(-1), 1e-9);
  EXPECT_NEAR(lanes.at(1, 0), std::exp(-1), 1e-9);
}

TEST(RungeKuttaLoop, OfTheInterpreterIsEmpty) {
  Source s;
  EXPECT_FALSE(compile_runge_kutta(s.with({s.y}), state_of(1), classical(), {.backend = Backend::interpreter}));
}

}  // namespace
}  // namespace herglotz::compile::test
