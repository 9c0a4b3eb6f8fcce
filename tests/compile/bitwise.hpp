#pragma once
/// Interpreter and machine code agree to the last bit: one check for any program.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "herglotz/compile/compile.hpp"

namespace herglotz::compile::test {

/// Equal bits, or both not a number (the payload of a NaN is not a part of the promise).
inline bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Inputs of one sample: ordinary numbers, every fourth sample with some special ones among them.
inline std::vector<double> random_inputs(std::size_t count, std::size_t sample, std::mt19937_64& random) {
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  static const std::vector<double> special{
      0.0,  -0.0,  1.0,  -1.0,  0.5,    1e-320,   -1e-320,   std::numeric_limits<double>::min(),      1e-30,
      1e30, -1e30, 1e15, 1e300, -1e300, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
  std::uniform_real_distribution<double> ordinary(-2.0, 2.0);
  std::vector<double> inputs(count);
  for (auto& x : inputs) {
    x = ordinary(random);
    if (sample % 4 == 3 && random() % 4 == 0) x = special[random() % special.size()];
  }
  return inputs;
}

/// Runs a kernel on samples (sample-major) in groups of its lanes; a last group is filled with the first sample.
inline std::vector<std::vector<double>> run(const kernel::Kernel& kernel, const std::vector<std::vector<double>>& u,
                                            const std::vector<std::vector<double>>& p) {
  const auto lanes = static_cast<std::size_t>(kernel.lanes());
  std::vector<std::vector<double>> results(u.size(), std::vector<double>(kernel.outputs()));
  std::vector<double> some_u(kernel.variables() * lanes);
  std::vector<double> some_p(kernel.parameters() * lanes);
  std::vector<double> out(kernel.outputs() * lanes);
  std::vector<double> work(kernel.work_size());
  for (std::size_t first = 0; first < u.size(); first += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) {
      const auto sample = first + l < u.size() ? first + l : 0;
      for (std::size_t i = 0; i < kernel.variables(); ++i) some_u[i * lanes + l] = u[sample][i];
      for (std::size_t i = 0; i < kernel.parameters(); ++i) some_p[i * lanes + l] = p[sample][i];
    }
    kernel(some_u.data(), some_p.data(), out.data(), work.data());
    for (std::size_t l = 0; l < lanes && first + l < u.size(); ++l) {
      for (std::size_t k = 0; k < kernel.outputs(); ++k) results[first + l][k] = out[k * lanes + l];
    }
  }
  return results;
}

/// The interpreter at one lane against the interpreter at 4 and 8 lanes and machine code at every width this machine
/// has and chunks of 1, 7, 500 and 10^6 operations, on seeded random samples with special values among them.
inline void expect_bitwise_equal(const symbolic::Program& program, std::size_t samples = 24,
                                 std::vector<std::size_t> chunks = {1, 7, 500, 1000000}) {
  std::mt19937_64 random(20251217);
  std::vector<std::vector<double>> u;
  std::vector<std::vector<double>> p;
  for (std::size_t s = 0; s < samples; ++s) {
    u.push_back(random_inputs(program.variables.size(), s, random));
    p.push_back(random_inputs(program.parameters.size(), s, random));
  }
  const auto oracle = run(compile(program, {Backend::interpreter, 1, 500}), u, p);
  const auto compare = [&](const Options& options) {
    const auto results = run(compile(program, options), u, p);
    for (std::size_t s = 0; s < samples; ++s) {
      for (std::size_t k = 0; k < program.outputs.size(); ++k) {
        ASSERT_TRUE(same(oracle[s][k], results[s][k]))
            << "program '" << program.name << "' output " << k << " sample " << s << ": the interpreter gives "
            << testing::PrintToString(oracle[s][k]) << ", "
            << (options.backend == Backend::llvm ? "machine code " : "its lanes ")
            << testing::PrintToString(results[s][k]) << " at " << options.lanes << " lanes, chunks of "
            << options.chunk;
      }
    }
  };
  for (const int lanes : {4, 8}) compare({Backend::interpreter, lanes, 500});
  for (const int lanes : {1, 4, 8}) {
    if (lanes > native_lanes()) continue;
    for (const auto chunk : chunks) compare({Backend::llvm, lanes, chunk});
  }
}

}  // namespace herglotz::compile::test
