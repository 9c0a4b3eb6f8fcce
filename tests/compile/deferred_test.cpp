// Kernels that the interpreter runs until their machine code pays.

#include "herglotz/compile/deferred.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "bitwise.hpp"
#include "random_program.hpp"

namespace herglotz::compile::test {
namespace {

/// Calls after which machine code is expected in any case.
constexpr std::size_t often = 6100;

/// Whether a call leaves parts of its scratch alone: the interpreter writes a number for every operation there, and
/// machine code only those that it needs later.
bool is_machine_code(const kernel::Kernel& kernel, const std::vector<double>& u, const std::vector<double>& p) {
  std::vector<double> out(kernel.outputs());
  constexpr double untouched = 0x1.23456789abcdep-1000;
  std::vector<double> work(kernel.work_size(), untouched);
  kernel(u.data(), p.data(), out.data(), work.data());
  return std::find(work.begin(), work.end(), untouched) != work.end();
}

TEST(DeferredKernel, BecomesMachineCodeOfTheSameBits) {
  const std::vector<symbolic::Program> programs{random_program(80, 200, 20), random_program(81, 6000, 1000),
                                                random_program(82, 150, 10)};
  const auto kernels = compile_deferred(programs);
  const auto oracles = compile(programs, {Backend::interpreter, 1, 200});
  std::mt19937_64 random(20261124);
  std::vector<std::vector<double>> u;
  std::vector<std::vector<double>> p;
  for (std::size_t s = 0; s < 8; ++s) {
    u.push_back(random_inputs(programs[0].variables.size(), s, random));
    p.push_back(random_inputs(programs[0].parameters.size(), s, random));
  }
  const auto expect_same_bits = [&](const char* when) {
    for (std::size_t i = 0; i < programs.size(); ++i) {
      const auto found = run(kernels[i], u, p);
      const auto expected = run(oracles[i], u, p);
      for (std::size_t s = 0; s < u.size(); ++s)
        for (std::size_t k = 0; k < found[s].size(); ++k)
          ASSERT_TRUE(same(found[s][k], expected[s][k])) << when << ": program " << i << " output " << k;
    }
  };
  EXPECT_EQ(kernels[0].work_size(), compile(programs[0]).work_size());
  EXPECT_NE(kernels[0].work_size(), oracles[0].work_size());
  EXPECT_FALSE(is_machine_code(kernels[1], u[0], p[0]));
  expect_same_bits("at first");
  std::vector<double> out(kernels[1].outputs());
  std::vector<double> work(kernels[1].work_size());
  for (std::size_t call = 0; call < often; ++call) kernels[1](u[0].data(), p[0].data(), out.data(), work.data());
  EXPECT_TRUE(is_machine_code(kernels[1], u[0], p[0]));
  expect_same_bits("after many calls");
}

TEST(DeferredKernel, IsSharedByThreads) {
  const auto program = random_program(83, 6000, 500);
  const auto kernel = compile_deferred({&program, 1}).front();
  const std::vector<double> u{0.3, -1.2, 0.7, 1.9};
  const std::vector<double> p{1.1, 0.4};
  std::vector<double> expected(kernel.outputs());
  std::vector<double> scratch(kernel.work_size());
  kernel(u.data(), p.data(), expected.data(), scratch.data());
  std::vector<std::size_t> wrong(3, 0);
  {
    std::vector<std::jthread> threads;
    for (auto& count : wrong) {
      threads.emplace_back([&] {
        std::vector<double> out(kernel.outputs());
        std::vector<double> work(kernel.work_size());
        for (std::size_t call = 0; call < often / 2; ++call) {
          kernel(u.data(), p.data(), out.data(), work.data());
          count += std::equal(out.begin(), out.end(), expected.begin(), same) ? 0 : 1;
        }
      });
    }
  }
  EXPECT_EQ(wrong, (std::vector<std::size_t>(3, 0)));
  EXPECT_TRUE(is_machine_code(kernel, u, p));
}

TEST(DeferredKernel, GetsItsCodeFromAThreadBesideItsCallers) {
  const std::vector<symbolic::Program> programs{random_program(85, 6000, 500), random_program(86, 6000, 500)};
  const std::vector<double> u{0.3, -1.2, 0.7, 1.9};
  const std::vector<double> p{1.1, 0.4};
  auto kernels = compile_deferred(programs);
  std::vector<double> expected(kernels[0].outputs());
  std::vector<double> out(kernels[0].outputs());
  std::vector<double> work(kernels[0].work_size());
  kernels[0](u.data(), p.data(), expected.data(), work.data());
  {
    const CodeThread code(10);
    EXPECT_THROW(CodeThread(10), std::logic_error);
    const auto call = [&](const kernel::Kernel& kernel, int times) {
      for (int k = 0; k < times; ++k) kernel(u.data(), p.data(), out.data(), work.data());
    };
    const auto wait = [] {
      const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
      while (CodeThread::busy() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    };
    call(kernels[1], 12);
    EXPECT_TRUE(CodeThread::busy());
    kernels.pop_back();  // a kernel that nobody has any more is forgotten
    wait();
    call(kernels[0], 9);
    EXPECT_FALSE(CodeThread::busy());
    EXPECT_FALSE(is_machine_code(kernels[0], u, p)) << "this is the eleventh call, behind ten others";
    EXPECT_TRUE(CodeThread::busy());
    wait();
    ASSERT_TRUE(is_machine_code(kernels[0], u, p));
    kernels[0](u.data(), p.data(), out.data(), work.data());
    EXPECT_TRUE(std::equal(out.begin(), out.end(), expected.begin(), same));
  }
  EXPECT_FALSE(CodeThread::busy());
  EXPECT_TRUE(is_machine_code(kernels[0], u, p)) << "code outlives the thread";
}

TEST(DeferredKernel, RefusesWhatCompileRefuses) {
  const auto program = random_program(84, 100, 5);
  EXPECT_THROW(compile_deferred({&program, 1}, {Backend::llvm, 3, 200}), CompileError);
  EXPECT_THROW(compile_deferred({&program, 1}, {Backend::llvm, 1, 0}), CompileError);
}

}  // namespace
}  // namespace herglotz::compile::test
