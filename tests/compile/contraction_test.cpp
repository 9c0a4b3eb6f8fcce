#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bitwise.hpp"
#include "herglotz/kernel/adaptive_loop.hpp"
#include "interpreter.hpp"
#include "llvm/machine_code.hpp"
#include "random_program.hpp"
#include "tape/analytic_tape.hpp"
#include "tape/tape.hpp"

namespace herglotz::compile::test {
namespace {

using symbolic::Expr;

/// x, y, z and a parameter p.
struct Symbols {
  std::shared_ptr<symbolic::Graph> graph = std::make_shared<symbolic::Graph>();
  Expr x = graph->symbol("x");
  Expr y = graph->symbol("y");
  Expr z = graph->symbol("z");
  Expr p = graph->symbol("p");

  [[nodiscard]] Tape tape(std::vector<Expr> outputs) const {
    return lower({"f", graph, {x, y, z}, {p}, std::move(outputs)});
  }
};

std::ptrdiff_t count(const Tape& tape, std::initializer_list<Code> codes) {
  return std::count_if(tape.operations.begin(), tape.operations.end(), [&](const Operation& operation) {
    return std::find(codes.begin(), codes.end(), operation.code) != codes.end();
  });
}
std::ptrdiff_t fused(const Tape& tape) {
  return count(tape, {Code::fused_add, Code::fused_subtract, Code::fused_from});
}

double value(const Tape& tape, std::vector<double> u, double p = 0) {
  return run(interpret(tape, 1), {std::move(u)}, {{p}})[0][0];
}

TEST(Contraction, RoundsAProductAndItsSumOnce) {
  const Symbols s;
  const double x = 1 + 0x1p-30;
  // (1 + 2^-30)^2 = 1 + 2^-29 + 2^-60, whose last term no double keeps next to the first.
  const Tape plain = s.tape({s.x * s.y + s.z});
  EXPECT_EQ(value(plain, {x, x, -1 - 0x1p-29}), 0.0);
  EXPECT_EQ(count(contracted(plain), {Code::fused_add}), 1);
  EXPECT_EQ(value(contracted(plain), {x, x, -1 - 0x1p-29}), 0x1p-60);
  EXPECT_EQ(work_of(contracted(plain)), 1U);
}

TEST(Contraction, KnowsOnWhichSideTheProductIs) {
  const auto variables = std::vector<Operation>{
      {Code::variable, {0}, 0}, {Code::variable, {1}, 0}, {Code::variable, {2}, 0}, {Code::multiply, {0, 1}, 0}};
  for (const auto& [last, code, expected] :
       {std::tuple{Operation{Code::subtract, {3, 2}, 0}, Code::fused_subtract, 13.0},
        std::tuple{Operation{Code::subtract, {2, 3}, 0}, Code::fused_from, -13.0},
        std::tuple{Operation{Code::add, {2, 3}, 0}, Code::fused_add, 17.0}}) {
    Tape tape{"f", 3, 1, variables, {4}};
    tape.operations.push_back(last);
    EXPECT_EQ(count(contracted(tape), {code}), 1);
    EXPECT_EQ(value(contracted(tape), {3, 5, 2}), expected);
  }
}

TEST(Contraction, TakesTheSecondOfTwoProducts) {
  const Tape tape{"f",
                  3,
                  1,
                  {{Code::variable, {0}, 0},
                   {Code::variable, {1}, 0},
                   {Code::multiply, {0, 0}, 0},
                   {Code::multiply, {1, 1}, 0},
                   {Code::subtract, {2, 3}, 0}},
                  {4}};
  const auto result = contracted(tape);
  ASSERT_EQ(result.operations.size(), 4U);
  EXPECT_EQ(result.operations[2], (Operation{Code::multiply, {0, 0}, 0}));
  EXPECT_EQ(result.operations[3], (Operation{Code::fused_from, {1, 1, 2}, 0}));
}

TEST(Contraction, LeavesProductsThatSomethingElseNeeds) {
  const Symbols s;
  const auto xy = s.x * s.y;
  EXPECT_EQ(fused(contracted(s.tape({xy + s.z, symbolic::sin(xy)}))), 0);
  EXPECT_EQ(fused(contracted(s.tape({xy + s.z, xy}))), 0);
  EXPECT_EQ(fused(contracted(s.tape({xy + s.z, symbolic::sin(s.x * s.z)}))), 1);
}

TEST(Contraction, LeavesProductsOfParametersAlone) {
  const Symbols s;
  EXPECT_EQ(fused(contracted(s.tape({s.p * s.p + s.z}))), 0);
  EXPECT_EQ(fused(contracted(s.tape({s.p * s.x + s.z}))), 1);
}

TEST(Contraction, DoesNothingTwice) {
  const auto once = contracted(lower(random_program(4, 200, 12)));
  EXPECT_EQ(contracted(once).operations, once.operations);
  EXPECT_EQ(contracted(once).outputs, once.outputs);
}

TEST(Contraction, GivesTheSameBitsInEveryBackEndAtEveryWidth) {
  if (native_lanes() == 1) GTEST_SKIP() << "this machine has no fused multiply-add";
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const auto tape = contracted(lower(random_program(seed, 150, 12)));
    ASSERT_GT(fused(tape), 0);
    std::mt19937_64 random(seed);
    std::vector<std::vector<double>> u;
    std::vector<std::vector<double>> p;
    for (std::size_t s = 0; s < 24; ++s) {
      u.push_back(random_inputs(tape.variables, s, random));
      p.push_back(random_inputs(tape.parameters, s, random));
    }
    const auto expected = run(interpret(tape, 1), u, p);
    for (const int lanes : {1, 4, 8}) {
      if (lanes > native_lanes()) continue;
      for (const std::size_t chunk : {7U, 1000000U}) {
        const auto found = run(generate(std::span(&tape, 1), lanes, chunk).front(), u, p);
        for (std::size_t i = 0; i < u.size(); ++i)
          for (std::size_t k = 0; k < tape.outputs.size(); ++k)
            ASSERT_TRUE(same(expected[i][k], found[i][k])) << "output " << k << " of " << lanes << " lanes";
      }
    }
  }
}

TEST(Contraction, KeepsValuesButForRounding) {
  const Symbols s;
  const auto f = s.x * s.y - s.z * s.z * s.p + (s.x + 2.0) * (s.y + s.p * s.z) - 3.0 * s.x;
  const auto plain = s.tape({f});
  const auto tape = contracted(plain);
  EXPECT_GE(fused(tape), 4);
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> ordinary(-2.0, 2.0);
  for (int sample = 0; sample < 1000; ++sample) {
    const std::vector<double> u{ordinary(random), ordinary(random), ordinary(random)};
    const double p = ordinary(random);
    // Half a unit in the last place of each of some ten numbers up to 24.
    EXPECT_NEAR(value(tape, u, p), value(plain, u, p), 10 * 24 * 0x1p-53);
  }
}

TEST(Contraction, IsNotForTaylorPolynomials) {
  if (native_lanes() == 1) GTEST_SKIP() << "this machine has no fused multiply-add";
  const auto graph = std::make_shared<symbolic::Graph>();
  const auto y = graph->symbol("y");
  const auto t = graph->symbol("t");
  const auto tape = contracted(lower({"f", graph, {y, t}, {}, {y * t + 1.0}}));
  EXPECT_THROW(generate_taylor(analytic(tape), {{0, 1, 1, 1, 1}, false, 0, 0}, 1), CompileError);
}

}  // namespace
}  // namespace herglotz::compile::test
