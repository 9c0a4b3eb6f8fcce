#include "herglotz/symbolic/factor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "herglotz/symbolic/parser.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::symbolic {
namespace {

struct Example {
  std::string f;
  std::vector<std::string> factors;  ///< in any order, up to a number
};

std::ostream& operator<<(std::ostream& out, const Example& example) {
  return out << example.f;
}

class FactorsOfNumerator : public testing::TestWithParam<Example> {
 protected:
  Expr read(const std::string& text) {
    Scope scope;
    for (const char* name : {"x", "y", "z", "a", "b"}) scope.emplace(name, graph.symbol(name));
    return parse(graph, text, scope);
  }
  Graph graph;
};

TEST_P(FactorsOfNumerator, AreDistinctAndCommonNumbersAreLeftOut) {
  std::vector<Expr> expected;
  for (const auto& factor : GetParam().factors) expected.push_back(factors_of_numerator(read(factor)).front());
  auto found = factors_of_numerator(read(GetParam().f));
  EXPECT_EQ(found.size(), expected.size());
  for (const Expr& factor : expected)
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Expr& other) {
      return expand(other - factor).is_zero() || expand(other + factor).is_zero();
    })) << print(factor);
}

INSTANTIATE_TEST_SUITE_P(
    Examples, FactorsOfNumerator,
    testing::Values(Example{"x^2/2", {"x"}}, Example{"7", {}}, Example{"(a - b)*x*y", {"a - b", "x", "y"}},
                    Example{"x^2 - 2*x*y + y^2", {"x - y"}}, Example{"x^4 - 2*x^2*y^2 + y^4", {"x - y", "x + y"}},
                    Example{"x^3 - x", {"x", "x - 1", "x + 1"}}, Example{"x^2 + 1", {"x^2 + 1"}},
                    Example{"x*z + x*y + z^2 + y*z", {"x + z", "y + z"}},
                    Example{"a*x^2 - (a*b + 1)*x + b", {"a*x - 1", "x - b"}}, Example{"1/x - 1/y", {"y - x"}},
                    Example{"x/(x + y) + y", {"x + x*y + y^2"}}, Example{"(x^2 - y^2)/(x - y)", {"x + y"}},
                    Example{"sin(x)*cos(y) - sin(x)", {"sin(x)", "cos(y) - 1"}},
                    Example{"y*sqrt(x + z) - z*sqrt(x + z)", {"sqrt(x + z)", "y - z"}}));

TEST(Factors, OfZeroIsZero) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const auto factors = factors_of_numerator(x * (x + 1.0) - x * x - x);
  ASSERT_EQ(factors.size(), 1U);
  EXPECT_TRUE(factors.front().is_zero());
}

TEST(Factors, BeyondTheEffortTheExpressionIsItsOnlyFactor) {
  Graph graph;
  Expr f = graph.number(std::int64_t{1});
  for (int i = 0; i < 20; ++i) f *= graph.symbol("x" + std::to_string(i)) + graph.symbol("y" + std::to_string(i)) * f;
  EXPECT_EQ(factors_of_numerator(f), std::vector<Expr>{f});
}

}  // namespace
}  // namespace herglotz::symbolic
