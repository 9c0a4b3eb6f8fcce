// The theorems and examples of [GG08] on constraints, on every kind of algebroid, with the Herglotz term and forces.
// Those on variations are in variations/.
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/geometry/axioms.hpp"
#include "herglotz/mechanics/constraint_analysis.hpp"
#include "motion.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using namespace herglotz::mechanics::samples;

class GG08 : public testing::TestWithParam<Kind> {
 protected:
  [[nodiscard]] static System sample() { return generic_system(GetParam().algebroid); }
  std::mt19937_64 engine{19};
};

// [GG08, Thm 5]: the vakonomic equations see L on the constraint only: L + f Phi has the same motions, with nu + f for
// nu.
TEST_P(GG08, Theorem5VakonomicMotionsDependOnTheRestrictionOfTheLagrangian) {
  System one = sample();
  constrain(one, Rule::vakonomic, {solvable_constraint(one)});
  System two = one;
  const auto& e = one.algebroid;
  const Expr f = one.z / 3 + e.y[0] * (e.x.empty() ? one.t : e.x[0]) / 4;
  two.generator += f * one.constraints.equations[0];
  const Flow first(one);
  const Flow second(two);
  const auto f_dot = first.rate({f}).front();
  for (int k = 0; k < 3; ++k) {
    Values v = random_values(first.q.u.size() + 1, engine);
    move_onto(first, v);
    Values shifted = v;
    shifted.back() += first.evaluate({f}, v)[0];
    Values expected = first(v);
    expected.back() += first.evaluate({f_dot}, v)[0];
    const Values found = second(shifted);
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-9 * (1 + std::abs(expected[i]))) << i;
  }
}

// The same change of L does change nonholonomic motions: after Thm 6.
TEST_P(GG08, NonholonomicMotionsDependOnMoreThanTheRestriction) {
  System one = sample();
  constrain(one, Rule::nonholonomic, {solvable_constraint(one)});
  System two = one;
  two.generator += one.z * one.constraints.equations[0] * (1.0 + one.algebroid.y[0]);
  const Flow first(one);
  const Flow second(two);
  Values v = random_values(first.q.u.size() + 1, engine);
  move_onto(first, v);
  double largest = 0;
  const Values a = first(v);
  const Values b = second(v);
  for (std::size_t i = 0; i + 1 < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  EXPECT_GT(largest, 1e-3);
}

// [GG08, Thm 6], in the coordinates of its proof: A is y^0 = 1 (the last one here), v(A) spanned by the others; the
// admissible curve in T v(A)* is dp_b/dt = (c^D_eb y^e + c^D_0b) p_D + sigma L_x [GG08, Eqs. 5.16-5.17], with L_z p and
// forces.
TEST_P(GG08, Theorem6AffineNonholonomicMotionsAreAdmissibleInTheDualOfTheModelBundle) {
  System s = sample();
  const auto& e = s.algebroid;
  const std::size_t last = e.r() - 1;
  constrain(s, Rule::nonholonomic, {e.y[last] - 1.0});
  const Flow flow(s);
  const auto p = symbolic::gradient(s.generator, e.y);
  const auto L_x = symbolic::gradient(s.generator, e.x);
  const auto p_dot = flow.rate(p);
  std::vector<Expr> defect{flow.rate({e.y[last]}).front()};
  for (std::size_t b = 0; b < last; ++b) {
    Expr total = p_dot[b] - derivative(s.generator, s.z) * p[b] - s.forces[b];
    for (std::size_t D = 0; D < e.r(); ++D) {
      for (std::size_t i = 0; i < last; ++i) total -= e.c(D, i, b) * e.y[i] * p[D];
      total -= e.c(D, last, b) * p[D];
    }
    for (std::size_t a = 0; a < e.n(); ++a) total -= e.sigma(a, b) * L_x[a];
    defect.push_back(total);
  }
  for (int k = 0; k < 3; ++k) {
    Values v = random_values(flow.q.u.size() + 1, engine);
    v[s.n() + last] = 1;
    EXPECT_LT(largest_of(flow.evaluate(defect, v)), 1e-10);
  }
}

// [GG08, Thm 7] in the coordinates of its proof, and [GG08, Sec. 5.5]: with A: y^last = 1 the brackets of sections of A
// lie in v(A) exactly where c^last_ib = 0 for b in v(A) and i in the hull of A; only then every vertical variation s is
// tangent to A, and both rules have the same motions for every nu.
TEST_P(GG08, Theorem7AffineConstraintsAreHolonomicExactlyWhereBracketsLieInTheModelBundle) {
  System s = sample();
  const auto& e = s.algebroid;
  const std::size_t last = e.r() - 1;
  for (const double offset : {0.0, 1.0}) {
    std::vector<Expr> components;
    for (std::size_t i = 0; i <= last; ++i)
      for (std::size_t b = 0; b < last; ++b)
        if (i < last || offset != 0) components.push_back(e.c(last, i, b));
    const std::vector<Expr> equations{e.y[last] - offset};
    double largest = 0;
    for (int k = 0; k < 4 && !components.empty(); ++k)
      largest = std::max(largest, largest_of(symbolic::evaluate(components, e.x, random_values(e.n(), engine))));
    constrain(s, Rule::nonholonomic, equations);
    const Flow nonholonomic(s);
    const auto found = analyse_constraints(s, nonholonomic.parameters, Values(s.n() + s.r() + 2, 0.5));
    EXPECT_EQ(found.integrability == Integrability::integrable, largest < 1e-12) << "offset " << offset;
    constrain(s, Rule::vakonomic, equations);
    const Flow vakonomic(s);
    double apart = 0;
    for (int k = 0; k < 4; ++k) {
      Values v = random_values(nonholonomic.q.u.size() + 1, engine);
      v[s.n() + last] = offset;
      const Values a = nonholonomic(v);
      const Values b = vakonomic(v);
      for (std::size_t i = 0; i + 1 < a.size(); ++i) apart = std::max(apart, std::abs(a[i] - b[i]));
    }
    if (found.integrability == Integrability::integrable)
      EXPECT_LT(apart, 1e-10) << "offset " << offset;
    else
      EXPECT_GT(apart, 1e-4) << "offset " << offset;
  }
}

// [GG08, Ex. 2]: a linear constraint spanned by S, with the kinetic energy of the metric g, is free motion on the
// algebroid that S and g give: the same motion y = S^T u and the same constraint forces.
TEST_P(GG08, Example2LinearConstraintsAreFreeMotionOnTheConstrainedAlgebroid) {
  System ambient = make_system(GetParam().algebroid);
  const auto& e = ambient.algebroid;
  const std::size_t r = e.r();
  if (r > 4) return;  // the inverse of the metric gets long
  const Expr shape = e.x.empty() ? ambient.graph().number(0.6) : e.x[0] + e.x.back() / 2;
  symbolic::Matrix metric(r, r, zero(ambient));
  for (std::size_t a = 0; a < r; ++a) {
    metric(a, a) = ambient.graph().number(static_cast<std::int64_t>(a) + 2);
  }
  metric(0, 0) += cos(shape) / 3;
  metric(0, r - 1) = metric(r - 1, 0) = shape / 5;
  if (r > 2) metric(1, 2) = metric(2, 1) = ambient.graph().number(0.5);
  // y^last = g y^0: spanned by e_0 + g e_last, e_1, ..; rank r - 1.
  const Expr slope = sin(shape) + 0.3;
  symbolic::Matrix span(r - 1, r, zero(ambient));
  for (std::size_t b = 0; b + 1 < r; ++b) span(b, b) = ambient.graph().number(std::int64_t{1});
  span(0, r - 1) = slope;
  Expr potential = shape * shape / 3 + ambient.z / 4 + ambient.z * ambient.z / 10 + ambient.t * shape / 6;
  Expr kinetic = zero(ambient);
  const auto lowered = multiply(metric, e.y);
  for (std::size_t a = 0; a < r; ++a) kinetic += e.y[a] * lowered[a] / 2;
  ambient.generator = kinetic - potential;
  constrain(ambient, Rule::nonholonomic, {e.y[r - 1] - slope * e.y[0]});

  const auto u = fresh(ambient, "u_", r - 1);
  const auto y = multiply(transpose(span), u);
  System reduced = make_system(geometry::constrained(e, u, span, metric), "z", "t");
  reduced.generator = symbolic::substitute(ambient.generator, e.y, y);
  const Flow large(ambient);
  const Flow small(reduced);
  const auto y_dot = small.rate(y);
  // W y_dot - b, the force that the constraint exerts, by the motion of the small system.
  std::vector<Expr> force;
  for (std::size_t j = 0; j < r; ++j) {
    Expr total = -large.q.b[j];
    for (std::size_t i = 0; i < r; ++i) total += large.q.W(j, i) * y_dot[i];
    force.push_back(symbolic::substitute(total, e.y, y));
  }
  for (int k = 0; k < 2; ++k) {
    const Values v = random_values(small.q.u.size(), engine);
    const Values there = small.evaluate(y, v);
    Values above(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(e.n()));
    above = joined(joined(above, there), {v[v.size() - 2], v.back(), 0.0});
    Values expected = small.evaluate(joined(small.q.x_dot, y_dot), v);
    expected.push_back(small.evaluate({small.q.L}, v)[0]);
    const Values rates = large(above);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(rates[i], expected[i], 1e-10 * (1 + std::abs(expected[i]))) << i;
    const Values forces = small.evaluate(force, v);
    const Values directions = large.evaluate(large.q.Phi_y.entries, above);
    for (std::size_t j = 0; j < r; ++j) EXPECT_NEAR(forces[j], rates.back() * directions[j], 1e-10) << j;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, GG08, testing::ValuesIn(roomy_algebroids()),
                         [](const auto& given) { return given.param.name; });

// Eqs. 5.10-5.11 where rho != sigma: the right anchor acts on L_x, the left one on x_dot; by hand on the algebroid of
// rank two with c(0,0,1) = 1/2 and so on.
TEST(GG08Equations510And511, HoldOnAGeneralAlgebroidWithTwoAnchors) {
  for (const auto& kind : every_algebroid()) {
    if (kind.name != "general") continue;
    System s = make_system(kind.algebroid);
    const auto& x = s.algebroid.x;
    const auto& y = s.algebroid.y;
    s.generator = (y[0] * y[0] + 3.0 * y[1] * y[1]) / 2 - x[0] * x[1];
    constrain(s, Rule::nonholonomic, {y[0] * y[1] - x[0]});
    const Flow flow(s);
    const double a = 0.4;
    const double b = -0.7;
    const double u = 0.5;
    const double v = 0.8;
    const Values rates = flow({a, b, u, v, 0.0, 0.0, 0.0});
    // x_dot = rho y.
    EXPECT_NEAR(rates[0], u + b / 5 * v, 1e-14);
    EXPECT_NEAR(rates[1], -a / 10 * u + (1 + a * a / 10) * v, 1e-14);
    // c^k_ij y^i p_k with p = (u, 3 v), and sigma L_x with L_x = (-b, -a).
    const double f0 = (u / 5 - 0.3 * v) * u + 0.4 * v * 3 * v + 0.8 * -b + a / 5 * -a;
    const double f1 = (u / 2 + b / 10 * v) * u + (a / 10 * u - v / 10) * 3 * v + 0.3 * -b + 1.2 * -a;
    const double lambda = rates.back();
    EXPECT_NEAR(rates[2], f0 + lambda * v, 1e-13);
    EXPECT_NEAR(3 * rates[3], f1 + lambda * u, 1e-13);
    EXPECT_NEAR(rates[2] * v + u * rates[3] - rates[0], 0, 1e-13);
  }
}

/// The ball of Ex. 4 on a table that turns at the rate Omega; `second` is what y' + r w1 is equal to.
System ball(bool as_printed) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto plane = geometry::tangent(graph, {symbols(*graph, {"x", "y"}), symbols(*graph, {"vx", "vy"})});
  const auto spin = geometry::lie_algebra(graph, {{}, symbols(*graph, {"w1", "w2", "w3"})},
                                          geometry::group_structure(*graph, "so3", 3));
  System s = make_system(geometry::product({plane, spin}));
  const auto& v = s.algebroid.y;
  const auto& x = s.algebroid.x;
  Expr kinetic = v[0] * v[0] + v[1] * v[1];
  for (std::size_t i = 2; i < 5; ++i) kinetic += 0.25 * v[i] * v[i];  // k^2 = 1/4
  s.generator = kinetic;                                              // m = 2
  constrain(s, Rule::nonholonomic,
            {v[0] - 0.5 * v[3] + 1.5 * x[1], v[1] + 0.5 * v[2] - 1.5 * (as_printed ? x[1] : x[0])});
  return s;
}

// [GG08, Ex. 4] with r = 1/2, k^2 = 1/4, Omega = 3/2: x'' = -k^2 Omega/(r^2 + k^2) y', y'' = +.. x'. The second
// constraint is y' + r w1 - Omega x; [GG08] prints Omega y, which does not give the printed equations.
TEST(GG08Example4, RollsAsPrintedForTheTablesVelocityAtTheBall) {
  const Flow flow(ball(false));
  const double x = 0.3;
  const double y = -0.2;
  const double vx = 0.7;
  const double vy = 0.4;
  const Values start{x, y, vx, vy, (1.5 * x - vy) / 0.5, (vx + 1.5 * y) / 0.5, 0.9, 0.0, 0.0, 0.0, 0.0};
  const Values rates = flow(start);
  const double c = 0.25 * 1.5 / 0.5;
  EXPECT_NEAR(rates[2], -c * vy, 1e-14);
  EXPECT_NEAR(rates[3], c * vx, 1e-14);
  // m x'' = mu1, m k^2 w1' = r mu2, m k^2 w2' = -r mu1, w3' = 0.
  EXPECT_NEAR(rates[8], 2 * rates[2], 1e-14);
  EXPECT_NEAR(rates[9], 2 * rates[3], 1e-14);
  EXPECT_NEAR(0.5 * rates[4], 0.5 * rates[9], 1e-14);
  EXPECT_NEAR(0.5 * rates[5], -0.5 * rates[8], 1e-14);
  EXPECT_NEAR(rates[6], 0, 1e-14);
  const Flow printed(ball(true));
  EXPECT_NEAR(printed(start)[3], c * vy, 1e-14);
}

}  // namespace
