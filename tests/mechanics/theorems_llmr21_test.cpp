// The theorems of [LLMR21] on every kind of algebroid. E_F stands for its Euler-Lagrange operator
//   (E_F)_j = sigma^a_j F_x^a + c^k_ij y^i F_y^k - d/dt F_y^j.
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/mechanics/extended_multiplier.hpp"
#include "motion.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using namespace herglotz::mechanics::samples;

/// (x, z, w, z_dot = L, W, t, l) of the extended system from (x, w, z, t) of the given one.
Values extended_point(const Flow& given, const Values& u, const Values& multipliers) {
  const auto n = static_cast<std::ptrdiff_t>(given.system.n());
  const auto r = static_cast<std::ptrdiff_t>(given.system.r());
  Values v(u.begin(), u.begin() + n);
  v.push_back(u[static_cast<std::size_t>(n + r)]);
  v.insert(v.end(), u.begin() + n, u.begin() + n + r);
  v.push_back(given.evaluate({given.q.L}, joined(u, Values(given.q.m(), 0.0)))[0]);
  v.push_back(0.37);
  v.push_back(u[static_cast<std::size_t>(n + r + 1)]);
  return joined(v, multipliers);
}

/// (x_dot, w_dot, z_dot) of the given system as the extended one has them.
Values given_rates(const Flow& given, const Values& extended_rates) {
  const auto n = static_cast<std::ptrdiff_t>(given.system.n());
  const auto r = static_cast<std::ptrdiff_t>(given.system.r());
  Values rates(extended_rates.begin(), extended_rates.begin() + n);
  rates.insert(rates.end(), extended_rates.begin() + n + 1, extended_rates.begin() + n + 1 + r);
  rates.push_back(extended_rates[static_cast<std::size_t>(n)]);
  return rates;
}

/// The last `count` of the rates: the multipliers, or their rates.
Values last(const Values& rates, std::size_t count) {
  return {rates.end() - static_cast<std::ptrdiff_t>(count), rates.end()};
}

void expect_near(const Values& found, const Values& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << what << ", component " << i;
}

class LLMR21 : public testing::TestWithParam<Kind> {
 protected:
  [[nodiscard]] static System sample() { return generic_system(GetParam().algebroid); }
  [[nodiscard]] static System constrained_sample(Rule rule, bool with_action) {
    System s = sample();
    constrain(s, rule, generic_constraints(s, with_action));
    return s;
  }
  std::mt19937_64 engine{11};
};

TEST_P(LLMR21, Theorem1HerglotzEquationsAreNonholonomicWithTheConstraintZDotIsL) {
  const Flow herglotz(sample());
  const Flow extended(with_action_as_coordinate(herglotz.system, Rule::nonholonomic));
  for (int k = 0; k < 3; ++k) {
    const Values u = random_values(herglotz.q.u.size(), engine);
    const Values rates = extended(extended_point(herglotz, u, {0.0}));
    expect_near(given_rates(herglotz, rates), herglotz(u), 1e-10, "rates");
    // The multiplier of the force lambda d(z_dot - L)/dy; [LLMR21, Sec. 3.1] has it on the other side, as +L_z.
    EXPECT_NEAR(rates.back(), -herglotz.evaluate({herglotz.q.L_z}, u)[0], 1e-12);
  }
}

TEST_P(LLMR21, Theorem2HerglotzEquationsAreVakonomicWithTheConstraintZDotIsL) {
  const Flow herglotz(sample());
  const Flow extended(with_action_as_coordinate(herglotz.system, Rule::vakonomic));
  for (const double mu_0 : {0.0, 1.7, -0.4, -2.5}) {
    const Values u = random_values(herglotz.q.u.size(), engine);
    const Values rates = extended(extended_point(herglotz, u, {mu_0}));
    expect_near(given_rates(herglotz, rates), herglotz(u), 1e-9, "rates");
    // [LLMR21, Eq. 22] prints +(1 + mu) L_z, from E_{mu psi} = +mu_dot psi_v + ..; the product rule gives -mu_dot
    // psi_v.
    EXPECT_NEAR(rates.back(), -(1 + mu_0) * herglotz.evaluate({herglotz.q.L_z}, u)[0], 1e-11);
  }
}

// Also Sec. 4.4: constraints that depend on z give the same equations.
TEST_P(LLMR21, Theorem3NonholonomicConstraintsActBesideZDotIsL) {
  for (const bool with_action : {false, true}) {
    const Flow reduced(constrained_sample(Rule::nonholonomic, with_action));
    const Flow extended(with_action_as_coordinate(reduced.system, Rule::nonholonomic));
    const std::size_t m = reduced.q.m();
    for (int k = 0; k < 3; ++k) {
      const Values u = random_values(reduced.q.u.size(), engine);
      const Values rates = reduced(joined(u, Values(m, 0.0)));
      const Values there = extended(extended_point(reduced, u, Values(m + 1, 0.0)));
      expect_near(given_rates(reduced, there), Values(rates.begin(), rates.end() - static_cast<std::ptrdiff_t>(m)),
                  1e-9, "rates");
      expect_near(last(there, m), last(rates, m), 1e-9, "lambda");
    }
  }
}

// E_L = -L_z L_y + lambda Phi_y with the paper's lambda, the opposite of ours, written out from L itself.
TEST_P(LLMR21, Theorem3EquationInCoordinates) {
  System s = constrained_sample(Rule::nonholonomic, true);
  s.forces.assign(s.r(), s.graph().number(std::int64_t{0}));
  const Flow flow(s);
  const auto& e = s.algebroid;
  const auto L_y = symbolic::gradient(s.generator, e.y);
  const auto L_x = symbolic::gradient(s.generator, e.x);
  const auto L_y_dot = flow.rate(L_y);
  const Expr L_z = derivative(s.generator, s.z);
  std::vector<Expr> defect;
  for (std::size_t j = 0; j < s.r(); ++j) {
    Expr total = L_z * L_y[j] - L_y_dot[j];
    for (std::size_t a = 0; a < s.n(); ++a) total += e.sigma(a, j) * L_x[a];
    for (std::size_t k = 0; k < s.r(); ++k)
      for (std::size_t i = 0; i < s.r(); ++i) total += e.c(k, i, j) * e.y[i] * L_y[k];
    for (std::size_t A = 0; A < flow.q.m(); ++A) total += flow.ell[A] * derivative(s.constraints.equations[A], e.y[j]);
    defect.push_back(total);
  }
  const Values v = random_values(flow.q.u.size() + flow.q.m(), engine);
  expect_near(flow.evaluate(defect, v), Values(s.r(), 0.0), 1e-10, "equation");
}

// After [LLMR21, Eq. 26]: with the paper's lambda of Thm 3 dE/dt = L_z E - lambda Phi_y y; printed with +.
TEST_P(LLMR21, EnergyLawHasThePowerOfTheConstraintForcesWithTheMinusSign) {
  System s = constrained_sample(Rule::nonholonomic, true);
  s.forces.assign(s.r(), s.graph().number(std::int64_t{0}));
  const auto& e = s.algebroid;
  if (e.kind == "custom") return;  // the energy of a general algebroid has a further source, [ASC25, Prop. 4.1]
  s.generator = symbolic::substitute(s.generator, std::vector<Expr>{s.t}, std::vector<Expr>{s.graph().number(0.3)});
  const Flow flow(s);
  Expr power = s.graph().number(std::int64_t{0});
  for (std::size_t A = 0; A < flow.q.m(); ++A)
    for (std::size_t j = 0; j < s.r(); ++j)
      power += -flow.ell[A] * derivative(s.constraints.equations[A], e.y[j]) * e.y[j];
  const Values v = random_values(flow.q.u.size() + flow.q.m(), engine);
  const auto E_dot = flow.rate({flow.q.energy}).front();
  const Values found = flow.evaluate({E_dot - flow.q.L_z * flow.q.energy, power}, v);
  EXPECT_NEAR(found[0], -found[1], 1e-10 * (1 + std::abs(found[1])));
  EXPECT_GT(std::abs(found[1]), 1e-4);
}

/// (E_F)_j along the flow, plus d/dt of multipliers and R inside F as given by `along` and `speed`.
std::vector<Expr> euler_lagrange_operator(const System& s, Expr F, const std::vector<Expr>& along,
                                          const std::vector<Expr>& speed) {
  const auto& e = s.algebroid;
  const auto F_y = symbolic::gradient(F, e.y);
  const auto F_x = symbolic::gradient(F, e.x);
  const auto F_y_dot = symbolic::directional_derivative(F_y, along, speed);
  std::vector<Expr> operator_;
  for (std::size_t j = 0; j < s.r(); ++j) {
    Expr total = -F_y_dot[j];
    for (std::size_t a = 0; a < s.n(); ++a) total += e.sigma(a, j) * F_x[a];
    for (std::size_t k = 0; k < s.r(); ++k)
      for (std::size_t i = 0; i < s.r(); ++i) total += e.c(k, i, j) * e.y[i] * F_y[k];
    operator_.push_back(total);
  }
  return operator_;
}

// Derived: E_L = -L_z L_y + A^-1 exp(+int L_z) E_{mu Phi}, where mu = nu (1 + mu_0) and 1 + mu_0 = A exp(-int L_z).
// [LLMR21, Thm 4] prints +L_z L_y, which for mu = 0 contradicts its own Herglotz equation (13), and exp(-int L_z),
// which follows from E_{f L} = f E_L + f' L_v; by (6) the sign of f' is minus.
TEST_P(LLMR21, Theorem4VakonomicEquationWithTheSignsThatFollowFromTheProductRule) {
  System s = constrained_sample(Rule::vakonomic, false);
  s.forces.assign(s.r(), s.graph().number(std::int64_t{0}));
  const Flow flow(s);
  const Expr R = s.graph().symbol("R");
  const Expr L_z = derivative(s.generator, s.z);
  auto along = flow.along;
  auto speed = flow.speed;
  along.push_back(R);
  speed.push_back(-R * L_z);
  Expr mu_Phi = s.graph().number(std::int64_t{0});
  for (std::size_t A = 0; A < flow.q.m(); ++A) mu_Phi += R * flow.q.l[A] * s.constraints.equations[A];
  const auto E_L = euler_lagrange_operator(s, s.generator, along, speed);
  const auto E_mu = euler_lagrange_operator(s, mu_Phi, along, speed);
  const auto L_y = symbolic::gradient(s.generator, s.algebroid.y);
  std::vector<Expr> defect;
  std::vector<Expr> printed;
  for (std::size_t j = 0; j < s.r(); ++j) {
    defect.push_back(E_L[j] + L_z * L_y[j] - E_mu[j] / R);
    printed.push_back(E_L[j] - L_z * L_y[j] - E_mu[j] / R);
  }
  const auto names = joined(flow.names, {R});
  for (const double A : {1.0, 0.4, -1.3}) {
    const Values v = joined(joined(random_values(flow.q.u.size() + flow.q.m(), engine), flow.parameters), Values{A});
    expect_near(symbolic::evaluate(defect, names, v), Values(s.r(), 0.0), 1e-9, "derived");
    double largest = 0;
    for (const double value : symbolic::evaluate(printed, names, v)) largest = std::max(largest, std::abs(value));
    EXPECT_GT(largest, 1e-2);
  }
}

// [LLMR21, Sec. 5.4]: E_{L - nu Phi} = (-L_z + nu Phi_z) d_y (L - nu Phi), also with Phi_z.
TEST_P(LLMR21, ReducedVakonomicEquation) {
  for (const bool with_action : {false, true}) {
    System s = constrained_sample(Rule::vakonomic, with_action);
    s.forces.assign(s.r(), s.graph().number(std::int64_t{0}));
    const Flow flow(s);
    Expr Lambda = s.generator;
    for (std::size_t A = 0; A < flow.q.m(); ++A) Lambda -= flow.q.l[A] * s.constraints.equations[A];
    auto defect = euler_lagrange_operator(s, Lambda, flow.along, flow.speed);
    const auto Lambda_y = symbolic::gradient(Lambda, s.algebroid.y);
    for (std::size_t j = 0; j < s.r(); ++j) defect[j] += derivative(Lambda, s.z) * Lambda_y[j];
    const Values v = random_values(flow.q.u.size() + flow.q.m(), engine);
    expect_near(flow.evaluate(defect, v), Values(s.r(), 0.0), 1e-9, "equation");
  }
}

// [LLMR21, Secs. 5.3-5.4] re-derived, with forces: the unreduced field is the reduced one with nu = mu/(1 + mu_0).
TEST_P(LLMR21, UnreducedVakonomicFieldProjectsToTheReducedOne) {
  for (const bool with_action : {false, true}) {
    const Flow reduced(constrained_sample(Rule::vakonomic, with_action));
    const Flow extended(with_action_as_coordinate(reduced.system, Rule::vakonomic));
    const std::size_t m = reduced.q.m();
    for (const double R : {1.0, 0.3, 2.6, -1.4}) {
      const Values u = random_values(reduced.q.u.size(), engine);
      const Values nu = random_values(m, engine);
      Values mu{R - 1};
      for (const double value : nu) mu.push_back(R * value);
      const Values there = extended(extended_point(reduced, u, mu));
      const Values rates = reduced(joined(u, nu));
      expect_near(given_rates(reduced, there), Values(rates.begin(), rates.end() - static_cast<std::ptrdiff_t>(m)),
                  1e-8, "rates");
      const Values mu_dot = last(there, m + 1);
      // L_z of the equations is that of L - nu Phi.
      EXPECT_NEAR(mu_dot[0], -R * reduced.evaluate({reduced.q.L_z}, joined(u, nu))[0], 1e-8);
      Values nu_dot;
      for (std::size_t A = 0; A < m; ++A) nu_dot.push_back((mu_dot[A + 1] - nu[A] * mu_dot[0]) / R);
      expect_near(nu_dot, last(rates, m), 1e-8, "nu_dot");
    }
  }
}

/// One of each builder, and two groups.
std::vector<Kind> kinds() {
  auto list = roomy_algebroids();
  std::erase_if(list, [](const Kind& kind) {
    return kind.algebroid.kind == "lie-algebra" && kind.name != "so3" && kind.name != "se2";
  });
  return list;
}

INSTANTIATE_TEST_SUITE_P(Kinds, LLMR21, testing::ValuesIn(kinds()), [](const auto& given) { return given.param.name; });

/// A skate with a constraint that depends on the action, and drag.
System skate(Rule rule) {
  auto graph = std::make_shared<symbolic::Graph>();
  System s =
      make_system(geometry::tangent(graph, {symbols(*graph, {"x", "y", "th"}), symbols(*graph, {"vx", "vy", "w"})}));
  const auto& x = s.algebroid.x;
  const auto& y = s.algebroid.y;
  s.generator = (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] / 2) / 2 + x[0] / 3 - s.z / 4 - s.z * s.z / 10;
  s.forces[2] = -y[2] / 10;
  constrain(s, rule, {y[0] * sin(x[2]) - y[1] * cos(x[2]) + (s.z - 0.1) / 5});
  return s;
}

// A velocity-free equation enters by phi_x rho y + phi_z L, not by phi_x rho y + phi_z z_dot.
TEST(UnreducedVakonomicMotion, HasVelocityFreeEquationsByTheirDerivative) {
  for (const Rule rule : {Rule::nonholonomic, Rule::vakonomic}) {
    System s = skate(rule);
    constrain(s, rule, {s.algebroid.x[0] * s.algebroid.x[1] + s.z * s.z - 0.2});
    const Flow reduced(s);
    const Flow extended(with_action_as_coordinate(s, rule));
    const Values u{0.2, 0.5, 0.3, 0.9, 0.4, 0.7, 0.1, 0.0};
    const double R = 1.8;
    const double nu = 0.35;
    const Values rates = reduced(joined(u, {nu}));
    const Values there = extended(extended_point(reduced, u, {R - 1, R * nu}));
    expect_near(given_rates(reduced, there), Values(rates.begin(), rates.end() - 1), 1e-11, "rates");
    const bool vakonomic = rule == Rule::vakonomic;
    EXPECT_NEAR(rates.back(), vakonomic ? (there[10] - nu * there[9]) / R : there[10], 1e-11);
  }
}

TEST(UnreducedVakonomicMotion, IsTheReducedMotionForEveryA) {
  const Flow reduced(skate(Rule::vakonomic));
  const Flow extended(with_action_as_coordinate(reduced.system, Rule::vakonomic));
  const Values start{0.2, -0.1, 0.0, 0.9, 0.0, 0.7, 0.1, 0.0};
  const double nu = 0.35;
  const auto end =
      advance([&](const Values& v) { return derivative_of_state(reduced, v); }, joined(start, {nu}), 2, 400);
  for (const double A : {1.0, 3.1, -0.8}) {
    const auto there = advance([&](const Values& v) { return derivative_of_state(extended, v); },
                               extended_point(reduced, start, {A - 1, A * nu}), 2, 400);
    const Values same{
        there[0], there[1], there[2], there[4], there[5], there[6], there[3], there[9], there[11] / (1 + there[10])};
    expect_near(same, end, 1e-9, "A = " + std::to_string(A));
    // The constraint z_dot = L is kept.
    EXPECT_NEAR(there[7], reduced.evaluate({reduced.q.L}, end)[0], 1e-9);
  }
}

// [LLMR21, Sec. 4.3]: -x'' = -delta x' + lambda1, .. solved by hand: th'' = delta th', ph'' = delta ph',
// lambda1 = th' ph' sin ph, lambda2 = -th' ph' cos ph. For the printed delta > 0 the energy grows.
TEST(RollingDisk, HasTheMotionThatFollowsByHand) {
  auto graph = std::make_shared<symbolic::Graph>();
  System s = make_system(
      geometry::tangent(graph, {symbols(*graph, {"x", "y", "th", "ph"}), symbols(*graph, {"vx", "vy", "vth", "vph"})}));
  const Expr delta = graph->symbol("delta");
  s.parameters.push_back({delta, -0.3});
  const auto& y = s.algebroid.y;
  const Expr ph = s.algebroid.x[3];
  s.generator = (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]) / 2 + delta * s.z;
  constrain(s, Rule::nonholonomic, {y[0] - y[2] * cos(ph), y[1] - y[2] * sin(ph)});
  const Flow flow(s);
  const double heading = 0.7;
  const double roll = 1.2;
  const double turn = -0.6;
  const Values start{0.1,  0.2, 0.3, heading, roll * std::cos(heading), roll * std::sin(heading), roll, turn,
                     0.05, 0.0, 0.0, 0.0};
  const Values rates = flow(start);
  EXPECT_NEAR(rates[6], -0.3 * roll, 1e-14);
  EXPECT_NEAR(rates[7], -0.3 * turn, 1e-14);
  EXPECT_NEAR(-rates[9], roll * turn * std::sin(heading), 1e-14);
  EXPECT_NEAR(-rates[10], -roll * turn * std::cos(heading), 1e-14);
  const double T = 1.5;
  const auto end = advance([&](const Values& v) { return derivative_of_state(flow, v); }, start, T, 300);
  EXPECT_NEAR(end[6], roll * std::exp(-0.3 * T), 1e-10);
  EXPECT_NEAR(end[7], turn * std::exp(-0.3 * T), 1e-10);
  EXPECT_NEAR(end[3], heading + turn * (1 - std::exp(-0.3 * T)) / 0.3, 1e-10);
  EXPECT_NEAR(end[0] - 0.1, roll / turn * (std::sin(end[3]) - std::sin(heading)), 1e-10);
}

TEST(ActionAsCoordinate, NeedsALagrangianAndTheRuleOfItsConstraints) {
  System s = skate(Rule::vakonomic);
  EXPECT_THROW(with_action_as_coordinate(s, Rule::nonholonomic), std::invalid_argument);
  EXPECT_THROW(with_action_as_coordinate(s, Rule::none), std::invalid_argument);
  s.parameters.push_back({s.graph().symbol("z_dot"), 1});
  EXPECT_THROW(with_action_as_coordinate(s, Rule::vakonomic), std::invalid_argument);
}

}  // namespace
