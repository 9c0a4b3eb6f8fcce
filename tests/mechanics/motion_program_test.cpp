#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/mechanics/constraints.hpp"
#include "herglotz/mechanics/derive/simple_motion.hpp"
#include "herglotz/symbolic/print.hpp"
#include "motion.hpp"
#include "switches/holding_force.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using samples::every_algebroid;
using samples::generic_system;
using samples::KindUnderRule;
using samples::read;
using samples::Values;
using symbolic::Expr;

std::vector<KindUnderRule> every_system() {
  std::vector<KindUnderRule> list;
  for (const auto& kind : every_algebroid()) list.push_back({kind, Rule::none});
  for (const auto& kind : samples::roomy_algebroids()) {
    list.push_back({kind, Rule::nonholonomic});
    list.push_back({kind, Rule::vakonomic});
  }
  return list;
}

/// A motion program and what it is compared with, at values of (v, parameters) and of the entries that follow.
class Motion {
 public:
  explicit Motion(System s)
      : system(std::move(s)),
        q(derive(system)),
        laws(balance_laws(system, q)),
        motion(motion_program(system, q, laws)),
        names(samples::joined(q.u, q.l)) {
    for (const auto& parameter : system.parameters) {
      names.push_back(parameter.symbol);
      parameters.push_back(parameter.value);
    }
  }

  [[nodiscard]] std::size_t state_size() const { return q.u.size() - 1 + (q.rule == Rule::vakonomic ? q.m() : 0); }
  [[nodiscard]] std::size_t rates() const { return state_size() + (motion.factor ? 1 : 0) + motion.laws.size(); }
  /// (x, w, z, t, l) at random; lambda is what the flow says.
  [[nodiscard]] Values state(std::mt19937_64& engine) const {
    Values v = samples::joined(samples::random_values(q.u.size() + q.m(), engine), parameters);
    if (q.rule != Rule::nonholonomic) return v;
    const Values flow = symbolic::evaluate(flow_program(system, q).outputs, names, v);
    std::copy(flow.end() - static_cast<std::ptrdiff_t>(q.m()), flow.end(),
              v.begin() + static_cast<std::ptrdiff_t>(q.u.size()));
    return v;
  }
  /// Of y' and what follows, where the entries besides the state are `others`.
  [[nodiscard]] Values outputs(const Values& v, const Values& others) const {
    const auto& variables = motion.program.variables;
    std::vector<Expr> symbols = motion.program.parameters;
    Values values = parameters;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      symbols.push_back(variables[i]);
      const bool time = i + 1 == variables.size();
      if (time)
        values.push_back(v[q.u.size() - 1]);
      else if (i >= state_size())
        values.push_back(others[i - state_size()]);
      else
        values.push_back(i < q.u.size() - 1 ? v[i] : v[i + 1]);
    }
    return symbolic::evaluate(motion.program.outputs, symbols, values);
  }

  System system;
  Equations q;
  std::vector<BalanceLaw> laws;
  MotionProgram motion;
  std::vector<Expr> names;  ///< v, then the parameters
  Values parameters;
};

void expect_same_number(double found, double expected) {
  EXPECT_NEAR(found, expected, 1e-11 * (1 + std::abs(expected)));
}

class MotionPrograms : public testing::TestWithParam<KindUnderRule> {
 protected:
  [[nodiscard]] static System generic() {
    System s = generic_system(GetParam().kind.algebroid);
    if (GetParam().rule != Rule::none) constrain(s, GetParam().rule, samples::generic_constraints(s, true));
    return s;
  }
};

// Theory, Sec. 2: the state moves by the flow, whose saddle-point system is solved with exchanges of rows.
TEST_P(MotionPrograms, MoveTheStateByItsFlow) {
  const Motion given(generic());
  std::mt19937_64 engine(41);
  for (int trial = 0; trial < 4; ++trial) {
    const Values v = given.state(engine);
    const Values found = given.outputs(v, Values(1 + given.laws.size(), 0.3));
    const Values flow = symbolic::evaluate(flow_program(given.system, given.q).outputs, given.names, v);
    ASSERT_EQ(flow.size(), given.q.u.size() - 1 + given.q.m());
    for (std::size_t i = 0; i < given.state_size(); ++i) expect_same_number(found[i], flow[i]);
  }
}

// Theory, Sec. 3; [ASC25, Prop. 4.1, Prop. 4.4]: lambda' = -L_z lambda and g' = L_z g + source.
TEST_P(MotionPrograms, MoveTheFactorAndTheBudgetsByTheirLaws) {
  const Motion given(generic());
  ASSERT_TRUE(given.motion.factor) << "L_z depends on the state";
  ASSERT_FALSE(given.motion.laws.empty());
  std::vector<Expr> terms{given.q.L_z};
  for (const std::size_t k : given.motion.laws) {
    terms.push_back(given.laws[k].source);
    terms.push_back(given.laws[k].scale);
  }
  std::mt19937_64 engine(43);
  const Values v = given.state(engine);
  Values others{0.2};  // log lambda
  for (std::size_t k = 0; k < given.motion.laws.size(); ++k) others.push_back(1.5 + static_cast<double>(k));
  const Values found = given.outputs(v, others);
  const Values expected = symbolic::evaluate(terms, given.names, v);
  ASSERT_EQ(found.size(), given.rates() + given.motion.laws.size() + given.motion.checks);
  std::size_t e = given.state_size();
  expect_same_number(found[e++], -expected[0]);
  for (std::size_t k = 0; k < given.motion.laws.size(); ++k)
    expect_same_number(found[e++], expected[0] * others[1 + k] + expected[1 + 2 * k]);
  for (std::size_t k = 0; k < given.motion.laws.size(); ++k) expect_same_number(found[e++], expected[2 + 2 * k]);
}

// Rates are simplified to equal ones, and the scales and checks behind them are left as they are.
TEST_P(MotionPrograms, AreTheSameMotionWhenSimplified) {
  const Motion given(generic());
  Motion other = given;
  other.motion = simplified(given.motion);
  std::mt19937_64 engine(53);
  const Values v = given.state(engine);
  const Values others(1 + given.laws.size(), 0.3);
  const Values expected = given.outputs(v, others);
  const Values found = other.outputs(v, others);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) expect_same_number(found[i], expected[i]);
  for (std::size_t i = given.rates(); i < found.size(); ++i)
    EXPECT_EQ(other.motion.program.outputs[i], given.motion.program.outputs[i]);
}

// Every velocity is coupled to the one before it, so that the first row alone is not changed.
TEST_P(MotionPrograms, CheckTheShareThatEliminationLeavesOfTheDiagonal) {
  const Motion given(generic());
  std::mt19937_64 engine(47);
  const Values v = given.state(engine);
  const Values found = given.outputs(v, Values(1 + given.laws.size(), 0.3));
  const std::size_t r = given.q.b.size();
  const Values W = symbolic::evaluate(given.q.W.entries, given.names, v);
  // The numbers are eliminated in order.
  Values left = W;
  Values shares;
  for (std::size_t a = 0; a < r; ++a) {
    shares.push_back(left[a * r + a] / W[a * r + a]);
    for (std::size_t i = a + 1; i < r; ++i)
      for (std::size_t j = a + 1; j < r; ++j) left[i * r + j] -= left[i * r + a] * left[a * r + j] / left[a * r + a];
  }
  const std::size_t first = given.rates() + given.motion.laws.size();
  ASSERT_EQ(found.size(), first + given.motion.checks);
  ASSERT_EQ(given.motion.checks, r - 1);
  for (std::size_t a = 1; a < r; ++a) EXPECT_NEAR(found[first + a - 1], shares[a], 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Systems, MotionPrograms, testing::ValuesIn(every_system()), [](const auto& given) {
  const Rule rule = given.param.rule;
  return given.param.kind.name + (rule == Rule::none        ? "_free"
                                  : rule == Rule::vakonomic ? "_vakonomic"
                                                            : "_nonholonomic");
});

System on_a_plane(const std::string& lagrangian) {
  auto g = std::make_shared<symbolic::Graph>();
  System s = make_system(geometry::tangent(g, {samples::symbols(*g, {"x", "y"}), samples::symbols(*g, {"u", "v"})}));
  std::vector<Expr> names = samples::joined(s.algebroid.x, s.algebroid.y);
  names.insert(names.end(), {s.z, s.t});
  s.generator = read(*g, lagrangian, names);
  s.symmetries.push_back({"shift", {g->number(1), g->number(0)}});
  return s;
}

std::size_t state_and_time(const Motion& given) {
  return given.state_size() + 1;
}

// lambda = exp(-L_z (t - t0)) is known then. Theory, Sec. 3.
TEST(MotionProgram, LeavesTheFactorOutExactlyWhereTheDissipationIsConstant) {
  EXPECT_FALSE(Motion(on_a_plane("(u^2 + v^2)/2 - y^2/2 - z/10")).motion.factor);
  EXPECT_FALSE(Motion(on_a_plane("(u^2 + v^2)/2 - y^2/2")).motion.factor);
  EXPECT_TRUE(Motion(on_a_plane("(u^2 + v^2)/2 - y^2/2 - z^2/10")).motion.factor);
  EXPECT_TRUE(Motion(on_a_plane("(u^2 + v^2)/2 - y^2/2 - z*x/10")).motion.factor);
  EXPECT_TRUE(Motion(on_a_plane("(u^2 + v^2)/2 - y^2/2 - z*t/10")).motion.factor);
}

/// on_a_plane with a mass m, whose letter Lagrangians may use.
System of_mass_m(const std::string& lagrangian) {
  System s = on_a_plane("z");
  auto& graph = s.graph();
  std::vector<Expr> names = samples::joined(s.algebroid.x, s.algebroid.y);
  const Expr m = graph.symbol("m");
  names.insert(names.end(), {s.z, s.t, m});
  s.generator = read(graph, lagrangian, names);
  s.parameters.push_back({m, 1.5});
  return s;
}

// m u' = -m u/10 and m v' = -m y - m v/10: the mass cancels.
TEST(SimplifiedMotion, TakesFewerOperationsWhereFactorsCancel) {
  const Motion given(of_mass_m("m*(u^2 + v^2)/2 - m*y^2/2 - z/10"));
  const auto& raw = given.motion.program.outputs;
  const auto simple = simplified(given.motion).program.outputs;
  EXPECT_EQ(symbolic::print(simple[2]), "-u/10");
  EXPECT_EQ(symbolic::print(simple[3]), "-y - v/10");
  const auto nodes = [&](const std::vector<Expr>& outputs) { return given.system.graph().reachable(outputs).size(); };
  EXPECT_LT(nodes(simple), nodes(raw));
}

// A rewritten kink could change on which side of it round-off puts a state.
TEST(SimplifiedMotion, LeavesRatesWithKinksAsTheyAre) {
  const Motion given(of_mass_m("m*(u^2 + v^2)/2 - m*abs(y) - z/10"));
  EXPECT_EQ(simplified(given.motion).program.outputs, given.motion.program.outputs);
}

// [ASC25, Prop. 4.4]: g = Q(t0)/lambda where the source is zero.
TEST(MotionProgram, LeavesABudgetOutExactlyWhereItsLawHasNoSource) {
  const Motion invariant(on_a_plane("(u^2 + v^2)/2 - y^2/2 - z/10"));
  EXPECT_TRUE(invariant.motion.laws.empty());
  EXPECT_EQ(invariant.motion.program.variables.size(), state_and_time(invariant));
  EXPECT_EQ(invariant.motion.program.outputs.size(), invariant.state_size() + invariant.motion.checks);

  const Motion driven(on_a_plane("(u^2 + v^2)/2 - y^2*(1 + t)/2 - z/10"));
  EXPECT_EQ(driven.motion.laws, (std::vector<std::size_t>{0})) << "the energy has a source, the shift along x has none";
  EXPECT_EQ(driven.motion.program.variables.size(), state_and_time(driven) + 1);

  const Motion broken(on_a_plane("(u^2 + v^2)/2 - x^2/2 - z/10"));
  EXPECT_EQ(broken.motion.laws, (std::vector<std::size_t>{1})) << "the shift along x is not a symmetry";
}

TEST(MotionProgram, OfADiagonalHessianNeedsNoChecks) {
  EXPECT_EQ(Motion(on_a_plane("(u^2 + 2*v^2)/2 - y^2/2 - z/10")).motion.checks, 0u);
  EXPECT_EQ(Motion(on_a_plane("(u^2 + 2*v^2)/2 + u*v*cos(y)/2 - z/10")).motion.checks, 1u);
}

// What two constraints hold together at rest has exactly no acceleration, and the forces that hold it are what pulls.
TEST(MotionProgram, TakesHeldAccelerationsFromTheConstraintsAlone) {
  System s = on_a_plane("3*(u^2 + u*v/7 + v^2)/11 - x*sin(t) - y*exp(x)");
  const auto& y = s.algebroid.y;
  constrain(s, Rule::nonholonomic, {y[0] - y[1], 2 * y[1]});
  const MotionProgram motion = motion_program(s, derive(s), {});
  EXPECT_TRUE(motion.program.outputs[2].is_zero());
  EXPECT_TRUE(motion.program.outputs[3].is_zero());
  EXPECT_EQ(motion.checks, 0u);

  System one = on_a_plane("3*(u^2 + v^2)/11 - x*sin(t) - y*exp(x)");
  const Expr scale = one.graph().symbol("k");
  one.parameters.push_back({scale, 0.7});
  constrain(one, Rule::nonholonomic, {scale * one.algebroid.y[1]});
  EXPECT_TRUE(motion_program(one, derive(one), {}).program.outputs[3].is_zero()) << "the only velocity in it";
}

TEST(MotionProgram, IsRefusedWhereAPivotVanishesAtEveryState) {
  System s = on_a_plane("u*v - y^2/2 - z/10");
  const Equations q = derive(s);
  EXPECT_NO_THROW((void)flow_program(s, q)) << "it is regular";
  EXPECT_THROW((void)motion_program(s, q, {}), symbolic::SingularMatrix);
}

/// A chain of one more coordinates than a dense matrix may have, with a given kinetic energy of neighbours.
System chain(const std::function<std::string(std::size_t)>& coupling) {
  auto g = std::make_shared<symbolic::Graph>();
  std::vector<std::string> x;
  std::vector<std::string> v;
  std::string lagrangian = "-z/10";
  for (std::size_t i = 0; i <= motion_rank; ++i) {
    x.push_back("x" + std::to_string(i));
    v.push_back("v" + std::to_string(i));
    lagrangian += " + " + v.back() + "^2/2 - " + x.back() + "^2/2" + (i == 0 ? "" : coupling(i));
  }
  System s = make_system(geometry::tangent(g, {samples::symbols(*g, x), samples::symbols(*g, v)}));
  std::vector<Expr> names = samples::joined(s.algebroid.x, s.algebroid.y);
  names.push_back(s.z);
  s.generator = read(*g, lagrangian, names);
  return s;
}

TEST(MotionProgram, IsRefusedBeyondItsRankIfTheHessianIsDense) {
  const auto all = [](std::size_t i) {
    std::string sum;
    for (std::size_t j = 0; j < i; ++j) sum += " + v" + std::to_string(i) + "*v" + std::to_string(j) + "/100";
    return sum;
  };
  const System s = chain(all);
  EXPECT_THROW((void)motion_program(s, derive(s), {}), std::invalid_argument);
}

/// The solution of a linear system by elimination with exchanges of rows.
Values solution(std::vector<Values> rows, Values right) {
  const std::size_t n = right.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(rows[i][k]) > std::abs(rows[best][k])) best = i;
    std::swap(rows[k], rows[best]);
    std::swap(right[k], right[best]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = rows[i][k] / rows[k][k];
      for (std::size_t j = k; j < n; ++j) rows[i][j] -= factor * rows[k][j];
      right[i] -= factor * right[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) right[k] -= rows[k][j] * right[j];
    right[k] /= rows[k][k];
  }
  return right;
}

/// The accelerations of the motion are those of the dense saddle-point system.
void expect_solved(const System& s) {
  const Equations q = derive(s);
  const std::size_t r = q.b.size();
  const std::size_t m = q.m();
  ASSERT_GT(r + m, motion_rank);
  const auto motion = motion_program(s, q, {});
  std::mt19937_64 engine(5);
  const auto names = samples::joined(q.u, q.l);
  const Values at = samples::random_values(names.size(), engine);
  const auto values = [&](const std::vector<Expr>& f) { return symbolic::evaluate(f, names, at); };
  const Values W = values(q.W.entries);
  const Values Phi_y = values(q.Phi_y.entries);
  const Values Phi_w = values(q.Phi_w.entries);
  std::vector<Values> K(r + m, Values(r + m, 0.0));
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j < r; ++j) K[i][j] = W[i * r + j];
    for (std::size_t A = 0; A < m; ++A) {
      K[i][r + A] = -Phi_y[A * r + i];
      K[r + A][i] = Phi_w[A * r + i];
    }
  }
  Values right = values(q.b);
  for (const double rate : values(q.beta)) right.push_back(-rate);
  const Values expected = solution(K, right);
  const Values rates = values(motion.program.outputs);
  for (std::size_t i = 0; i < r; ++i) EXPECT_NEAR(rates[r + i], expected[i], 1e-9 * (1 + std::abs(expected[i]))) << i;
}

TEST(MotionProgram, HasNoLargestRankIfTheHessianIsDiagonalOrABand) {
  expect_solved(chain([](std::size_t) { return std::string(); }));
  expect_solved(chain([](std::size_t i) {
    const auto before = std::to_string(i - 1);
    return " + cos(x" + before + ")*v" + std::to_string(i) + "*v" + before + "/3";
  }));
}

TEST(MotionProgram, HasNoLargestRankForLimbsOnOneBody) {
  // The first body moves all others: eliminated first, it would join each of them with each.
  expect_solved(
      chain([](std::size_t i) { return " + cos(x" + std::to_string(i) + ")*v0*v" + std::to_string(i) + "/30"; }));
}

TEST(MotionProgram, HasNoLargestRankForAChainOfRods) {
  auto g = std::make_shared<symbolic::Graph>();
  const std::size_t rods = motion_rank / 2;
  std::vector<std::string> x;
  std::vector<std::string> v;
  std::string lagrangian = "-z/10";
  std::vector<std::string> lengths;
  for (std::size_t i = 0; i < rods; ++i) {
    const auto now = std::to_string(i);
    for (const auto* axis : {"x", "y"}) {
      x.push_back(axis + now);
      v.push_back("v" + x.back());
      lagrangian += " + " + v.back() + "^2/2";
    }
    lagrangian += " - y" + now;
    const auto before = std::to_string(i - 1);
    lengths.push_back(i == 0 ? "x0^2 + y0^2 - 1"
                             : "(x" + now + " - x" + before + ")^2 + (y" + now + " - y" + before + ")^2 - 1");
  }
  System s = make_system(geometry::tangent(g, {samples::symbols(*g, x), samples::symbols(*g, v)}));
  std::vector<Expr> names = samples::joined(s.algebroid.x, s.algebroid.y);
  names.push_back(s.z);
  s.generator = read(*g, lagrangian, names);
  std::vector<Expr> equations;
  for (const auto& length : lengths) equations.push_back(read(*g, length, names));
  constrain(s, Rule::nonholonomic, equations);
  expect_solved(s);
}

TEST(NeededEntries, AreThoseThatAreWantedAndWhatTheyDependOn) {
  const Motion given(on_a_plane("(u^2 + v^2)/2 - y^2*(1 + t)/2 - z/10"));
  ASSERT_EQ(given.motion.laws, (std::vector<std::size_t>{0}));
  const auto needed = [&](std::size_t wanted) {
    std::vector<bool> entries(given.rates(), false);  // (x, y, u, v, z, g)
    entries[wanted] = true;
    return needed_entries(given.motion, entries);
  };
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(needed(0), (Places{0, 2}));
  EXPECT_EQ(needed(1), (Places{1, 3}));
  EXPECT_EQ(needed(2), (Places{2}));
  EXPECT_EQ(needed(3), (Places{1, 3}));
  EXPECT_EQ(needed(4), (Places{1, 2, 3, 4}));
  EXPECT_EQ(needed(5), (Places{1, 3, 5}));
}

// Two frictions that hold both velocities of a plane give the accelerations whatever the forces are: Phi_y w_dot =
// -beta, with the multipliers of elimination with exchanges of rows. At rest beta is 0, and so are the accelerations to
// the last bit.
TEST(MotionProgram, FindsAccelerationsThatFrictionsHoldFromTheseAlone) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr x = graph->symbol("x");
  const Expr y = graph->symbol("y");
  const Expr v = graph->symbol("v");
  const Expr w = graph->symbol("w");
  System s = make_system(geometry::tangent(graph, {{x, y}, {v, w}}));
  s.generator = (v * v + 3.0 * w * w + v * w * cos(x - y)) / 2.0 + 2.9 * x + y;
  constrain(s, Rule::nonholonomic, {v * cos(y) + w * (1.0 + x), w + 0.5 * v * cos(x)});
  s.constraints.multipliers = {holding_force(*graph, 1), holding_force(*graph, 2)};
  const Equations q = derive(s);
  const MotionProgram motion = motion_program(s, q, {});
  ASSERT_EQ(motion.checks, 2U) << "of the rows, and of the columns";
  const auto rates_at = [&](const Values& u) {
    const std::vector<Expr> symbols(q.u.begin(), q.u.end());
    return symbolic::evaluate(motion.program.outputs, symbols, u);
  };
  for (const Values& place : {Values{0, 0}, Values{0.3, 0.7}}) {
    const Values rest = rates_at({place[0], place[1], 0, 0, 0, 0});
    EXPECT_EQ(rest[2], 0);
    EXPECT_EQ(rest[3], 0);
  }
  // Away from rest: the rates of elimination of the whole saddle-point matrix.
  const Values u{0.3, 0.7, 0.4, -0.2, 0, 0};
  std::vector<Expr> right = q.b;
  for (const Expr& beta : q.beta) right.push_back(-beta);
  Matrix K(4, 4, graph->number(std::int64_t{0}));
  Matrix b(4, 1, graph->number(std::int64_t{0}));
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      K(i, j) = q.W(i, j);
      K(j, 2 + i) = -q.Phi_y(i, j);
      K(2 + i, j) = q.Phi_w(i, j);
    }
  for (std::size_t i = 0; i < 4; ++i) b(i, 0) = right[i];
  const Values expected = symbolic::evaluate(symbolic::solve(K, b).entries, q.u, u);
  const Values found = rates_at(u);
  for (std::size_t i = 0; i < 2; ++i) expect_same_number(found[2 + i], expected[i]);
  const Values flow =
      symbolic::evaluate(flow_program(s, q).outputs, samples::joined(q.u, q.l), samples::joined(u, {0, 0}));
  for (std::size_t i = 0; i < 2; ++i) {
    expect_same_number(flow[2 + i], expected[i]);
    expect_same_number(flow[5 + i], expected[2 + i]);
  }
}

}  // namespace
