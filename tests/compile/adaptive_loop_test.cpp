#include "herglotz/kernel/adaptive_loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bitwise.hpp"
#include "herglotz/compile/device.hpp"
#include "motions.hpp"

namespace herglotz::compile::test {
namespace {

using kernel::AdaptiveLoop;
using kernel::LaneState;
using kernel::StateLayout;
using symbolic::Expr;

/// J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980): orders 5, 4.
kernel::EmbeddedPair pair_54() {
  kernel::EmbeddedPair pair;
  pair.c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
  pair.A = {{},
            {1.0 / 5},
            {3.0 / 40, 9.0 / 40},
            {44.0 / 45, -56.0 / 15, 32.0 / 9},
            {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
            {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
            {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  pair.b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0};
  const std::vector<double> low{5179.0 / 57600, 0,       7571.0 / 16695, 393.0 / 640, -92097.0 / 339200,
                                187.0 / 2100,   1.0 / 40};
  for (std::size_t k = 0; k < low.size(); ++k) pair.difference.push_back(pair.b[k] - low[k]);
  return pair;
}

/// All rows of the lanes of a loop, and what it is called with.
class AdaptiveLanes {
 public:
  AdaptiveLanes(const AdaptiveLoop& loop, double p = parameter)
      : loop_(loop),
        count_(static_cast<std::size_t>(loop.lanes())),
        room_(loop.rows().count() * count_),
        p_(loop.parameters() * count_, p),
        work_(loop.work_size()) {
    for (std::size_t lane = 0; lane < count_; ++lane) set_state(lane, LaneState::arrived);
  }

  void start(std::size_t lane, const std::vector<double>& y, double t, double due) {
    for (std::size_t row = 0; row < loop_.rows().count(); ++row) at(row, lane) = 0;
    for (std::size_t i = 0; i < y.size(); ++i) at(loop_.rows().y(i), lane) = y[i];
    at(loop_.rows().t(), lane) = t;
    go_on(lane, due);
  }
  void go_on(std::size_t lane, double due) {
    at(loop_.rows().t_stop(), lane) = due;
    set_state(lane, LaneState::running);
  }
  void run(const AdaptiveLoop::Control& control) { loop_(room_.data(), p_.data(), control, work_.data()); }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] const kernel::AdaptiveRows rows() const { return loop_.rows(); }
  double& at(std::size_t row, std::size_t lane) { return room_[row * count_ + lane]; }
  double y(std::size_t i, std::size_t lane) { return at(rows().y(i), lane); }
  LaneState state(std::size_t lane) { return static_cast<LaneState>(static_cast<int>(at(rows().state(), lane))); }
  /// The rows of one lane that change with a step only: the largest values so far notice where it is with the next try,
  /// alone or waiting.
  std::vector<double> lane(std::size_t lane) {
    std::vector<double> values;
    for (std::size_t row = 0; row < rows().count(); ++row)
      if (row < rows().group(0) || row >= rows().recent_magnitude(0)) values.push_back(at(row, lane));
    return values;
  }

 private:
  void set_state(std::size_t lane, LaneState state) { at(rows().state(), lane) = static_cast<double>(state); }

  AdaptiveLoop loop_;
  std::size_t count_;
  std::vector<double> room_;
  std::vector<double> p_;
  std::vector<double> work_;
};

AdaptiveLoop::Control accurate(double local, double t_end) {
  AdaptiveLoop::Control control;
  control.local = local;
  control.t_end = t_end;
  control.order = 20;
  control.most_steps = 100000;
  return control;
}

enum class Way { taylor, pair };
std::ostream& operator<<(std::ostream& out, Way way) {
  return out << (way == Way::taylor ? "taylor" : "pair");
}

AdaptiveLoop compiled(Way way, const symbolic::Program& program, const StateLayout& entries, int lanes) {
  const Options options{.lanes = lanes};
  return way == Way::taylor ? compile_taylor(program, entries, options)
                            : compile_adaptive(program, entries, pair_54(), options);
}

class Loops : public testing::TestWithParam<std::tuple<Motion, Way>> {
 protected:
  void SetUp() override {
    if (!loop(1)) GTEST_SKIP() << "this machine has no fused multiply-add";
  }
  [[nodiscard]] const Motion& motion() const { return std::get<0>(GetParam()); }
  [[nodiscard]] Way way() const { return std::get<1>(GetParam()); }
  [[nodiscard]] AdaptiveLoop loop(int lanes) const {
    return compiled(way(), program_of(motion()), state_of(motion().size), lanes);
  }
  [[nodiscard]] double local() const { return way() == Way::taylor ? 2e-15 : 1e-11; }
};

TEST_P(Loops, EndOnTheSolution) {
  AdaptiveLanes lanes(loop(1));
  for (std::size_t k = 0; k < 3; ++k) {
    const auto start = start_of(motion(), k);
    lanes.start(0, start, t0, end_of(k));
    lanes.run(accurate(local(), end_of(k)));
    ASSERT_EQ(lanes.state(0), LaneState::arrived);
    EXPECT_EQ(lanes.at(lanes.rows().t(), 0), end_of(k));
    const auto expected = solution(motion(), start, t0, end_of(k));
    const double error = way() == Way::taylor ? 1e-12 : 1e-9;
    for (std::size_t i = 0; i < motion().size; ++i)
      EXPECT_NEAR(lanes.y(i, 0), static_cast<double>(expected[i]), error * (1 + std::abs(lanes.y(i, 0)))) << i;
  }
}

TEST_P(Loops, HaveTheSameBitsOnADevice) {
  const auto device = open_device("host");
  const auto entries = state_of(motion().size);
  AdaptiveLanes group(way() == Way::taylor ? device->compile_taylor(program_of(motion()), entries)
                                           : device->compile_adaptive(program_of(motion()), entries, pair_54()));
  AdaptiveLanes alone(loop(1));
  constexpr std::size_t runs = 7;
  for (std::size_t k = 0; k < runs; ++k) group.start(5 * k, start_of(motion(), k), t0, end_of(k));
  auto control = accurate(local(), end_of(0));
  control.min_running = 4;
  group.run(control);  // returns before all have arrived
  control.min_running = 0;
  group.run(control);
  for (std::size_t k = 0; k < runs; ++k) {
    alone.start(0, start_of(motion(), k), t0, end_of(k));
    alone.run(accurate(local(), end_of(0)));
    EXPECT_EQ(group.state(5 * k), alone.state(0));
    const auto expected = alone.lane(0);
    const auto found = group.lane(5 * k);
    for (std::size_t row = 0; row < expected.size(); ++row)
      ASSERT_TRUE(same(found[row], expected[row])) << "row " << row << " of run " << k;
  }
}

TEST_P(Loops, GoBackToWhereTheyCameFrom) {
  AdaptiveLanes lanes(loop(1));
  const auto start = start_of(motion(), 1);
  lanes.start(0, start, t0, 0.8);
  lanes.run(accurate(local(), 0.8));
  std::vector<double> there;
  for (std::size_t i = 0; i < motion().size; ++i) there.push_back(lanes.y(i, 0));
  lanes.start(0, there, 0.8, t0);
  lanes.run(accurate(local(), t0));
  ASSERT_EQ(lanes.state(0), LaneState::arrived);
  EXPECT_LT(lanes.at(lanes.rows().last(), 0), 0);
  for (std::size_t i = 0; i < motion().size; ++i)
    EXPECT_NEAR(lanes.y(i, 0), start[i], way() == Way::taylor ? 1e-12 : 1e-9) << i;
}

TEST_P(Loops, GiveEveryLaneTheBitsThatItHasAlone) {
  const auto alone = loop(1);
  for (const int width : {1, 4, 8}) {
    if (width > native_lanes()) continue;
    AdaptiveLanes lanes(loop(width));
    ASSERT_GE(lanes.count(), static_cast<std::size_t>(width));
    for (std::size_t k = 0; k < lanes.count(); ++k) lanes.start(k, start_of(motion(), k), t0, end_of(k));
    lanes.run(accurate(local(), 1.5));
    for (std::size_t k = 0; k < lanes.count(); ++k) {
      AdaptiveLanes one(alone);
      one.start(0, start_of(motion(), k), t0, end_of(k));
      one.run(accurate(local(), 1.5));
      const auto expected = one.lane(0);
      const auto found = lanes.lane(k);
      for (std::size_t row = 0; row < expected.size(); ++row)
        ASSERT_TRUE(same(expected[row], found[row])) << "row " << row << " of lane " << k << " of " << width << ": "
                                                     << found[row] << ", alone " << expected[row];
    }
  }
}

TEST_P(Loops, LeaveALaneThatHasArrivedAsItIs) {
  if (native_lanes() == 1) GTEST_SKIP() << "no lanes to wait in";
  AdaptiveLanes lanes(loop(native_lanes()));
  const auto enter = [&](AdaptiveLanes& into) {
    for (std::size_t k = 0; k < into.count(); ++k) into.start(k, start_of(motion(), k), t0, k == 2 ? 0.15 : 0.9);
  };
  enter(lanes);
  auto control = accurate(local(), 0.9);
  control.min_running = static_cast<std::int64_t>(lanes.count()) - 1;  // until the first arrives
  lanes.run(control);
  ASSERT_EQ(lanes.state(2), LaneState::arrived);
  ASSERT_EQ(lanes.state(0), LaneState::running);
  const auto waiting = lanes.lane(2);
  control.min_running = 0;
  lanes.run(control);
  EXPECT_EQ(lanes.state(0), LaneState::arrived);
  const auto after = lanes.lane(2);
  for (std::size_t row = 0; row < waiting.size(); ++row) EXPECT_TRUE(same(waiting[row], after[row])) << "row " << row;

  // And it goes on from there as it does alone.
  lanes.go_on(2, 0.9);
  lanes.run(control);
  AdaptiveLanes one(loop(1));
  one.start(0, start_of(motion(), 2), t0, 0.15);
  one.run(control);
  one.go_on(0, 0.9);
  one.run(control);
  const auto expected = one.lane(0);
  const auto found = lanes.lane(2);
  for (std::size_t row = 0; row < expected.size(); ++row) EXPECT_TRUE(same(expected[row], found[row])) << "row " << row;
}

TEST_P(Loops, AreTheSameTryByTryAsInOneCall) {
  AdaptiveLanes whole(loop(1));
  AdaptiveLanes parts(loop(1));
  whole.start(0, start_of(motion(), 0), t0, 1.2);
  parts.start(0, start_of(motion(), 0), t0, 1.2);
  auto control = accurate(local(), 1.2);
  whole.run(control);
  control.tries = 1;
  int calls = 0;
  for (; parts.state(0) == LaneState::running && calls < 100000; ++calls) parts.run(control);
  EXPECT_EQ(static_cast<double>(calls), whole.at(whole.rows().tries(), 0));
  const auto expected = whole.lane(0);
  const auto found = parts.lane(0);
  for (std::size_t row = 0; row < expected.size(); ++row) EXPECT_TRUE(same(expected[row], found[row])) << "row " << row;
}

INSTANTIATE_TEST_SUITE_P(Motions, Loops,
                         testing::Combine(testing::ValuesIn(motions()), testing::Values(Way::taylor, Way::pair)),
                         [](const auto& given) {
                           return std::get<0>(given.param).name +
                                  (std::get<1>(given.param) == Way::taylor ? "_by_taylor" : "_by_a_pair");
                         });

INSTANTIATE_TEST_SUITE_P(OfManyEntries, Loops,
                         testing::Combine(testing::Values(long_chain()), testing::Values(Way::pair)));

class Ends : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    Source s;
    if (!compiled(Way::taylor, s.with({s.y}), state_of(1), 1)) GTEST_SKIP() << "this machine has no fused multiply-add";
  }
  [[nodiscard]] static AdaptiveLoop loop(const symbolic::Program& program, const StateLayout& entries = state_of(1),
                                         int lanes = 1) {
    return compiled(GetParam(), program, entries, lanes);
  }
};

TEST_P(Ends, WhereTheMotionIsNotDefinedAtItsStart) {
  Source s;
  AdaptiveLanes lanes(loop(s.with({log(s.y)})));
  for (const double y : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    lanes.start(0, {y}, 0, 1);
    lanes.run(accurate(1e-12, 1));
    EXPECT_EQ(lanes.state(0), LaneState::undefined);
    EXPECT_EQ(lanes.at(lanes.rows().t(), 0), 0);
    EXPECT_EQ(lanes.at(lanes.rows().steps(), 0), 0);
    EXPECT_TRUE(same(lanes.y(0, 0), y));
  }
}

TEST_P(Ends, OfOneLaneDoNotDisturbTheOthers) {
  Source s;
  const auto program = s.with({log(s.y)});
  AdaptiveLanes lanes(loop(program, state_of(1), native_lanes()));
  for (std::size_t k = 0; k < lanes.count(); ++k) lanes.start(k, {k % 3 == 1 ? -1.0 : 2.0}, 0, 1);
  lanes.run(accurate(1e-12, 1));
  AdaptiveLanes one(loop(program));
  one.start(0, {2.0}, 0, 1);
  one.run(accurate(1e-12, 1));
  for (std::size_t k = 0; k < lanes.count(); ++k) {
    EXPECT_EQ(lanes.state(k), k % 3 == 1 ? LaneState::undefined : LaneState::arrived) << k;
    if (k % 3 != 1) {
      EXPECT_TRUE(same(lanes.y(0, k), one.y(0, 0))) << k;
    }
  }
}

TEST_P(Ends, OfAHugeAngleChangeNoBitsOfTheOthers) {
  Source s;
  const auto program = s.with({sin(1e5 * s.y + s.t) * 1e-5});
  const std::vector<double> starts{2.0, 1e9, -1e12, 3.0, 0.5};
  const auto entered = [&](AdaptiveLanes& lanes, std::size_t k, double y) { lanes.start(k, {y}, 0, 1); };
  AdaptiveLanes lanes(loop(program, state_of(1), native_lanes()));
  for (std::size_t k = 0; k < lanes.count(); ++k) entered(lanes, k, starts[k % starts.size()]);
  lanes.run(accurate(1e-12, 1));
  for (std::size_t k = 0; k < lanes.count(); ++k) {
    AdaptiveLanes one(loop(program));
    entered(one, 0, starts[k % starts.size()]);
    one.run(accurate(1e-12, 1));
    const auto expected = one.lane(0);
    const auto found = lanes.lane(k);
    for (std::size_t row = 0; row < expected.size(); ++row)
      EXPECT_TRUE(same(expected[row], found[row])) << "row " << row << " of lane " << k;
  }
}

TEST_P(Ends, BeforeABlowUpInFiniteTime) {
  // y' = y^2, y(0) = 1: y = 1/(1 - t).
  Source s;
  AdaptiveLanes lanes(loop(s.with({s.y * s.y})));
  lanes.start(0, {1.0}, 0, 2);
  lanes.run(accurate(1e-10, 2));
  const LaneState state = lanes.state(0);
  EXPECT_TRUE(state == LaneState::step_underflow || state == LaneState::step_too_small ||
              state == LaneState::step_too_small_undefined)
      << static_cast<int>(state);
  EXPECT_NEAR(lanes.at(lanes.rows().t(), 0), 1, 1e-6);
  EXPECT_GT(lanes.y(0, 0), 1e6);
  EXPECT_LT(lanes.at(lanes.rows().steps(), 0), 5000);
}

TEST_P(Ends, WhereNoMoreStepsAreAllowed) {
  Source s;
  AdaptiveLanes lanes(loop(s.with({cos(s.t) * s.y})));
  lanes.start(0, {1.0}, 0, 1000);
  auto control = accurate(1e-10, 1000);
  control.most_steps = 7;
  lanes.run(control);
  EXPECT_EQ(lanes.state(0), LaneState::step_limit);
  EXPECT_EQ(lanes.at(lanes.rows().steps(), 0), 7);
  EXPECT_NEAR(lanes.y(0, 0), std::exp(std::sin(lanes.at(lanes.rows().t(), 0))), 1e-7);
}

TEST_P(Ends, WhereAPivotLosesItsDigits) {
  // The check falls from 1 to below 1e-7 on the way to t = 2.
  Source s;
  StateLayout entries = state_of(1);
  entries.checks = 1;
  AdaptiveLanes lanes(loop(s.with({s.y, exp(-10.0 * s.t)}), entries));
  lanes.start(0, {1.0}, 0, 1);
  for (const double due : {1.0, 1.7, 2.0}) {
    lanes.go_on(0, due);
    lanes.run(accurate(1e-10, 2));
    if (lanes.state(0) != LaneState::arrived) break;
  }
  EXPECT_EQ(lanes.state(0), LaneState::undefined);
  const double t = lanes.at(lanes.rows().t(), 0);
  EXPECT_LE(t, 1.7);
  EXPECT_LT(std::exp(-10 * t), 1e-7);
  EXPECT_NEAR(lanes.y(0, 0), std::exp(t), 1e-8);
}

TEST_P(Ends, AtRestInOneStepWhereNothingMoves) {
  Source s;
  AdaptiveLanes lanes(loop(s.with({s.graph->number(0) * s.y})));
  lanes.start(0, {0.0}, 0, 10);
  lanes.run(accurate(1e-12, 10));
  EXPECT_EQ(lanes.state(0), LaneState::arrived);
  EXPECT_EQ(lanes.y(0, 0), 0);
  EXPECT_LT(lanes.at(lanes.rows().steps(), 0), 30);
}

TEST_P(Ends, OfAFactorAndABudgetAreAsAccurateAsTheState) {
  // y = (x, log lambda, g): x' = -x, log lambda' = x^2, g' = -x^2 g + 1, whose law has a scale of 1.
  Source s;
  const Expr factor = s.graph->symbol("factor");
  const Expr g = s.graph->symbol("g");
  s.program.variables = {s.y, factor, g, s.t};
  const StateLayout entries{{0, 1, 1, 1, 1}, true, 1, 0};
  AdaptiveLanes lanes(loop(s.with({-s.y, s.y * s.y, 1.0 - s.y * s.y * g, s.graph->number(1)}), entries));
  lanes.start(0, {2.0, 0.0, 0.0}, 0, 3);
  lanes.run(accurate(1e-11, 3));
  ASSERT_EQ(lanes.state(0), LaneState::arrived);
  EXPECT_NEAR(lanes.y(1, 0), 2 * (1 - std::exp(-6.0)), 1e-9);
  // g = (1/lambda) int lambda: by Simpson's rule.
  const auto lambda = [](double t) { return std::exp(2 * (1 - std::exp(-2 * t))); };
  double integral = 0;
  constexpr int panels = 3000;
  for (int k = 0; k < panels; ++k) {
    const double h = 3.0 / panels;
    integral += h / 6 * (lambda(k * h) + 4 * lambda((k + 0.5) * h) + lambda((k + 1) * h));
  }
  EXPECT_NEAR(lanes.y(2, 0), integral / lambda(3), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Ways, Ends, testing::Values(Way::taylor, Way::pair),
                         [](const auto& given) { return given.param == Way::taylor ? "taylor" : "pair"; });

std::string refusal(const symbolic::Program& program) {
  try {
    std::ignore = compile_taylor(program, state_of(1));
  } catch (const CompileError& error) {
    return error.what();
  }
  return {};
}

TEST(TaylorLoops, AreRefusedWhereTheMotionHasKinks) {
  Source s;
  if (!compile_taylor(s.with({s.y}), state_of(1))) GTEST_SKIP() << "this machine has no fused multiply-add";
  EXPECT_THAT(refusal(s.with({-symbolic::abs(s.y)})), testing::HasSubstr("absolute value"));
  EXPECT_THAT(refusal(s.with({-symbolic::sign(s.y)})), testing::HasSubstr("sign"));
  EXPECT_THAT(refusal(s.with({symbolic::select(s.y, s.t, s.y, s.t)})), testing::HasSubstr("choice"));
}

TEST(TaylorLoops, TakeKinksOfWhatIsFixedAndOfScales) {
  Source s;
  if (!compile_taylor(s.with({s.y}), state_of(1))) GTEST_SKIP() << "this machine has no fused multiply-add";
  s.program.parameters = {s.graph->symbol("p")};
  StateLayout entries{{0, 1, 1, 1, 1}, false, 1, 0};
  const Expr g = s.graph->symbol("g");
  s.program.variables = {s.y, g, s.t};
  AdaptiveLanes lanes(
      compile_taylor(s.with({-symbolic::abs(s.program.parameters[0]) * s.y, s.y, symbolic::abs(s.y)}), entries), -0.5);
  lanes.start(0, {1.0, 0.0}, 0, 1);
  lanes.run(accurate(1e-15, 1));
  ASSERT_EQ(lanes.state(0), LaneState::arrived);
  EXPECT_NEAR(lanes.y(0, 0), std::exp(-0.5), 1e-15);
  EXPECT_NEAR(lanes.y(1, 0), 2 * (1 - std::exp(-0.5)), 1e-15);
}

TEST(TaylorLoops, NeedTheStepsThatTheirOrderLeads) {
  Source s;
  const auto loop = compile_taylor(s.with({cos(s.t) * s.y}), state_of(1));
  if (!loop) GTEST_SKIP() << "this machine has no fused multiply-add";
  const auto steps = [&](std::int64_t order) {
    AdaptiveLanes lanes(loop);
    lanes.start(0, {1.0}, 0, 20);
    auto control = accurate(1e-14, 20);
    control.order = order;
    lanes.run(control);
    EXPECT_NEAR(lanes.y(0, 0), std::exp(std::sin(20.0)), 2e-12) << order;
    return lanes.at(lanes.rows().steps(), 0);
  };
  EXPECT_GT(steps(10), 3 * steps(20));
  EXPECT_LT(steps(24), steps(20));
}

TEST(AdaptiveLoops, OfTheInterpreterAreEmpty) {
  Source s;
  const Options options{.backend = Backend::interpreter};
  EXPECT_FALSE(compile_taylor(s.with({s.y}), state_of(1), options));
  EXPECT_FALSE(compile_adaptive(s.with({s.y}), state_of(1), pair_54(), options));
}

TEST(AdaptiveLoops, OfLongProgramsGiveTheBitsOfShortOnes) {
  // Long rates become functions of their own in one lane, and are repeated inline in several.
  auto graph = std::make_shared<symbolic::Graph>();
  symbolic::Program program{"chain", graph, {}, {}, {}};
  constexpr std::size_t size = 12;
  for (std::size_t i = 0; i < size; ++i) program.variables.push_back(graph->symbol("y" + std::to_string(i)));
  for (std::size_t i = 0; i < size; ++i) {
    const Expr ahead = program.variables[(i + 1) % size];
    const Expr behind = program.variables[(i + size - 1) % size];
    program.outputs.push_back(sin(ahead - program.variables[i]) * ahead - behind * program.variables[i] / 3.0);
  }
  program.variables.push_back(graph->symbol("t"));
  const auto enter = [](AdaptiveLanes& lanes, std::size_t lane, std::size_t k) {
    std::vector<double> y;
    for (std::size_t i = 0; i < size; ++i) y.push_back(0.3 + 0.01 * static_cast<double>((i * 7 + k) % 11));
    lanes.start(lane, y, 0, 2);
  };
  const auto alone = compile_adaptive(program, state_of(size), pair_54(), {.lanes = 1, .chunk = 20});
  if (!alone) GTEST_SKIP() << "this machine has no fused multiply-add";
  for (const int width : {4, 8}) {
    if (width > native_lanes()) continue;
    AdaptiveLanes lanes(compile_adaptive(program, state_of(size), pair_54(), {.lanes = width, .chunk = 33}));
    for (std::size_t k = 0; k < lanes.count(); ++k) enter(lanes, k, k);
    lanes.run(accurate(1e-9, 2));
    for (std::size_t k = 0; k < lanes.count(); ++k) {
      AdaptiveLanes one(alone);
      enter(one, 0, k);
      one.run(accurate(1e-9, 2));
      ASSERT_EQ(one.state(0), LaneState::arrived);
      for (std::size_t i = 0; i < size; ++i) ASSERT_TRUE(same(one.y(i, 0), lanes.y(i, k))) << i << " of lane " << k;
    }
  }
}

}  // namespace
}  // namespace herglotz::compile::test
