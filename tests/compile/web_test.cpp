// WebAssembly modules of motions, and their fused multiply-add.
#include "herglotz/compile/web.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "elementary/doubles.hpp"
#include "elementary/fused.hpp"
#include "herglotz/compile/compile.hpp"
#include "herglotz/symbolic/expr.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "llvm/cpu.hpp"

namespace herglotz::compile::test {
namespace {

constexpr Doubles doubles;

TEST(FusedByParts, IsRoundedOnceForNumbersOfAnySize) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> digits(-2, 2);
  const auto number = [&](int range) {
    return std::ldexp(digits(random), std::uniform_int_distribution(-range, range)(random));
  };
  for (const int range : {2, 60, 430}) {
    for (int k = 0; k < 50000; ++k) {
      const double x = number(range);
      const double y = number(range);
      // Sums that cancel are those in which the second rounding would show.
      const double z = k % 2 == 0 ? number(2 * range) : -x * y * (1 + number(0) * 0x1p-50);
      if (!fuses_in_range(doubles, x, y, z)) continue;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(fused_in_range(doubles, x, y, z)),
                std::bit_cast<std::uint64_t>(std::fma(x, y, z)))
          << std::hexfloat << x << " " << y << " " << z;
    }
  }
}

TEST(FusedByParts, IsRoundedOnceWhereTheSumIsNearlyATie) {
  const double x = 1 + 0x1p-30;
  for (const double z : {0x1p-80, -0x1p-80, 0x1p53, 0x1p53 + 2, -0x1p-1000})
    EXPECT_EQ(fused_in_range(doubles, x, x, z), std::fma(x, x, z)) << z;
  const double half = 0x1p-53;  // half of the last place of 1
  EXPECT_EQ(fused_in_range(doubles, half, 1.0, 1.0), 1.0);
  EXPECT_EQ(fused_in_range(doubles, half + 0x1p-105, 1.0, 1.0), 1 + 0x1p-52);
}

TEST(FusedByParts, LeavesOutNumbersWhoseErrorsAreLost) {
  EXPECT_TRUE(fuses_in_range(doubles, 3.0, -2.0, 0.0));
  EXPECT_FALSE(fuses_in_range(doubles, 0x1p-500, 0x1p-500, 1.0));
  EXPECT_FALSE(fuses_in_range(doubles, 0x1p-1000, 0x1p500, 1.0));
  EXPECT_FALSE(fuses_in_range(doubles, 0x1p500, 0x1p500, 1.0));
  EXPECT_FALSE(fuses_in_range(doubles, 1.0, 1.0, infinite));
  EXPECT_FALSE(fuses_in_range(doubles, undefined, 1.0, 1.0));
  EXPECT_FALSE(fuses_in_range(doubles, 0.0, 1.0, 1.0));
}

/// Sections of a module by their numbers, in order.
std::vector<int> sections(const std::string& module) {
  std::vector<int> numbers;
  for (std::size_t at = 8; at < module.size();) {
    numbers.push_back(module[at++]);
    std::size_t size = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(module.at(at++));
      size |= static_cast<std::size_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) break;
    }
    at += size;
    EXPECT_LE(at, module.size());
  }
  return numbers;
}

class WebModules : public testing::Test {
 protected:
  void SetUp() override {
    if (!cpu_has_fma()) GTEST_SKIP() << "this machine has no fused multiply-add";
    graph = std::make_shared<symbolic::Graph>();
    const auto [q, v, t, k] =
        std::array{graph->symbol("q"), graph->symbol("v"), graph->symbol("t"), graph->symbol("k")};
    motion.name = "motion";
    motion.graph = graph;
    motion.variables = {q, v, t};
    motion.parameters = {k};
    motion.outputs = {v, -k * symbolic::sin(q)};
    energy = motion;
    energy.outputs = {v * v / 2.0 - k * symbolic::cos(q)};
  }
  std::shared_ptr<symbolic::Graph> graph;
  symbolic::Program motion;
  symbolic::Program energy;
  kernel::StateLayout entries{{0, 1, 2, 2, 2}};
};

TEST_F(WebModules, AreSmallAndExportTheirFunctions) {
  const kernel::ExplicitTableau classical{
      {0, 0.5, 0.5, 1}, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};
  for (const WebSteps& steps : {WebSteps(classical), WebSteps(TaylorSteps{})}) {
    const WebModule module = compile_web(motion, entries, steps, std::vector{energy, energy});
    EXPECT_EQ(module.bytes.substr(0, 8), std::string("\0asm\1\0\0\0", 8));
    EXPECT_LT(module.bytes.size(), 32000U);
    for (const char* name : {"loop", "kernel0", "kernel1", "fused_rest", "__linear_memory"})
      EXPECT_NE(module.bytes.find(name), std::string::npos) << name;
    const auto order = sections(module.bytes);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(std::count(order.begin(), order.end(), 0), 0) << "what only a linker reads is left out";
    EXPECT_EQ(std::count(order.begin(), order.end(), 7), 1) << "exports";
  }
}

TEST_F(WebModules, AreEqualFromRunToRun) {
  const kernel::ExplicitTableau euler{{0}, {{}}, {1}};
  const std::vector kernels{energy};
  EXPECT_EQ(compile_web(motion, entries, euler, kernels).bytes, compile_web(motion, entries, euler, kernels).bytes);
}

TEST_F(WebModules, HaveNoTaylorPolynomialsOfKinks) {
  motion.outputs[1] = symbolic::abs(motion.variables[0]);
  EXPECT_THROW((void)compile_web(motion, entries, TaylorSteps{}, {}), CompileError);
}

}  // namespace
}  // namespace herglotz::compile::test
