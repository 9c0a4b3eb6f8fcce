#include "herglotz/symbolic/evaluate.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {
namespace {

TEST(Evaluation, HasTheBitsOfPlainEvaluationAtEveryPoint) {
  Graph graph;
  const std::array<Expr, 3> symbols{graph.symbol("x"), graph.symbol("y"), graph.symbol("unused")};
  const std::array<Expr, 2> outputs{sin(symbols[0]) * symbols[1] + symbols[0], symbols[1]};
  Evaluation evaluation(outputs, symbols);
  for (const double x : {-2.0, 0.3, 1e10}) {
    const std::array<double, 3> values{x, 0.7 - x, 5.0};
    EXPECT_EQ(evaluation(values), evaluate(outputs, symbols, values));
    EXPECT_EQ(evaluation(values)[0], std::sin(x) * (0.7 - x) + x);
    EXPECT_EQ(evaluation(values)[1], 0.7 - x);
  }
}

TEST(Evaluation, RefusesAMissingSymbolAndAMissingValue) {
  Graph graph;
  const std::array<Expr, 1> outputs{graph.symbol("x") + graph.symbol("y")};
  const std::array<Expr, 1> only{graph.symbol("x")};
  EXPECT_THROW(Evaluation(outputs, only), Refused);
  const std::array<Expr, 2> both{graph.symbol("x"), graph.symbol("y")};
  Evaluation evaluation(outputs, both);
  const std::array<double, 1> short_of_one{1.0};
  EXPECT_THROW(evaluation(short_of_one), Refused);
}

}  // namespace
}  // namespace herglotz::symbolic
