#include "herglotz/symbolic/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::symbolic {
namespace {

class GraphTest : public testing::Test {
 protected:
  Expr rational(std::int64_t num, std::int64_t den) { return graph.number(*Rational::make(num, den)); }

  Graph graph;
  Expr x = graph.symbol("x");
  Expr y = graph.symbol("y");
  Expr z = graph.symbol("z");
};

TEST_F(GraphTest, EqualStructuresAreOneNode) {
  EXPECT_EQ(x, graph.symbol("x"));
  EXPECT_EQ(sin(x * y) + z, z + sin(y * x));
  EXPECT_NE(x, y);
}

// Few nodes of a large graph are found by a walk, many by a sweep over all nodes.
TEST_F(GraphTest, ReachableNodesAreListedOperandsFirst) {
  Expr sum = x;
  std::vector<Expr> parts;
  for (int k = 1; k < 400; ++k) parts.push_back(sin(k * x) * y);
  for (const Expr& part : parts) sum += cos(part);
  const std::vector<Expr> few{sin(x * z) + pow(y, 3)};
  const std::vector<Expr> many{sum, few.front()};
  for (const auto& outputs : {few, many}) {
    const auto nodes = graph.reachable(outputs);
    EXPECT_TRUE(std::is_sorted(nodes.begin(), nodes.end()));
    EXPECT_EQ(std::adjacent_find(nodes.begin(), nodes.end()), nodes.end());
    std::set<NodeId> wanted;
    for (const Expr& output : outputs) wanted.insert(output.id());
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
      if (wanted.contains(*node))
        for (const NodeId child : graph.children(*node)) wanted.insert(child);
    EXPECT_EQ(std::vector<NodeId>(wanted.begin(), wanted.end()), nodes);
  }
  EXPECT_LT(graph.reachable(few).size(), 12U);
  EXPECT_GT(graph.reachable(many).size(), 1200U);
}

TEST_F(GraphTest, TheSameCallsGiveTheSameNodesInEveryGraph) {
  const auto build = [](Graph& g) {
    Expr sum = g.number(0);
    for (int i = 0; i < 200; ++i) {
      const Expr a = g.symbol("a" + std::to_string(i % 17));
      sum += pow(a, i % 5) * sin(sum * a) / (1.0 + a * a);
    }
    return sum;
  };
  Graph other;
  Graph again;
  const Expr f = build(other);
  const Expr h = build(again);
  EXPECT_EQ(f.id(), h.id());
  ASSERT_EQ(other.size(), again.size());
  for (NodeId id = 0; id < other.size(); ++id) {
    ASSERT_EQ(other.op(id), again.op(id));
    ASSERT_EQ(std::vector(other.children(id).begin(), other.children(id).end()),
              std::vector(again.children(id).begin(), again.children(id).end()));
  }
}

TEST_F(GraphTest, OperandOrderDoesNotDependOnTheOrderOfCreation) {
  Graph other;
  const Expr c = other.symbol("z");
  const Expr b = other.symbol("y");
  const Expr a = other.symbol("x");
  const Expr f = x + y * z + sin(z);
  const Expr h = sin(c) + c * b + a;
  ASSERT_EQ(f.arity(), h.arity());
  for (std::size_t i = 0; i < f.arity(); ++i) EXPECT_EQ(f.child(i).op(), h.child(i).op());
  EXPECT_EQ(compare(x, sin(y)), compare(a, sin(b)));
  EXPECT_EQ(compare(x, y), -compare(y, x));
  EXPECT_EQ(compare(x, x), 0);
}

TEST_F(GraphTest, LikeTermsCollect) {
  EXPECT_EQ(2.0 * x + 3.0 * x, 5.0 * x);
  EXPECT_TRUE((x - x).is_zero());
  EXPECT_EQ(x * y + 2.0 * (y * x), 3.0 * x * y);
  EXPECT_EQ(x + x / 3.0, rational(4, 3) * x);
  EXPECT_EQ((x + 1.0) + (y - 1.0), x + y);
}

TEST_F(GraphTest, ASharedProductCancelsAgainstItsNegative) {
  const Expr product = x * y;
  const Expr user = sin(product);
  EXPECT_TRUE((product - product).is_zero());
  EXPECT_TRUE((user * product - product * user).is_zero());
  EXPECT_EQ(3.0 * product - product, 2.0 * product);
}

TEST_F(GraphTest, LikePowersCollect) {
  EXPECT_EQ(x * x, pow(x, 2));
  EXPECT_TRUE((x / x).is_one());
  EXPECT_EQ(pow(x, 3) * pow(x, -1), pow(x, 2));
  EXPECT_EQ(sqrt(x) * sqrt(x), x);
  EXPECT_EQ(sqrt(x) * x, pow(x, 1.5));
  EXPECT_EQ(pow(pow(x, y), 3), pow(x, 3.0 * y));
  EXPECT_EQ(pow(2.0 * x * y, 2), 4.0 * pow(x, 2) * pow(y, 2));
}

TEST_F(GraphTest, TheRootOfASquareIsTheAbsoluteValue) {
  EXPECT_EQ(sqrt(x * x), abs(x));
  EXPECT_EQ(sqrt(pow(x, 4)), pow(x, 2));
  EXPECT_EQ(sqrt(pow(x, 6)), pow(abs(x), 3));
  EXPECT_EQ(pow(sqrt(x), 2), x);
  EXPECT_EQ(pow(abs(x), 2), pow(x, 2));
  EXPECT_EQ(sqrt(4.0 * x), 2.0 * sqrt(x));
  EXPECT_EQ(sqrt(-4.0 * x).op(), Op::pow);
}

TEST_F(GraphTest, ZeroAndOneAreNeutral) {
  EXPECT_EQ(x + 0.0, x);
  EXPECT_EQ(1.0 * x, x);
  EXPECT_TRUE((0.0 * x).is_zero());
  EXPECT_TRUE(pow(x, 0).is_one());
  EXPECT_EQ(pow(x, 1), x);
  EXPECT_TRUE(pow(graph.number(1), x).is_one());
}

TEST_F(GraphTest, NumbersFoldExactly) {
  EXPECT_TRUE(pow(graph.number(2), 3).is_integer(8));
  EXPECT_EQ(pow(rational(1, 2), -2), graph.number(4));
  EXPECT_EQ(pow(graph.number(4), 0.5), graph.number(2));
  EXPECT_EQ(pow(rational(8, 27), rational(-2, 3)), rational(9, 4));
  EXPECT_EQ(sqrt(graph.number(2)).op(), Op::pow);
  EXPECT_EQ(sqrt(graph.number(2)) * sqrt(graph.number(2)), graph.number(2));
  EXPECT_EQ(graph.number(0.5), rational(1, 2));
  EXPECT_EQ(sin(graph.number(1)).op(), Op::sin);
}

TEST_F(GraphTest, AnOverflowOfExactNumbersBecomesReal) {
  const Expr large = graph.number(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ((large * large).op(), Op::real);
  EXPECT_DOUBLE_EQ((large * large).value(), std::pow(2.0, 126));
  EXPECT_DOUBLE_EQ((large + large).value(), std::pow(2.0, 64));
}

TEST_F(GraphTest, WhatIsNoRealNumberIsRefused) {
  EXPECT_THROW(x / 0.0, std::invalid_argument);
  EXPECT_THROW(pow(graph.number(0), -0.5), std::invalid_argument);
  EXPECT_THROW(sqrt(graph.number(-1)), std::invalid_argument);
  EXPECT_THROW(graph.number(std::nan("")), std::invalid_argument);
  EXPECT_THROW(graph.real(std::numeric_limits<double>::infinity()), std::invalid_argument);
  EXPECT_THROW(pow(graph.number(10), 400), std::invalid_argument);
  EXPECT_THROW(sin(Expr()), std::invalid_argument);
}

TEST_F(GraphTest, ExpressionsOfTwoGraphsDoNotMix) {
  Graph other;
  EXPECT_THROW(x + other.symbol("x"), std::invalid_argument);
  EXPECT_THROW(pow(x, other.symbol("x")), std::invalid_argument);
}

TEST_F(GraphTest, ParityMovesSignsOutOfFunctions) {
  for (const auto odd : {sin, tan, asin, atan, sinh, tanh}) EXPECT_EQ(odd(-x), -odd(x));
  for (const auto even : {cos, cosh, abs}) EXPECT_EQ(even(-2.0 * x), even(2.0 * x));
  EXPECT_EQ(abs(-3.0 * x), 3.0 * abs(x));
  EXPECT_EQ(sign(-3.0 * x), -sign(x));
  EXPECT_NE(floor(-x), -floor(x));
}

TEST_F(GraphTest, FunctionsAreExactWhereTheirValueIs) {
  const Expr zero = graph.number(0);
  const Expr one = graph.number(1);
  for (const auto f : {sin, tan, asin, atan, sinh, tanh}) EXPECT_TRUE(f(zero).is_zero());
  for (const auto f : {exp, cos, cosh}) EXPECT_TRUE(f(zero).is_one());
  EXPECT_TRUE(log(one).is_zero());
  EXPECT_TRUE(floor(graph.number(-0.5)) == -one);
  EXPECT_TRUE(floor(graph.number(0.5)).is_zero());
  EXPECT_TRUE(floor(one).is_one());
  EXPECT_TRUE(acos(one).is_zero());
  EXPECT_EQ(log(exp(x)), x);
  EXPECT_EQ(select(one, zero, x, y), x);
  EXPECT_EQ(select(x, x, y, z), z);
  EXPECT_EQ(select(x, y, z, z), z);
}

TEST_F(GraphTest, ANumberIsNotDistributedOverASum) {
  const Expr f = 2.0 * (x + y);
  EXPECT_EQ(f.op(), Op::mul);
  EXPECT_EQ((z - (x + y)).arity(), 2U);
}

TEST_F(GraphTest, OnlyUnsharedSumsFlatten) {
  EXPECT_EQ(((x + y) + z).arity(), 3U);
  const Expr shared = x * x + y;
  const Expr user = sin(shared);
  EXPECT_EQ((shared + z).arity(), 2U);
  EXPECT_TRUE(depends_on(user, x));
}

TEST_F(GraphTest, ALetIsOpaqueToSimplificationAndTransparentToValueAndDerivative) {
  const Expr a = graph.let("a", x + y);
  EXPECT_EQ(a.name(), "a");
  EXPECT_EQ((a - x).arity(), 2U);
  EXPECT_EQ(derivative(a * a, x), 2.0 * a);
  const std::array symbols{x, y};
  const std::array values{2.0, 3.0};
  EXPECT_EQ(evaluate(a * a, symbols, values), 25.0);
  EXPECT_EQ(expand_lets(z * sin(a)), z * sin(x + y));
  EXPECT_EQ(graph.let("a", x + y), a);
  EXPECT_THROW(graph.let("a", x), std::invalid_argument);
}

TEST_F(GraphTest, SubstitutionReplacesAllAtOnce) {
  const std::array from{x, y};
  const std::array to{y, x};
  EXPECT_EQ(substitute(x - 2.0 * sin(y), from, to), y - 2.0 * sin(x));
  const std::array part{sin(x)};
  const std::array by{z};
  EXPECT_EQ(substitute(pow(sin(x), 2) + cos(x), part, by), pow(z, 2) + cos(x));
}

TEST_F(GraphTest, FreeSymbolsAreListedOnceInOrderOfCreation) {
  const std::array f{sin(z) * x, x + 1.0};
  const auto symbols = free_symbols(f);
  ASSERT_EQ(symbols.size(), 2U);
  EXPECT_EQ(symbols[0], x);
  EXPECT_EQ(symbols[1], z);
}

TEST_F(GraphTest, AChainDeeperThanTheStackIsHandled) {
  Expr f = x;
  for (int i = 0; i < 300'000; ++i) f = sin(f);
  const std::array symbols{x, y};
  const std::array values{0.0, 1.0};
  EXPECT_EQ(evaluate(f, symbols, values), 0.0);
  EXPECT_NE(compare(f, sin(f)), 0);
  EXPECT_TRUE(depends_on(f, x));
  EXPECT_EQ(evaluate(derivative(f, x), symbols, values), 1.0);
  EXPECT_EQ(evaluate(gradient(f, symbols)[0], symbols, values), 1.0);
  EXPECT_FALSE(depends_on(substitute(f, std::array{x}, std::array{y}), x));
}

}  // namespace
}  // namespace herglotz::symbolic
