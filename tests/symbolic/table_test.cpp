#include "herglotz/symbolic/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/magnitude.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::symbolic {
namespace {

double cubic(double t, int order = 0) {
  const double c[] = {0.5 + t * (-1.25 + t * (2.0 - 0.75 * t)), -1.25 + t * (4.0 - 2.25 * t), 4.0 - 4.5 * t, -4.5};
  return c[order];
}

std::string refused(std::vector<double> knots, const std::vector<double>& values) {
  try {
    make_table("u", Interpolation::linear, std::move(knots), values);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

// The third derivative of this spline does not jump at the second and the last but one knot, so that it is every cubic
// polynomial itself [Boo01, Ch. IV].
TEST(Table, SplineReproducesCubicPolynomials) {
  for (const std::size_t n : {4, 5, 9}) {
    std::vector<double> knots;
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
      knots.push_back(-1 + 0.3 * static_cast<double>(i) + 0.05 * static_cast<double>(i * i));
      values.push_back(cubic(knots.back()));
    }
    const Table u = make_table("u", Interpolation::spline, knots, values);
    for (double t = knots.front(); t < knots.back(); t += 0.0137)
      for (int order = 0; order < 4; ++order) EXPECT_NEAR(u(t, order), cubic(t, order), 2e-12) << n << " " << t;
  }
}

TEST(Table, SplineThroughTwoOrThreePoints) {
  const Table line = make_table("u", Interpolation::spline, {1, 3}, {2, 8});
  EXPECT_DOUBLE_EQ(line(2.5), 6.5);
  const Table parabola = make_table("u", Interpolation::spline, {0, 1, 3}, {0, 1, 9});
  EXPECT_DOUBLE_EQ(parabola(2), 4);
  EXPECT_DOUBLE_EQ(parabola(2, 1), 4);
}

// The error of the spline of a smooth function is of order 4 in the distance of the knots.
TEST(Table, SplineHasOrderFour) {
  const auto error = [](int n) {
    std::vector<double> knots;
    std::vector<double> values;
    for (int i = 0; i <= n; ++i) {
      knots.push_back(2 * std::numbers::pi * i / n);
      values.push_back(std::sin(knots.back()));
    }
    const Table u = make_table("u", Interpolation::spline, knots, values);
    double worst = 0;
    for (int k = 0; k < 5000; ++k) worst = std::max(worst, std::abs(u(k * 0.00125) - std::sin(k * 0.00125)));
    return worst;
  };
  const double order = std::log2(error(64) / error(128));
  EXPECT_NEAR(order, 4, 0.15);
}

TEST(Table, LinearAndHeldValues) {
  const Table linear = make_table("u", Interpolation::linear, {0, 1, 4}, {0, 2, -1});
  EXPECT_DOUBLE_EQ(linear(0.25), 0.5);
  EXPECT_DOUBLE_EQ(linear(2), 1);
  EXPECT_DOUBLE_EQ(linear(0.5, 1), 2);
  EXPECT_DOUBLE_EQ(linear(1, 1), -1);  // at a knot: that of the piece after it
  EXPECT_DOUBLE_EQ(linear(4), -1);
  const Table held = make_table("u", Interpolation::hold, {0, 1, 4}, {5, 6, 7});
  EXPECT_EQ(held(0.999), 5);
  EXPECT_EQ(held(1), 6);
  EXPECT_EQ(held(4), 7);
  EXPECT_EQ(held(2, 1), 0);
}

TEST(Table, RefusesBadPoints) {
  EXPECT_EQ(refused({0}, {1}), "a table of fewer than two points; give two or more");
  EXPECT_EQ(refused({0, 1}, {1}), "2 times and 1 values; give a value for each time");
  EXPECT_EQ(refused({0, 1, 1}, {1, 2, 3}),
            "the time of point 3 is not later than that of the point before; sort the points by time, and keep one of "
            "equal times");
  EXPECT_EQ(refused({0, NAN}, {1, 2}), "point 2 is not finite; give numbers");
}

class TabulatedInput : public testing::Test {
 protected:
  Graph graph;
  Expr t = graph.symbol("t");
  Expr x = graph.symbol("x");
  Expr u = graph.tabulated(make_table("u", Interpolation::spline, {0, 1, 2, 3}, {0, 1, 8, 27}), t);  // t^3
  double at(Expr f, double time, double place) const {
    return evaluate(f, std::vector{t, x}, std::vector{time, place});
  }
};

TEST_F(TabulatedInput, HasDerivativesByTheChainRule) {
  const Expr f = x * u * u;
  EXPECT_NEAR(at(derivative(f, t), 1.5, 2), 2 * 6 * std::pow(1.5, 5), 1e-11);
  EXPECT_NEAR(at(gradient(f, std::vector{t}).front(), 1.5, 2), 2 * 6 * std::pow(1.5, 5), 1e-11);
  Expr rate = u;
  for (int k = 0; k < 4; ++k) rate = derivative(rate, t);
  EXPECT_TRUE(rate.is_zero());
  EXPECT_TRUE(derivative(u, x).is_zero());
}

TEST_F(TabulatedInput, IsPrintedAsAFunctionOfTime) {
  const Expr rate = derivative(derivative(u, t), t);
  EXPECT_EQ(print(x * u), "x*u(t)");
  EXPECT_EQ(print(x * rate), "x*u''(t)");
  EXPECT_EQ(print(u, Format::latex), "u(t)");
  EXPECT_EQ(print(rate, Format::latex), "u''(t)");
  EXPECT_EQ(print(u, Format::sympy), "u(t)");
  EXPECT_EQ(print(rate, Format::sympy), "Derivative(u(t), (t, 2))");
  const Expr half = substitute(derivative(u, t), std::vector{t}, std::vector{t + x / 2.0});
  EXPECT_EQ(print(half), "u'(t + x/2)");
  EXPECT_EQ(print(half, Format::sympy), "Subs(Derivative(u(_u), (_u, 1)), _u, t + x/2)");
}

TEST_F(TabulatedInput, IsReadBack) {
  const Scope scope{{"t", t}, {"x", x}, {"u", u}};
  const Expr rate = derivative(u, t);
  EXPECT_EQ(parse(graph, "u", scope), u);
  EXPECT_EQ(parse(graph, "u(t)", scope), u);
  EXPECT_EQ(parse(graph, "x*u'", scope), x * rate);
  EXPECT_EQ(parse(graph, "-u'(t)^2", scope), -(rate * rate));
  const auto refusal = [&](const char* text, const Scope& names) -> std::string {
    try {
      parse(graph, text, names);
    } catch (const ParseError& error) {
      return error.what();
    }
    return "read";
  };
  const auto message = [&](const char* text) { return refusal(text, scope); };
  EXPECT_EQ(message("x*u(x)"), "'u' is a function of time; write u(t)");
  EXPECT_EQ(message("1 - u'''"), "the third derivative of the input 'u' jumps; write u' or u''");
  const Scope jumping{{"w", graph.tabulated(make_table("w", Interpolation::hold, {0, 1}, {1, 2}), t)},
                      {"l", graph.tabulated(make_table("l", Interpolation::linear, {0, 1, 2}, {1, 2, 5}), t)},
                      {"s", graph.tabulated(make_table("s", Interpolation::spline, {0, 1}, {1, 2}), t)}};
  EXPECT_EQ(refusal("s''", jumping), "read") << "the spline through two points is smooth";
  EXPECT_EQ(print(parse(graph, "l'", jumping)), "l'(t)");
  EXPECT_EQ(
      refusal("2*w'", jumping),
      "the input 'w' is held: it jumps at its points, and has no derivative there; set interpolation = \"linear\" or "
      "\"spline\"");
  EXPECT_EQ(refusal("w''(t)", jumping), refusal("w'", jumping));
  EXPECT_EQ(refusal("l''", jumping),
            "the input 'l' is linear between its points: l' jumps at them, and has no derivative there; set "
            "interpolation = \"spline\"");
  EXPECT_EQ(message("x'"), "unexpected character '''; a velocity has a name of its own, such as vx");
}

TEST_F(TabulatedInput, SimplifiesAsAnAtom) {
  EXPECT_EQ(simplify(x * u - u * x + pow(u, 2) / u), u);
  EXPECT_EQ(print(simplify((u + x) * (u - x) + x * x)), "u(t)^2");
  EXPECT_GE(at(magnitude(u - 8.0), 2, 0), 16);
}

TEST_F(TabulatedInput, IsWrittenInCWithItsTable) {
  const auto shared = std::shared_ptr<Graph>(&graph, [](Graph*) {});
  const std::string text = print_c_function({"force", shared, {t, x}, {}, {x * u + derivative(u, t)}});
  EXPECT_NE(text.find("static const double table_u_0[3] = {0, 1, 2};"), std::string::npos) << text;
  EXPECT_NE(text.find("static double at_u(double x)"), std::string::npos) << text;
  EXPECT_NE(text.find("u[1]*at_u(u[0]) + at_u_d1(u[0])"), std::string::npos) << text;
}

TEST_F(TabulatedInput, NamesAreTakenOnce) {
  EXPECT_THROW(graph.tabulated(make_table("u", Interpolation::hold, {0, 1}, {1, 2}), t), std::invalid_argument);
}

}  // namespace
}  // namespace herglotz::symbolic
