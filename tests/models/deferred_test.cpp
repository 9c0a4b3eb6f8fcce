// Runs in which kernels become machine code on the way: the bits are those of the interpreter and of machine code.

#include <gtest/gtest.h>

#include <cstring>

#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::test {
namespace {

/// Calls after which a kernel of thousands of operations is machine code.
constexpr std::size_t often = 6100;

analyse::Trajectory run_of(compile::Backend backend) {
  // The Jacobian of the stages of 24 links has more than 2000 operations.
  auto problem = io::parse_model(io::n_link_pendulum(24), "links.toml");
  problem.settings.method = "contact-gauss-2";
  problem.settings.step = 1e-4;
  problem.settings.t_end = 0.4;
  problem.settings.output_every = 500;
  compile::Options options;
  options.backend = backend;
  return simulate::Simulator(problem.system, options, problem.initial).run(problem.initial, problem.settings);
}

TEST(DeferredKernels, OfARunHaveTheSameBitsBeforeAndAfterTheirMachineCode) {
  const auto deferred = run_of(compile::Backend::llvm);
  const auto interpreted = run_of(compile::Backend::interpreter);
  ASSERT_TRUE(deferred.facts.complete);
  EXPECT_GT(deferred.facts.newton_iterations, often) << "the run ends before any kernel has been called often";
  EXPECT_EQ(deferred.facts.newton_iterations, interpreted.facts.newton_iterations);
  ASSERT_EQ(deferred.columns.size(), interpreted.columns.size());
  EXPECT_GE(deferred.rows(), 9U);
  for (std::size_t k = 0; k < deferred.columns.size(); ++k) {
    const auto& a = deferred.columns[k].values;
    const auto& b = interpreted.columns[k].values;
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0) << deferred.columns[k].name;
  }
}

}  // namespace
}  // namespace herglotz::test
