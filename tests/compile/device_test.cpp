#include "herglotz/compile/device.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "bitwise.hpp"
#include "device/running.hpp"
#include "herglotz/compile/compile.hpp"
#include "herglotz/error.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"
#include "methods_of_devices.hpp"
#include "motions.hpp"

namespace herglotz::compile::test {
namespace {

using Steps = kernel::RungeKuttaLoop::Steps;

bool without_fma() {
  return !compile_runge_kutta(program_of(motions().front()), state_of(motions().front().size), classical());
}

/// A group of runs on the device `host`.
class Group {
 public:
  explicit Group(const kernel::DeviceLoop& loop)
      : loop_(loop),
        runs_(loop.runs()),
        state_(loop.rows() * loop.width()),
        p_(loop.parameters() * loop.width(), parameter) {}

  void start(std::size_t run, const std::vector<double>& y) {
    for (std::size_t row = 0; row < loop_.rows(); ++row) at(row, run) = row < y.size() ? y[row] : 0;
  }
  void write() { runs_->write(state_, p_); }
  void advance(const Steps& steps) {
    runs_->advance(steps, loop_.width());
    runs_->read(state_);
  }
  double& at(std::size_t row, std::size_t run) { return state_[row * loop_.width() + run]; }

 private:
  kernel::DeviceLoop loop_;
  std::unique_ptr<kernel::DeviceRuns> runs_;
  std::vector<double> state_;
  std::vector<double> p_;
};

/// Rows of one run by the loop of the processor.
std::vector<double> alone(const kernel::RungeKuttaLoop& loop, const std::vector<double>& y, const Steps& steps) {
  std::vector<double> state(loop.rows());
  std::copy(y.begin(), y.end(), state.begin());
  const std::vector<double> p(loop.parameters(), parameter);
  std::vector<double> work(loop.work_size());
  loop(state.data(), p.data(), steps, work.data());
  return state;
}

class Devices : public testing::TestWithParam<Motion> {
 protected:
  void SetUp() override {
    if (without_fma()) GTEST_SKIP() << "this machine has no fused multiply-add";
  }
};

TEST_P(Devices, GiveEveryRunTheBitsOfTheProcessor) {
  const auto& motion = GetParam();
  const auto program = program_of(motion);
  const auto loop = compile_runge_kutta(program, state_of(motion.size), classical());
  Group group(open_device("host")->compile(program, state_of(motion.size), classical(), {}));
  for (std::size_t run = 0; run < 5; ++run) group.start(run, start_of(motion, run));
  group.write();
  group.advance({t0, 0.05, 0, 7});
  group.advance({t0, 0.05, 7, 5});
  for (std::size_t run = 0; run < 5; ++run) {
    const auto rows = alone(loop, start_of(motion, run), {t0, 0.05, 0, 12});
    for (std::size_t row = 0; row < rows.size(); ++row)
      ASSERT_TRUE(same(rows[row], group.at(row, run))) << "row " << row << " of run " << run;
    EXPECT_EQ(group.at(rows.size(), run), 12);  // steps that the device has taken
  }
}

TEST(Device, TakesTheSubstepsOfTheProcessor) {
  if (without_fma()) GTEST_SKIP() << "this machine has no fused multiply-add";
  const auto step = composed_step();
  const auto loop = compile_loop(step, 1);
  const auto on_device = open_device("host")->compile_composition(step, 1, substeps);
  ASSERT_EQ(on_device.sums(), 3U);
  ASSERT_EQ(on_device.parameters(), 1 + 3 * substeps);
  const std::size_t width = on_device.width();
  std::vector<double> state(on_device.rows() * width);
  std::vector<double> parameters(on_device.parameters() * width);
  const auto runs = on_device.runs();
  for (std::size_t run = 0; run < width; ++run) {
    state[run] = 0.1 * static_cast<double>(run);
    state[width + run] = -0.3;
    parameters[run] = parameter;
    const auto table = table_of(0.05, run);
    for (std::size_t i = 0; i < table.size(); ++i) parameters[(1 + i) * width + run] = table[i];
  }
  runs->write(state, parameters);
  runs->advance({t0, 0.05, 0, 9}, 7);
  runs->advance({t0, 0.05, 9, 2}, 7);
  runs->read(state);
  for (std::size_t run = 0; run < 7; ++run) {
    std::vector<double> sums(2 * loop.sums());
    sums[0] = 0.1 * static_cast<double>(run);
    sums[1] = -0.3;
    loop(sums.data(), &parameter, table_of(0.05, run).data(), {t0, 0.05, 0, 11, substeps});
    for (std::size_t i = 0; i < sums.size(); ++i)
      ASSERT_TRUE(same(sums[i], state[i * width + run])) << "row " << i << " of run " << run;
    EXPECT_EQ(state[on_device.unsound() * width + run], 0);
    EXPECT_EQ(state[on_device.taken() * width + run], 11);
  }
  EXPECT_EQ(state[8], 0.1 * 8);  // it was not asked to go on
}

/// A few motions that have every kind of operation between them.
std::vector<Motion> some_motions() {
  std::vector<Motion> some;
  for (auto& motion : motions())
    if (motion.name == "sqrt" || motion.name == "sin_cos" || motion.name == "pow_varying" || motion.name == "tan_atan")
      some.push_back(motion);
  return some;
}

INSTANTIATE_TEST_SUITE_P(Motions, Devices, testing::ValuesIn(some_motions()),
                         [](const auto& given) { return given.param.name; });

TEST(Device, GivesUpTheRunsThatNeedAFunctionItDoesNotHave) {
  // Beyond 2^30 the processor asks a library for sines. The larger of NaN and 0 is 0, so that no number of the result
  // tells of it.
  if (without_fma()) GTEST_SKIP() << "this machine has no fused multiply-add";
  Source s;
  const Expr zero = s.graph->number(std::int64_t{0});
  const auto program = s.with({select(sin(s.y), zero, sin(s.y), zero) - s.y});
  const auto loop = open_device("host")->compile(program, state_of(1), classical(), {});
  Group group(loop);
  group.start(0, {1.0});
  group.start(1, {2e9});
  group.start(2, {-1.0});
  group.write();
  group.advance({0, 0.125, 0, 3});
  EXPECT_EQ(group.at(loop.unsound(), 0), 0);
  EXPECT_GT(group.at(loop.unsound(), 1), 0);
  EXPECT_EQ(group.at(loop.unsound(), 2), 0);
}

TEST(Device, LeavesAdaptiveRunsThatNeedSuchAFunction) {
  if (without_fma()) GTEST_SKIP() << "this machine has no fused multiply-add";
  Source s;
  const Expr zero = s.graph->number(std::int64_t{0});
  const auto loop = open_device("host")->compile_adaptive(s.with({select(sin(s.y), zero, sin(s.y), zero) - s.y}),
                                                          state_of(1), euler());
  const auto rows = loop.rows();
  const auto width = static_cast<std::size_t>(loop.lanes());
  std::vector<double> room(rows.count() * width);
  for (std::size_t run = 0; run < width; ++run) {
    room[run] = run == 3 ? 2e9 : 1.0;
    room[rows.t_stop() * width + run] = 0.5;
    const bool starts = run == 1 || run == 3;
    room[rows.state() * width + run] =
        static_cast<double>(starts ? kernel::LaneState::running : kernel::LaneState::arrived);
  }
  const std::vector<double> p((loop.parameters() + 1) * width, parameter);
  loop(room.data(), p.data(), {1e-3, 0.5, 0, 1e5, 0, 0}, nullptr);
  const auto state = [&](std::size_t run) { return room[rows.state() * width + run]; };
  EXPECT_EQ(state(1), static_cast<double>(kernel::LaneState::arrived));
  EXPECT_LT(room[1], 1.0);
  EXPECT_EQ(state(3), static_cast<double>(kernel::LaneState::undefined));
  EXPECT_EQ(room[0], 1.0);  // it was not under way
}

TEST(Device, CountsUnsoundChecksAsTheProcessorDoes) {
  if (without_fma()) GTEST_SKIP() << "this machine has no fused multiply-add";
  Source s;
  kernel::StateLayout entries = state_of(1);
  entries.checks = 1;
  const auto loop = open_device("host")->compile(s.with({s.y, exp(-10.0 * s.t)}), entries, classical(), {});
  Group group(loop);
  group.start(0, {1.0});
  group.write();
  group.advance({0, 0.125, 0, 16});
  EXPECT_EQ(group.at(loop.unsound(), 0), 3);
}

TEST(Device, RefusesStepsThatAreTooLong) {
  if (without_fma()) GTEST_SKIP() << "this machine has no fused multiply-add";
  Source s;
  Expr sum = s.y;
  for (int k = 1; k < 200; ++k) sum = exp(sum * s.graph->number(1.0 / (k + 0.5)));
  EXPECT_THROW((void)open_device("host")->compile(s.with({sum}), state_of(1), classical(), {}), Refused);
}

TEST(Device, SaysWhatIsThereAndWhyTheRestIsNot) {
  std::vector<std::string> names;
  for (const auto& info : devices()) {
    names.push_back(info.name);
    EXPECT_FALSE(info.description.empty()) << info.name;
    if (info.missing.empty()) continue;
    try {
      (void)open_device(info.name);
      ADD_FAILURE() << info.name << " was opened";
    } catch (const Refused& refused) {
      EXPECT_EQ(refused.problem(), "device " + info.name + " is not there: " + info.missing);
    }
  }
  names.erase(std::unique(names.begin(), names.end()), names.end());
  EXPECT_EQ(names, device_names());
  EXPECT_THROW((void)open_device("quantum"), Refused);
}

TEST(Device, ThatMakesNoTryOfAStepIsNoticed) {
  const kernel::AdaptiveLoop::Control control{1e-3, 1, 0, 1e5, 0, 0};
  std::vector<double> states{0, 1, 0};
  std::vector<double> tries{4, 0, 0};
  const RunProgress progress{states, tries};
  int calls = 0;
  const auto advance_first = [&](const std::vector<std::uint64_t>& list, const kernel::AdaptiveLoop::Control& how) {
    EXPECT_EQ(how.tries, tries_of_a_call);
    EXPECT_EQ(list, calls == 0 ? (std::vector<std::uint64_t>{0, 2}) : (std::vector<std::uint64_t>{0}));
    tries[0] += 64;
    states[2] = static_cast<double>(kernel::LaneState::step_too_small);
    if (++calls == 3) states[0] = static_cast<double>(kernel::LaneState::arrived);
  };
  follow_running(progress, control, advance_first);
  EXPECT_EQ(calls, 3);
  states = {0, 0, 0};
  const auto advance_none_but_one = [&](const auto&, const auto&) { tries[1] += 64; };
  try {
    follow_running(progress, control, advance_none_but_one);
    FAIL() << "nothing was noticed";
  } catch (const Failed& failed) {
    EXPECT_STREQ(failed.what(), "the device made no try of a step in 2 of 3 runs, and reported no error");
  }
}

}  // namespace
}  // namespace herglotz::compile::test
