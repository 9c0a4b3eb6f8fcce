// Copies of expressions in another graph are the same expressions node by node.

#include "herglotz/symbolic/copy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/print.hpp"
#include "random_expression.hpp"

namespace herglotz::symbolic {
namespace {

TEST(Copies, HaveTheTextTheSizeAndTheValuesOfTheirOriginals) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::optional<Graph> graph(std::in_place);
    RandomExpression random(*graph, seed);
    std::vector<Expr> outputs{random(5), random(4)};
    outputs.push_back(derivative(outputs[0], random.symbols[0]));
    outputs.push_back(graph->let("named", outputs[1] + outputs[2]));
    std::vector<std::string> texts;
    for (const Expr f : outputs) texts.push_back(print(f));
    const std::size_t nodes = graph->reachable(outputs).size();
    const auto point = random.point();
    const auto values = evaluate(outputs, random.symbols, point);
    std::vector<Expr> all = random.symbols;
    all.insert(all.end(), outputs.begin(), outputs.end());

    Graph other;
    const Copies copies(all, other);
    for (Expr& f : all) f = copies(f);
    graph.reset();
    const std::vector<Expr> symbols(all.begin(), all.begin() + 4);
    outputs.assign(all.begin() + 4, all.end());
    for (std::size_t k = 0; k < outputs.size(); ++k) EXPECT_EQ(print(outputs[k]), texts[k]) << seed;
    EXPECT_EQ(other.reachable(outputs).size(), nodes) << seed;
    EXPECT_EQ(evaluate(outputs, symbols, point), values) << seed;
  }
}

// x + y is one operand where it was shared before, and three terms where it was not.
TEST(Copies, KeepSumsNestedAsTheyAre) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr y = graph.symbol("y");
  const Expr z = graph.symbol("z");
  const Expr flat = (x + y) + z;
  const Expr nested = graph.share(x * y + sin(y)) + z;
  ASSERT_EQ(flat.arity(), 3U);
  ASSERT_EQ(nested.arity(), 2U);
  Graph other;
  const std::array outputs{nested, flat};
  const Copies copies(outputs, other);
  EXPECT_EQ(copies(nested).arity(), 2U);
  EXPECT_EQ(copies(flat).arity(), 3U);
}

TEST(Copies, HaveTheTablesOfTheGraph) {
  Graph graph;
  const Expr t = graph.symbol("t");
  graph.tabulated(make_table("w", Interpolation::linear, {0, 1}, {3, 4}), t);
  const Expr u = graph.tabulated(make_table("u", Interpolation::linear, {0, 1, 2}, {0, 5, 6}), t);
  const Expr slope = derivative(u, t);
  Graph other;
  const std::array outputs{u, slope};
  const Copies copies(outputs, other);
  const std::array both{copies(u), copies(slope)};
  const std::array symbols{copies(t)};
  EXPECT_EQ(evaluate(both, symbols, std::array{0.5}), (std::vector{2.5, 5.0}));
  EXPECT_EQ(evaluate(both, symbols, std::array{1.5}), (std::vector{5.5, 1.0}));
}

TEST(Copies, RefuseExpressionsOfOtherGraphs) {
  Graph graph;
  Graph second;
  Graph other;
  const std::array mixed{graph.symbol("x"), second.symbol("y")};
  EXPECT_THROW(Copies(mixed, other), Refused);
  const std::array outputs{graph.symbol("x")};
  const Copies copies(outputs, other);
  EXPECT_THROW((void)copies(second.symbol("x")), Refused);
  EXPECT_THROW((void)copies(graph.symbol("y")), Refused);
  EXPECT_THROW((void)copies(Expr()), Refused);
}

}  // namespace
}  // namespace herglotz::symbolic
