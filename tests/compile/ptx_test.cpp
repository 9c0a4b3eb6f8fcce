// The code for cards: run by a machine that knows PTX, and assembled by NVIDIA's assembler if it is there.

#include "device/ptx.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "bitwise.hpp"
#include "card/ptx_machine.hpp"
#include "herglotz/compile/compile.hpp"
#include "methods_of_devices.hpp"
#include "motions.hpp"

namespace herglotz::compile::test {
namespace {

using card::PtxEntry;
using card::Range;

constexpr std::size_t runs = 5;
constexpr std::size_t width = 7;

/// The code for cards of a motion by every kind of steps.
class PtxCode {
 public:
  explicit PtxCode(const Motion& motion)
      : entries_(state_of(motion.size)),
        stepped_(stepped_tapes(program_of(motion), entries_, {})),
        stages_(adaptive_tapes(program_of(motion), entries_)),
        analytic_(taylor_tape(program_of(motion), entries_)),
        tableau_(classical()),
        pair_(euler()) {}

  [[nodiscard]] std::string stepped() const { return ptx_of(stepped_loop(stepped_, tableau_), RunNumber::thread); }
  [[nodiscard]] std::string adaptive() const {
    return ptx_of(adaptive_loop(stages_, entries_, pair_), RunNumber::listed);
  }
  [[nodiscard]] std::string taylor() const { return ptx_of(taylor_loop(analytic_, entries_), RunNumber::listed); }

 private:
  kernel::StateLayout entries_;
  SteppedTapes stepped_;
  StageTapes stages_;
  AnalyticTape analytic_;
  kernel::ExplicitTableau tableau_;
  kernel::EmbeddedPair pair_;
};

std::string composed_code() {
  const Tape tape = lower(composed_step());
  return ptx_of(composed_loop(tape, 1, substeps), RunNumber::thread);
}

/// Arrays that threads may read and write, and the arguments of an entry.
class Launch {
 public:
  template <class T>
  void memory(std::vector<T>& array) {
    const auto address = std::bit_cast<std::uint64_t>(array.data());
    ranges_.push_back({address, array.size() * sizeof(T)});
    add(address);
  }
  template <class T>
  void add(T value) {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    values_.push_back(std::bit_cast<std::uint64_t>(value));
  }
  void operator()(const PtxEntry& entry, unsigned blocks, unsigned threads) {
    ASSERT_EQ(entry.parameters(), values_.size());
    std::vector<void*> arguments;
    for (auto& value : values_) arguments.push_back(&value);
    entry.run(blocks, threads, arguments.data(), ranges_);
  }

 private:
  std::vector<Range> ranges_;
  std::vector<std::uint64_t> values_;
};

class Ptx : public testing::TestWithParam<Motion> {
 protected:
  void SetUp() override {
    if (!writes_ptx()) GTEST_SKIP() << "LLVM has no target for cards of NVIDIA";
    if (!compile_taylor(program_of(GetParam()), state_of(GetParam().size)))
      GTEST_SKIP() << "this machine has no fused multiply-add";
  }
};

TEST_P(Ptx, OfStepsGivesTheBitsOfTheProcessor) {
  const auto& motion = GetParam();
  const auto loop = compile_runge_kutta(program_of(motion), state_of(motion.size), classical());
  std::vector<double> state((loop.rows() + 1) * width);  // the last row counts steps
  for (std::size_t run = 0; run < runs; ++run)
    for (std::size_t i = 0; i < motion.size; ++i) state[i * width + run] = start_of(motion, run)[i];
  std::vector<double> p(width, parameter);
  Launch launch;
  launch.memory(state);
  launch.memory(p);
  launch.add(t0);
  launch.add(0.05);
  launch.add(std::uint64_t{0});
  launch.add(std::uint64_t{12});
  launch.add(std::uint64_t{width});
  launch(PtxEntry(PtxCode(motion).stepped()), 2, 4);  // one thread is beyond the runs
  for (std::size_t run = 0; run < runs; ++run) {
    std::vector<double> expected(loop.rows());
    const auto start = start_of(motion, run);
    std::copy(start.begin(), start.end(), expected.begin());
    std::vector<double> work(loop.work_size());
    loop(expected.data(), p.data(), {t0, 0.05, 0, 12}, work.data());
    for (std::size_t row = 0; row < expected.size(); ++row)
      ASSERT_TRUE(same(expected[row], state[row * width + run])) << "row " << row << " of run " << run;
    EXPECT_EQ(state[loop.rows() * width + run], 12);
  }
}

/// Follows runs by the code of a card, and compares them with a loop of the processor.
void expect_adaptive_bits(const Motion& motion, const kernel::AdaptiveLoop& loop, const std::string& code) {
  const auto rows = loop.rows();
  const kernel::AdaptiveLoop::Control control{1e-9, 1.2, 12, 1e5, 0, 0};
  std::vector<double> state(rows.count() * width);
  for (std::size_t run = 0; run < width; ++run) {
    for (std::size_t i = 0; i < motion.size; ++i) state[rows.y(i) * width + run] = start_of(motion, run)[i];
    state[rows.t() * width + run] = t0;
    state[rows.t_stop() * width + run] = end_of(run);
  }
  const auto before = state;
  std::vector<double> p(width, parameter);
  std::vector<std::uint64_t> list{0, 2, 3, 6};
  Launch launch;
  launch.memory(state);
  launch.memory(p);
  launch.add(control.local);
  launch.add(control.t_end);
  launch.add(control.order);
  launch.add(control.most_steps);
  launch.add(control.min_running);
  launch.add(control.tries);
  launch.add(std::uint64_t{width});
  launch.memory(list);
  launch.add(std::uint64_t{list.size()});
  launch(PtxEntry(code), 3, 2);
  for (std::size_t run = 0; run < width; ++run) {
    std::vector<double> expected(rows.count());
    for (std::size_t row = 0; row < rows.count(); ++row) expected[row] = before[row * width + run];
    std::vector<double> work(loop.work_size());
    const bool listed = std::find(list.begin(), list.end(), run) != list.end();
    if (listed) loop(expected.data(), p.data(), control, work.data());
    EXPECT_EQ(expected[rows.tries()] > 0, listed);
    for (std::size_t row = 0; row < expected.size(); ++row)
      ASSERT_TRUE(same(expected[row], state[row * width + run])) << "row " << row << " of run " << run;
  }
}

TEST_P(Ptx, OfAdaptiveStepsGivesTheBitsOfTheProcessor) {
  const auto& motion = GetParam();
  expect_adaptive_bits(motion, compile_adaptive(program_of(motion), state_of(motion.size), euler()),
                       PtxCode(motion).adaptive());
}

TEST_P(Ptx, OfTaylorPolynomialsGivesTheBitsOfTheProcessor) {
  const auto& motion = GetParam();
  expect_adaptive_bits(motion, compile_taylor(program_of(motion), state_of(motion.size)), PtxCode(motion).taylor());
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
  const PtxCode code(GetParam());
  for (const auto& text : {code.stepped(), code.adaptive(), code.taylor()}) expect_rounded(text);
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

void expect_assembled(const std::string& name, const std::vector<std::string>& texts) {
  const auto file = std::filesystem::path(testing::TempDir()) / (name + ".ptx");
  const std::string command = assembler() + " -arch=sm_90 -o /dev/null " + file.string() + " 2>&1";
  for (const auto& text : texts) {
    std::ofstream(file) << text;
    EXPECT_EQ(std::system(command.c_str()), 0) << text;
  }
  std::filesystem::remove(file);
}

TEST_P(Ptx, IsAssembled) {
  if (assembler().empty()) GTEST_SKIP() << "there is no ptxas; see docs/devices.md";
  const PtxCode code(GetParam());
  expect_assembled(GetParam().name, {code.stepped(), code.adaptive(), code.taylor()});
}

INSTANTIATE_TEST_SUITE_P(Motions, Ptx, testing::ValuesIn(motions()),
                         [](const auto& given) { return given.param.name; });

TEST(PtxOfCompositions, GivesTheBitsOfTheProcessor) {
  if (!writes_ptx()) GTEST_SKIP() << "LLVM has no target for cards of NVIDIA";
  const auto loop = compile_loop(composed_step(), 1);
  std::vector<double> state((2 * loop.sums() + 2) * width);
  std::vector<double> p((1 + 3 * substeps) * width);
  for (std::size_t run = 0; run < width; ++run) {
    state[run] = 0.1 * static_cast<double>(run);
    p[run] = parameter;
    const auto table = table_of(0.05, run);
    for (std::size_t i = 0; i < table.size(); ++i) p[(1 + i) * width + run] = table[i];
  }
  Launch launch;
  launch.memory(state);
  launch.memory(p);
  launch.add(t0);
  launch.add(0.05);
  launch.add(std::uint64_t{3});
  launch.add(std::uint64_t{8});
  launch.add(std::uint64_t{width});
  const std::string code = composed_code();
  expect_rounded(code);
  launch(PtxEntry(code), 1, 8);
  for (std::size_t run = 0; run < width; ++run) {
    std::vector<double> sums(2 * loop.sums());
    sums[0] = 0.1 * static_cast<double>(run);
    loop(sums.data(), &parameter, table_of(0.05, run).data(), {t0, 0.05, 3, 8, substeps});
    for (std::size_t i = 0; i < sums.size(); ++i)
      ASSERT_TRUE(same(sums[i], state[i * width + run])) << "row " << i << " of run " << run;
    EXPECT_EQ(state[(2 * loop.sums() + 1) * width + run], 8);
  }
}

TEST(PtxOfCompositions, IsAssembled) {
  if (!writes_ptx()) GTEST_SKIP() << "LLVM has no target for cards of NVIDIA";
  if (assembler().empty()) GTEST_SKIP() << "there is no ptxas; see docs/devices.md";
  expect_assembled("composition", {composed_code()});
}

// The machine itself.

std::string entry_of(const std::string& body) {
  return ".version 6.3\n.target sm_70\n.visible .entry f(\n\t.param .u64 f_param_0\n)\n{\n\t.reg .b64 \t%rd<9>;\n" +
         body + "\tret;\n}\n";
}

TEST(PtxMachine, KnowsItsInstructionsOnly) {
  EXPECT_NO_THROW(PtxEntry(entry_of("")));
  try {
    const PtxEntry entry(entry_of("\tadd.f64 \t%fd1, %fd2, %fd3;\n"));
    FAIL() << "an operation that may be fused was taken";
  } catch (const card::PtxError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("add.f64"));
  }
  EXPECT_THROW(PtxEntry(entry_of("\tbra \tnowhere;\n")), card::PtxError);
  EXPECT_THROW(PtxEntry("no code"), card::PtxError);
}

TEST(PtxMachine, KeepsThreadsInTheirMemory) {
  const PtxEntry entry(
      entry_of("\tld.param.u64 \t%rd1, [f_param_0];\n\tmov.u32 \t%r1, %tid.x;\n\tmul.wide.u32 \t%rd2, "
               "%r1, 8;\n\tadd.s64 \t%rd3, %rd1, %rd2;\n\tst.global.f64 \t[%rd3+8], "
               "0d3FF8000000000000;\n"));
  std::vector<double> memory(4);
  Launch launch;
  launch.memory(memory);
  launch(entry, 1, 3);
  EXPECT_EQ(memory, (std::vector<double>{0, 1.5, 1.5, 1.5}));
  EXPECT_THROW(launch(entry, 1, 4), card::PtxError);
}

}  // namespace
}  // namespace herglotz::compile::test
