#include "shorten/quotient_ring.hpp"

#include <gtest/gtest.h>

#include "geometry/contact_samples.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "shorten/on_constraint.hpp"
#include "shorten/shortest.hpp"

namespace {

using namespace herglotz;
using mechanics::OnConstraint;
using mechanics::QuotientRing;
using mechanics::shortest;
using symbolic::Expr;

struct Names {
  mutable symbolic::Effort effort;  // without bound
  std::shared_ptr<symbolic::Graph> graph = std::make_shared<symbolic::Graph>();
  std::vector<Expr> all = geometry::samples::symbols(*graph, {"a", "b", "c", "u", "v", "w"});
  Expr read(const std::string& text) const { return geometry::samples::read(*graph, text, all); }
  Expr normal(const std::string& text, const std::vector<std::string>& relations = {},
              QuotientRing::Order order = QuotientRing::Order::sines_first) const {
    std::vector<Expr> zero;
    for (const auto& relation : relations) zero.push_back(read(relation));
    return QuotientRing(*graph, zero, {all[3], all[4], all[5]}, order, effort)(read(text)).value();
  }
};

TEST(QuotientRing, EqualExpressionsHaveOneNormalForm) {
  const Names names;
  const auto equal = [&](const std::string& f, const std::string& g) {
    for (const auto order : {QuotientRing::Order::sines_first, QuotientRing::Order::cosines_first})
      EXPECT_TRUE(names.normal("(" + f + ") - (" + g + ")", {}, order).is_zero()) << f << " and " << g;
  };
  equal("sin(a)^2 + cos(a)^2", "1");
  equal("sin(3*a)", "3*sin(a) - 4*sin(a)^3");
  equal("cos(-2*a)", "1 - 2*sin(a)^2");
  equal("sin(a - 2*b)", "sin(a)*cos(2*b) - cos(a)*sin(2*b)");
  equal("tan(a)*cos(a)", "sin(a)");
  equal("(a^4 - b^4)/(a^2 + b^2)", "a^2 - b^2");
  equal("1/(2*a^2 + 4) - 1/(a^2 + 2)", "-1/(2*(a^2 + 2))");
  equal("1/(a*b^2*(1 + c))", "1/(a*b)*1/(b + b*c)");
  equal("1/(1 + sin(b)^2)", "1/(2 - cos(b)^2)");
  equal("exp(-2*a*b/3)*exp(5*a*b/3)*exp(c)", "exp(4*a*b/3 + c)*exp(-a*b/3)");
  equal("1/(1 + exp(-c))", "exp(c)/(1 + exp(c))");
  equal("sqrt(a + b)^3/(a + b)", "sqrt(a + b)");
  equal("1/sqrt(a)*a", "sqrt(a)");
  EXPECT_FALSE(names.normal("sin(a)^2 - cos(a)^2").is_zero());
}

TEST(QuotientRing, RelationsHoldInIt) {
  const Names names;
  const std::vector<std::string> skate{"u*sin(a) - v*cos(a)"};
  EXPECT_TRUE(names.normal("cos(a)*(u*cos(a) + v*sin(a)) - u", skate).is_zero());
  EXPECT_TRUE(names.normal("u^2*sin(a)^2 - v^2*cos(a)^2", skate).is_zero());
  EXPECT_FALSE(names.normal("u*sin(a)", skate).is_zero());
  EXPECT_TRUE(names.normal("w*u - w*v*b + u*u - u*v*b", {"u - v*b"}).is_zero());
}

TEST(QuotientRing, NormalFormsHaveTheSameValues) {
  const Names names;
  for (const auto* text :
       {"(a + sin(b)*u)^3/(1 + cos(b)^2 + a^2) - exp(c)*u/(a*b)", "sqrt(1 + a^2)*(u - v)^2/(2 + sqrt(1 + a^2))",
        "tan(a)^2*cos(2*a)/(1 + u^2)^2", "a^(3/2)*abs(b - 3)/(1 + exp(u))"}) {
    const Expr f = names.read(text);
    const std::vector<Expr> forms{f, names.normal(text), names.normal(text, {}, QuotientRing::Order::cosines_first),
                                  shortest(f, names.effort)};
    geometry::samples::RandomPoints points(4);
    for (std::size_t k = 1; k < forms.size(); ++k) EXPECT_LT(points.largest({forms[k] - f}), 1e-12) << text;
  }
}

TEST(QuotientRing, WhatIsTooLargeHasNoAnswer) {
  const Names names;
  QuotientRing ring(*names.graph, {}, {}, QuotientRing::Order::sines_first, names.effort);
  EXPECT_FALSE(ring(names.read("(a + b + c + u + v + w)^20")));
  EXPECT_TRUE(ring(names.read("a + b - a"))) << "a refusal leaves the ring as it was";
}

TEST(Shortest, FormIsTheShortestOne) {
  const Names names;
  EXPECT_TRUE(shortest(names.read("(1 + sin(a)^2 + cos(a)^2)/2 - b/(1/c)/b*1/c"), names.effort).is_zero());
  EXPECT_LE(symbolic::printed_size(shortest(names.read("a^2/(a^2 + 2) + 2/(a^2 + 2) + u"), names.effort)), 3U);
}

TEST(Shortest, SpentEffortLeavesExpressionsAsTheyAre) {
  const Names names;
  const Expr f = names.read("(1 + sin(a)^2 + cos(a)^2)/2 - b/(1/c)/b*1/c");
  symbolic::Effort none{0};
  EXPECT_EQ(shortest(f, none), f);
  EXPECT_EQ(symbolic::simplify(f, none), f);
  EXPECT_TRUE(mechanics::is_zero(f, none)) << "judged at points";
  EXPECT_FALSE(mechanics::is_zero(f + names.read("a/1000"), none));
  symbolic::Effort some{2000};
  for (int k = 0; k < 20; ++k) shortest(names.read("(a + b + c + u + v + w)^6"), some);
  EXPECT_TRUE(some.is_spent());
}

TEST(OnConstraint, FunctionsThatVanishThereAreZero) {
  const Names names;
  const OnConstraint skate({names.read("u*sin(a) - v*cos(a)")}, {names.all[3], names.all[4], names.all[5]},
                           names.effort);
  EXPECT_TRUE(skate(names.read("exp(w)*(u*tan(a) - v)")).is_zero());
  EXPECT_TRUE(skate.vanishes(names.read("u^2 - (u*cos(a) + v*sin(a))^2*cos(a)^2")));
  EXPECT_FALSE(skate.vanishes(names.read("u")));
  const OnConstraint cone({names.read("w^2 - u^2 - v^2")}, {names.all[3], names.all[4], names.all[5]}, names.effort);
  EXPECT_TRUE(cone(names.read("sin(b)*(w - u)*(w + u) - v^2*sin(b)")).is_zero());
}

}  // namespace
