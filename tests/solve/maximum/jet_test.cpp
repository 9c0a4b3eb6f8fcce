// Ranges of functions and of their derivatives on boxes, by interval arithmetic [Moo66].

#include "maximum/jet.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "maximum/control_functions.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve;
using symbolic::Expr;

constexpr double c = 0.7;

/// Functions of u and w with a parameter c.
class Jets : public ::testing::Test {
 protected:
  Expr parse(const std::string& text) { return symbolic::parse(graph_, text, {{"u", u_}, {"w", w_}, {"c", c_}}); }

  /// Returns the jet of a function on a box.
  Jet on(const std::string& text, const std::vector<Range>& box, Terms terms = Terms::all) {
    ControlFunctions functions(std::vector{parse(text)}, std::vector{u_, w_}, terms);
    const auto& constants = functions.coefficients();
    const auto values = symbolic::evaluate(constants, std::vector{c_}, std::vector{c});
    return functions.enclose(values, box).front();
  }

  symbolic::Graph graph_;
  Expr u_ = graph_.symbol("u");
  Expr w_ = graph_.symbol("w");
  Expr c_ = graph_.symbol("c");
};

void expect_in(Range range, double value, const std::string& what) {
  const double rounding = 1e-12 * (1 + std::abs(value));
  EXPECT_GE(value, range.low - rounding) << what;
  EXPECT_LE(value, range.high + rounding) << what;
}

}  // namespace

TEST_F(Jets, HoldValuesAndDerivativesAtEveryPointOfABox) {
  const std::vector<std::string> functions{"c*u + 2*w - u*w",
                                           "u^2*w - w^3 + u^4",
                                           "exp(u - w)*c",
                                           "log(3 + u + w)",
                                           "sin(2*u)*cos(w)",
                                           "tan(u/3)*w",
                                           "asin(u/4) - acos(w/4)",
                                           "atan(u*w)",
                                           "sinh(u) - cosh(w) + tanh(u*w)",
                                           "u*exp(u)*w",
                                           "sin(2*u)*cos(u + w)",
                                           "abs(u - w/2)",
                                           "max(u, w^2)",
                                           "min(2*u, c - w)",
                                           "if(u > w, sin(u), c*w^2)",
                                           "1/(u - 5) + 1/(u^2 + 1)",
                                           "sqrt(4 + u*w)",
                                           "(3 + u)^w",
                                           "(2 + u)^1.5",
                                           "sign(u - c)*w",
                                           "floor(2*u)",
                                           "atan2(u, w + 4)",
                                           "u^(-2)",
                                           "w^(-3)"};
  const std::vector<std::array<double, 4>> boxes{{-1, 1.5, -1.2, 0.4}, {0.2, 0.3, 0.9, 1.3}, {-0.5, -0.4, 0.1, 0.1}};
  const std::vector<Expr> symbols{u_, w_, c_};
  for (const std::string& text : functions) {
    const Expr f = parse(text);
    const std::vector<Expr> outputs{f,
                                    symbolic::derivative(f, u_),
                                    symbolic::derivative(f, w_),
                                    symbolic::derivative(symbolic::derivative(f, u_), u_),
                                    symbolic::derivative(symbolic::derivative(f, w_), u_),
                                    symbolic::derivative(symbolic::derivative(f, w_), w_)};
    symbolic::Evaluation evaluation(outputs, symbols);
    for (const auto& box : boxes) {
      const Jet jet = on(text, {{box[0], box[1]}, {box[2], box[3]}});
      for (int i = 0; i <= 7; ++i) {
        for (int j = 0; j <= 7; ++j) {
          const double u = box[0] + (box[1] - box[0]) * (i + 0.013) / 7.03;
          const double w = box[2] + (box[3] - box[2]) * (j + 0.017) / 7.03;
          const auto values = evaluation(std::vector{u, w, c});
          const std::string where = text + " at " + std::to_string(u) + ", " + std::to_string(w);
          expect_in(jet.value, values[0], where);
          expect_in(jet.slope[0], values[1], where + ", by u");
          expect_in(jet.slope[1], values[2], where + ", by w");
          expect_in(jet.second[second_place(0, 0)], values[3], where + ", by u twice");
          expect_in(jet.second[second_place(1, 0)], values[4], where + ", by u and w");
          expect_in(jet.second[second_place(1, 1)], values[5], where + ", by w twice");
        }
      }
    }
  }
}

TEST_F(Jets, KnowLinearAndQuadraticFunctionsExactly) {
  const Jet f = on("c*u - 2*w + 3*u^2 + u*w", {{-1, 2}, {0, 1}});
  EXPECT_DOUBLE_EQ(f.slope[0].low, c - 6 + 0);
  EXPECT_DOUBLE_EQ(f.slope[0].high, c + 12 + 1);
  EXPECT_DOUBLE_EQ(f.second[second_place(0, 0)].low, 6);
  EXPECT_DOUBLE_EQ(f.second[second_place(0, 0)].high, 6);
  EXPECT_DOUBLE_EQ(f.second[second_place(1, 0)].low, 1);
  EXPECT_DOUBLE_EQ(f.second[second_place(1, 1)].high, 0);
}

// Kinks of convex functions have slopes between those of both sides, and a second derivative of one sign.
TEST_F(Jets, KnowWhichKinksAreConvex) {
  const std::vector<Range> box{{-1, 2}, {0, 0}};
  for (const auto& [text, low, high] :
       {std::tuple{"abs(u)", -1.0, 1.0}, std::tuple{"max(u, -u/2)", -0.5, 1.0}, std::tuple{"-min(u, -u)", -1.0, 1.0}}) {
    const Jet f = on(text, box);
    EXPECT_DOUBLE_EQ(f.slope[0].low, low) << text;
    EXPECT_DOUBLE_EQ(f.slope[0].high, high) << text;
    EXPECT_EQ(f.second[0].low, 0) << text;
    EXPECT_EQ(f.second[0].high, std::numeric_limits<double>::infinity()) << text;
  }
  EXPECT_LT(on("min(u, -u)", box).second[0].low, -1e300);
  EXPECT_EQ(on("min(u, -u)", box).second[0].high, 0);
}

TEST_F(Jets, ReachToInfinity) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Jet f = on("u^4 - u^2", {{1, infinity}, {0, 0}});
  EXPECT_DOUBLE_EQ(f.second[0].low, 10);
  const Jet g = on("exp(-u)", {{2, infinity}, {0, 0}});
  EXPECT_EQ(g.value.low, 0);
  EXPECT_DOUBLE_EQ(g.value.high, std::exp(-2));
}

TEST_F(Jets, HaveNoValueWhereFunctionsHaveNone) {
  EXPECT_FALSE(on("sqrt(u)", {{-2, -1}, {0, 0}}).defined);
  EXPECT_FALSE(on("w*log(u)", {{-2, 0}, {0, 1}}).defined);
  EXPECT_FALSE(on("asin(u)", {{1.5, 2}, {0, 0}}).defined);
  EXPECT_TRUE(on("sqrt(u)", {{-2, 1}, {0, 0}}).defined);
}

TEST_F(Jets, LeaveOutTermsWithoutControls) {
  EXPECT_DOUBLE_EQ(on("c*(u + exp(c)) + 5", {{1, 1}, {0, 0}}, Terms::of_controls).value.low, c);
  EXPECT_DOUBLE_EQ(on("(u + c)^2", {{1, 1}, {0, 0}}, Terms::of_controls).value.low, (1 + c) * (1 + c));
}

TEST_F(Jets, ControlsAreCoupledThatEnterOneTerm) {
  using Groups = std::vector<std::vector<std::size_t>>;
  const std::vector<Expr> controls{u_, w_, c_};
  const auto groups = [&](const std::string& sum, const std::string& whole) {
    return coupled_controls(std::vector{parse(sum)}, std::vector{parse(whole)}, controls);
  };
  EXPECT_EQ(groups("u^2 + w^2 + 3*(c + u)", "1"), (Groups{{0}, {1}, {2}}));
  EXPECT_EQ(groups("u^2 + c*w", "1"), (Groups{{0}, {1, 2}}));
  EXPECT_EQ(groups("abs(u - c) + w", "1"), (Groups{{0, 2}, {1}}));
  EXPECT_EQ(groups("u + w + c", "u + w"), (Groups{{0, 1}, {2}}));
}

TEST_F(Jets, PeriodsAreReadOffSinesAndCosines) {
  const auto period = [&](const std::string& text) {
    return period_of(std::vector{parse(text)}, u_, std::vector{c_}, std::vector{c});
  };
  EXPECT_DOUBLE_EQ(period("w*cos(u) + sin(3*u)").value(), 2 * M_PI);
  EXPECT_DOUBLE_EQ(period("sin(c*u + w)^2").value(), 2 * M_PI / c);
  EXPECT_FALSE(period("sin(u) + u").has_value());
  EXPECT_FALSE(period("sin(u) + sin(c*u)").has_value());
  EXPECT_FALSE(period("sin(w*u)").has_value());
  EXPECT_FALSE(period("sin(u^2)").has_value());
}
