#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "bitwise.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "random_program.hpp"

namespace herglotz::compile::test {

TEST(Backends, AgreeBitwiseOnEveryElementaryOperation) {
  expect_bitwise_equal(elementary_program(), 4000, {1000000});
}

TEST(Backends, AgreeBitwiseOnRandomPrograms) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    expect_bitwise_equal(random_program(seed, 150, 12));
  }
}

TEST(Backends, AgreeBitwiseOnAProgramOfTwentyThousandNodes) {
  expect_bitwise_equal(random_program(77, 20000, 5000), 8, {500});
}

// Beyond 40 000 operations in all, code for one lane is generated at another level.
TEST(Backends, AgreeBitwiseOnProgramsThatAreCompiledFast) {
  const std::vector<symbolic::Program> programs{random_program(78, 30000, 4000), random_program(79, 30000, 4000)};
  const auto compiled = compile(programs);
  const auto interpreted = compile(programs, {Backend::interpreter, 1, 500});
  std::mt19937_64 random(20261123);
  std::vector<std::vector<double>> u;
  std::vector<std::vector<double>> p;
  for (std::size_t s = 0; s < 8; ++s) {
    u.push_back(random_inputs(programs[0].variables.size(), s, random));
    p.push_back(random_inputs(programs[0].parameters.size(), s, random));
  }
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const auto found = run(compiled[i], u, p);
    const auto oracle = run(interpreted[i], u, p);
    for (std::size_t s = 0; s < u.size(); ++s)
      for (std::size_t k = 0; k < found[s].size(); ++k)
        ASSERT_TRUE(same(found[s][k], oracle[s][k])) << "program " << i << " output " << k << " sample " << s;
  }
}

/// Tables with their derivatives, at knots, between them, outside, and at arguments that are not numbers.
TEST(Backends, AgreeBitwiseOnTables) {
  using symbolic::Interpolation;
  std::vector<double> knots;
  std::vector<double> values;
  for (int k = 0; k < 37; ++k) {
    knots.push_back(-3.0 + 0.17 * k + 0.003 * k * k);
    values.push_back(std::sin(3.1 * k) + 0.1 * k);
  }
  for (const std::size_t count : {2, 3, 5, 37}) {
    auto graph = std::make_shared<symbolic::Graph>();
    const auto t = graph->symbol("t");
    const auto p = graph->symbol("p");
    symbolic::Program program{"tables", graph, {t}, {p}, {}};
    const std::vector<double> at(knots.begin(), knots.begin() + static_cast<std::ptrdiff_t>(count));
    const std::vector<double> of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
    for (const auto& [name, kind] :
         {std::pair{"s", Interpolation::spline}, {"l", Interpolation::linear}, {"h", Interpolation::hold}}) {
      auto u = graph->tabulated(symbolic::make_table(name, kind, at, of), t);
      for (int order = 0; order < 4; ++order, u = symbolic::derivative(u, t)) program.outputs.push_back(u * p - u);
    }
    expect_bitwise_equal(program, 300, {3, 1000000});
    const auto kernel = compile(program);
    std::vector<double> out(kernel.outputs());
    std::vector<double> work(kernel.work_size());
    const double none = 0;
    std::vector<double> times = at;
    for (double time = -4; time < 8; time += 0.0917) times.push_back(time);
    for (const double time : times) {
      kernel(&time, &none, out.data(), work.data());
      for (std::size_t k = 0; k < out.size(); ++k)
        EXPECT_NEAR(-out[k], (*graph->tables()[k / 4])(time, static_cast<int>(k % 4)), 1e-12 * (1 + std::abs(out[k])));
    }
  }
}

/// A matrix of zeros and other constants with a few entries that vary, as a mass matrix of a large system is.
TEST(Backends, AgreeBitwiseOnManyConstantOutputs) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto x = graph->symbol("x");
  const auto p = graph->symbol("p");
  symbolic::Program program{"matrix", graph, {x}, {p}, {}};
  for (int k = 0; k < 900; ++k) {
    const bool varies = k % 31 == 0 || k % 127 < 3;
    program.outputs.push_back(varies ? (k % 2 == 0 ? x * p : x) : graph->number(k % 5 == 0 ? k : 0));
  }
  expect_bitwise_equal(program, 9, {1, 7, 200, 1000000});
}

TEST(Backends, AgreeWithTheCLibraryOnElementaryOperationsToAFewUlp) {
  const auto program = elementary_program();
  std::vector<symbolic::Expr> symbols = program.variables;
  symbols.push_back(program.parameters[0]);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> ordinary(-2.0, 2.0);
  const auto kernel = compile(program);
  std::vector<double> out(kernel.outputs());
  std::vector<double> work(kernel.work_size());
  for (int sample = 0; sample < 500; ++sample) {
    const std::vector<double> at{ordinary(random), ordinary(random), ordinary(random), ordinary(random)};
    kernel(at.data(), &at[3], out.data(), work.data());
    const auto expected = symbolic::evaluate(program.outputs, symbols, at);
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (std::isnan(expected[k])) {
        EXPECT_TRUE(std::isnan(out[k])) << k;
      } else {
        EXPECT_NEAR(out[k], expected[k], 8 * std::numeric_limits<double>::epsilon() * std::abs(expected[k])) << k;
      }
    }
  }
}

TEST(Kernels, GiveTheSameBitsFromSeveralThreadsAtOnce) {
  const auto program = random_program(3, 400, 30);
  const auto kernel = compile(program, {Backend::llvm, native_lanes(), 50});
  std::mt19937_64 random(1);
  std::vector<std::vector<double>> u;
  std::vector<std::vector<double>> p;
  for (std::size_t s = 0; s < 200; ++s) {
    u.push_back(random_inputs(4, s, random));
    p.push_back(random_inputs(2, s, random));
  }
  const auto expected = run(kernel, u, p);
  std::vector<std::vector<std::vector<double>>> results(4);
  {
    std::vector<std::jthread> threads;
    for (auto& result : results) threads.emplace_back([&] { result = run(kernel, u, p); });
  }
  for (const auto& result : results) {
    for (std::size_t s = 0; s < u.size(); ++s) {
      for (std::size_t k = 0; k < expected[s].size(); ++k) ASSERT_TRUE(same(result[s][k], expected[s][k]));
    }
  }
}

TEST(Kernels, CanBeCompiledFromSeveralThreadsAtOnce) {
  std::vector<std::jthread> threads;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    threads.emplace_back([seed] { expect_bitwise_equal(random_program(seed, 60, 5), 8, {7}); });
  }
}

TEST(Kernels, OutliveTheProgramTheyCameFrom) {
  kernel::Kernel kernel;
  {
    auto graph = std::make_shared<symbolic::Graph>();
    const auto x = graph->symbol("x");
    kernel = compile(symbolic::Program{"square", graph, {x}, {}, {x * x}});
  }
  const double u = 3.0;
  double out = 0.0;
  std::vector<double> work(kernel.work_size());
  kernel(&u, nullptr, &out, work.data());
  EXPECT_EQ(out, 9.0);
}

TEST(Compile, KeepsTheOrderOfPrograms) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto x = graph->symbol("x");
  const std::vector<symbolic::Program> programs{{"first", graph, {x}, {}, {x + 1.0}},
                                                {"second", graph, {x}, {}, {x, x}}};
  for (const auto backend : {Backend::interpreter, Backend::llvm}) {
    const auto kernels = compile(programs, {backend, 1, 500});
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0].name(), "first");
    EXPECT_EQ(kernels[1].outputs(), 2U);
  }
}

TEST(Compile, NamesASymbolThatIsNoInput) {
  auto graph = std::make_shared<symbolic::Graph>();
  const symbolic::Program program{"f", graph, {graph->symbol("x")}, {}, {graph->symbol("gamma") * 2.0}};
  try {
    compile(program);
    FAIL() << "a free symbol was accepted";
  } catch (const CompileError& error) {
    EXPECT_NE(std::string(error.what()).find("'gamma'"), std::string::npos) << error.what();
  }
}

TEST(Compile, RefusesLanesThatDoNotExist) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto x = graph->symbol("x");
  const symbolic::Program program{"f", graph, {x}, {}, {x}};
  EXPECT_THROW(compile(program, {Backend::interpreter, 3, 500}), CompileError);
  EXPECT_THROW(compile(program, {Backend::llvm, 16, 500}), CompileError);
  if (native_lanes() < 8) {
    EXPECT_THROW(compile(program, {Backend::llvm, 8, 500}), CompileError);
  }
  EXPECT_THROW(compile(program, {Backend::llvm, 1, 0}), CompileError);
}

TEST(Compile, TakesAProgramWithoutOutputs) {
  auto graph = std::make_shared<symbolic::Graph>();
  const symbolic::Program program{"nothing", graph, {}, {}, {}};
  for (const auto backend : {Backend::interpreter, Backend::llvm}) {
    const auto kernel = compile(program, {backend, 1, 500});
    EXPECT_EQ(kernel.outputs(), 0U);
    kernel(nullptr, nullptr, nullptr, nullptr);
  }
}

}  // namespace herglotz::compile::test
