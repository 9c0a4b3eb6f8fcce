#include "herglotz/geometry/casimirs.hpp"

#include <gtest/gtest.h>

#include "every_algebroid.hpp"
#include "herglotz/symbolic/print.hpp"

namespace {

using namespace herglotz::geometry;
using herglotz::symbolic::print;
using samples::symbols;

struct Found {
  std::shared_ptr<Graph> graph;
  std::vector<QuadraticCasimir> casimirs;
};

/// The Casimirs of a custom algebroid with these base names and this anchor, one row for each fibre coordinate, where
/// the parameter a is 1.
Found casimirs(const std::vector<std::string>& base, const std::vector<std::vector<std::string>>& anchor,
               const std::vector<double>& centre) {
  const auto graph = std::make_shared<Graph>();
  const auto x = symbols(*graph, base);
  std::vector<std::string> fibre;
  for (std::size_t a = 0; a < anchor.size(); ++a) fibre.push_back("y" + std::to_string(a + 1));
  std::vector<Expr> scope = x;
  scope.push_back(graph->symbol("a"));
  const Matrix rho = samples::read_matrix(*graph, anchor, scope);
  const auto e = custom(graph, {x, symbols(*graph, fibre)}, rho, StructureFunctions(anchor.size(), graph->number(0)));
  return {graph, quadratic_casimirs(e, std::vector{scope.back()}, std::vector{1.0}, centre)};
}

std::vector<std::string> forms(const Found& found) {
  std::vector<std::string> all;
  for (const auto& casimir : found.casimirs) all.push_back(print(casimir.form));
  return all;
}

}  // namespace

TEST(QuadraticCasimirs, OfQuaternionsIsTheirNorm) {
  const auto found = casimirs(
      {"q0", "q1", "q2", "q3"},
      {{"-q1/2", "q0/2", "q3/2", "-q2/2"}, {"-q2/2", "-q3/2", "q0/2", "q1/2"}, {"-q3/2", "q2/2", "-q1/2", "q0/2"}},
      {0.8, 0.7, 0, 0});
  ASSERT_EQ(forms(found), std::vector<std::string>{"q0^2 + q1^2 + q2^2 + q3^2"});
  EXPECT_NEAR(found.casimirs.front().value(std::vector{0.8, 0.7, 0.0, 0.0}), 1.13, 1e-15);
  EXPECT_EQ(found.casimirs.front().gradient(std::vector{0.5, -1.0, 2.0, 0.25}), (std::vector<double>{1, -2, 4, 0.5}));
}

TEST(QuadraticCasimirs, OfAFrameAreTheProductsOfItsVectors) {
  // Two vectors turn together about every axis.
  const auto found = casimirs({"a1", "a2", "a3", "b1", "b2", "b3"},
                              {{"0", "-a3", "a2", "0", "-b3", "b2"},
                               {"a3", "0", "-a1", "b3", "0", "-b1"},
                               {"-a2", "a1", "0", "-b2", "b1", "0"}},
                              {1, 0, 0, 0, 1, 0});
  EXPECT_EQ(forms(found),
            (std::vector<std::string>{"a1^2 + a2^2 + a3^2", "a1*b1 + a2*b2 + a3*b3", "b1^2 + b2^2 + b3^2"}));
}

TEST(QuadraticCasimirs, HaveRationalCoefficientsAndHoldForEveryParameter) {
  EXPECT_EQ(forms(casimirs({"x", "y"}, {{"y", "-x/4"}}, {1, 2})), std::vector<std::string>{"x^2/4 + y^2"});
  // a x^2 + y^2 is kept, which is x^2 + y^2 for a = 1 only.
  EXPECT_TRUE(casimirs({"x", "y"}, {{"y", "-a*x"}}, {1, 2}).casimirs.empty());
}

TEST(QuadraticCasimirs, AreNotSoughtWhereLinearFormsOrNothingIsKept) {
  EXPECT_TRUE(casimirs({"x", "y"}, {{"1", "0"}}, {1, 2}).casimirs.empty());  // y and y^2
  EXPECT_TRUE(casimirs({"x", "y"}, {{"1", "1"}}, {1, 2}).casimirs.empty());  // (x - y)^2
  EXPECT_TRUE(casimirs({"x", "y"}, {{"y", "0"}, {"0", "x"}}, {1, 2}).casimirs.empty());
  EXPECT_TRUE(casimirs({"x", "y"}, {{"1", "x"}}, {1, 2}).casimirs.empty());  // x^2 - 2 y is not a quadratic form
  EXPECT_TRUE(casimirs({"x", "y"}, {{"log(x - 100)", "1"}}, {1, 2}).casimirs.empty());  // finite nowhere
}
