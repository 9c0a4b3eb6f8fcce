#include "herglotz/compile/device.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "bitwise.hpp"
#include "device/ptx.hpp"
#include "herglotz/compile/compile.hpp"
#include "herglotz/error.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"
#include "motions.hpp"

namespace herglotz::compile::test {
namespace {

using Steps = kernel::RungeKuttaLoop::Steps;

kernel::ExplicitTableau classical() {
  return {{0, 0.5, 0.5, 1}, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};
}

/// Heun's method with Euler's, of orders 2 and 1.
kernel::EmbeddedPair euler() {
  kernel::EmbeddedPair pair;
  pair.c = {0, 1};
  pair.A = {{}, {1}};
  pair.b = {0.5, 0.5};
  pair.difference = {-0.5, 0.5};
  return pair;
}

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
    runs_->advance(steps);
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
  }
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
    room[rows.due() * width + run] = 0.5;
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
  kernel::LoopEntries entries = state_of(1);
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

class Ptx : public Devices {};

std::string ptx_of(const Motion& motion) {
  const SteppedTapes stepped = stepped_tapes(program_of(motion), state_of(motion.size), {});
  return compile::ptx_of(stepped_loop(stepped, classical()), RunNumber::thread);
}

std::string adaptive_ptx_of(const Motion& motion) {
  const auto entries = state_of(motion.size);
  const StageTapes tapes = adaptive_tapes(program_of(motion), entries);
  const auto pair = euler();
  return compile::ptx_of(adaptive_loop(tapes, entries, pair), RunNumber::listed);
}

void expect_rounded(const std::string& text) {
  EXPECT_NE(text.find(".entry loop("), std::string::npos);
  EXPECT_EQ(text.find("call"), std::string::npos) << text;
  const std::regex arithmetic(R"(\b(add|sub|mul|fma|mad|div|sqrt|rcp)\.[a-z.]*f(32|64)\b)");
  std::size_t operations = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), arithmetic), end; at != end; ++at, ++operations)
    EXPECT_NE(at->str().find(".rn.f64"), std::string::npos) << at->str();
  EXPECT_GT(operations, 10U);
}

TEST_P(Ptx, RoundsEveryOperationAndLeavesNoneToBeFused) {
  if (!writes_ptx()) GTEST_SKIP() << "LLVM has no target for cards of NVIDIA";
  expect_rounded(ptx_of(GetParam()));
  expect_rounded(adaptive_ptx_of(GetParam()));
}

/// NVIDIA's assembler, which the environment or the path of programs names; empty if there is none.
std::string assembler() {
  if (const char* const named = std::getenv("HERGLOTZ_PTXAS")) return named;
  const char* const paths = std::getenv("PATH");
  std::stringstream list(paths == nullptr ? "" : paths);
  for (std::string folder; std::getline(list, folder, ':');)
    if (std::filesystem::exists(folder + "/ptxas")) return folder + "/ptxas";
  return {};
}

TEST_P(Ptx, IsAssembled) {
  if (!writes_ptx()) GTEST_SKIP() << "LLVM has no target for cards of NVIDIA";
  const std::string ptxas = assembler();
  if (ptxas.empty()) GTEST_SKIP() << "there is no ptxas; see docs/devices.md";
  const auto file = std::filesystem::path(testing::TempDir()) / (GetParam().name + ".ptx");
  const std::string command = ptxas + " -arch=sm_90 -o /dev/null " + file.string() + " 2>&1";
  for (const auto& text : {ptx_of(GetParam()), adaptive_ptx_of(GetParam())}) {
    std::ofstream(file) << text;
    EXPECT_EQ(std::system(command.c_str()), 0);
  }
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Motions, Ptx, testing::ValuesIn(some_motions()),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace herglotz::compile::test
