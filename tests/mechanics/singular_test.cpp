/// The constraint algorithm [GN79; LL19] where constraints are known, and against derivative arrays [KM06].

#include "herglotz/mechanics/singular.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "geometry/every_algebroid.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/print.hpp"
#include "project_folders.hpp"

namespace herglotz::mechanics {
namespace {

using nlohmann::json;
using NamedValues = std::map<std::string, double>;

struct Example {
  std::string name;
  std::string group{};  ///< empty: the tangent bundle
  std::vector<std::string> base;
  std::vector<std::string> fibre;
  std::string L;
  NamedValues parameters{};
  NamedValues start{};
  std::vector<std::size_t> by_level{};
  std::size_t dim_final = 0;
  std::size_t arbitrary = 0;
  std::size_t orbits = 0;
  bool has_squares = false;  ///< a constraint is a radical, which derivative arrays do not take
};

std::ostream& operator<<(std::ostream& out, const Example& example) {
  return out << example.name;
}

struct Model {
  System system;
  std::vector<double> parameters;
  std::vector<double> start;
};

Model model_of(const Example& example) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto x = geometry::samples::symbols(*graph, example.base);
  const auto y = geometry::samples::symbols(*graph, example.fibre);
  Model model;
  model.system =
      make_system(example.group.empty()
                      ? geometry::tangent(graph, {x, y})
                      : geometry::lie_algebra(graph, {x, y}, geometry::group_structure(*graph, example.group, y.size()),
                                              example.group));
  System& s = model.system;
  auto names = x;
  names.insert(names.end(), y.begin(), y.end());
  names.insert(names.end(), {s.z, s.t});
  for (const Expr& name : names) {
    const auto given = example.start.find(std::string(name.name()));
    model.start.push_back(given == example.start.end() ? 0 : given->second);
  }
  for (const auto& [name, value] : example.parameters) {
    s.parameters.push_back({graph->symbol(name), value});
    model.parameters.push_back(value);
    names.push_back(s.parameters.back().symbol);
  }
  s.generator = geometry::samples::read(*graph, example.L, names);
  return model;
}

SingularAnalysis analysed(const Model& model) {
  return analyse_singular(model.system, model.parameters, model.start);
}

std::vector<std::size_t> by_level(const SingularAnalysis& analysis) {
  std::vector<std::size_t> counts(analysis.levels(), 0);
  for (const auto& constraint : analysis.constraints) ++counts[constraint.level - 1];
  return counts;
}

const std::vector<Example>& examples() {
  static const std::vector<Example> list{{"cawley",
                                          "",
                                          {"q1", "q2", "q3"},
                                          {"v1", "v2", "v3"},
                                          "v1*v3 + q2*q3^2/2 - g*z",
                                          {{"g", 0.2}},
                                          {},
                                          {3, 1, 1},
                                          5,
                                          1,
                                          2,
                                          true},
                                         {"christ_lee",
                                          "",
                                          {"x1", "x2", "y"},
                                          {"w1", "w2", "wy"},
                                          "(w1 - y*x2)^2/2 + (w2 + y*x1)^2/2 - (x1^2 + x2^2)/2 - g*z",
                                          {{"g", 0.2}},
                                          {{"x1", 1}, {"x2", 0.5}, {"w1", 0.3}, {"w2", 0.15}},
                                          {3, 1},
                                          6,
                                          1,
                                          3},
                                         {"action_times_velocity", "", {"q"}, {"v"}, "z*v", {}, {}, {1}, 3, 1, 2},
                                         {"first_order",
                                          "",
                                          {"x", "y"},
                                          {"vx", "vy"},
                                          "x*vy - (x^2 + y^2)/2 - g*z",
                                          {{"g", 0.2}},
                                          {{"x", 1}},
                                          {2, 2},
                                          3,
                                          0,
                                          0},
                                         {"homogeneous",
                                          "",
                                          {"x", "y"},
                                          {"vx", "vy"},
                                          "sqrt(vx^2 + vy^2)*(1 + x^2 + z)",
                                          {},
                                          {{"vx", 1}, {"vy", 0.3}},
                                          {2},
                                          5,
                                          1,
                                          2},
                                         {"pendulum_with_multiplier_in_L",
                                          "",
                                          {"x", "y", "l"},
                                          {"vx", "vy", "vl"},
                                          "(vx^2 + vy^2)/2 - y + l*(x^2 + y^2 - 1) - g*z",
                                          {{"g", 0.1}},
                                          {{"x", 1}, {"vy", 0.5}},
                                          {3, 1, 1, 1, 1},
                                          3,
                                          0,
                                          0},
                                         {"rotor_without_inertia",
                                          "so3",
                                          {},
                                          {"o1", "o2", "o3"},
                                          "I1*o1^2/2 + I2*o2^2/2 - g*z",
                                          {{"I1", 1}, {"I2", 2}, {"g", 0.1}},
                                          {{"o1", 1}},
                                          {3, 1, 1},
                                          2,
                                          0,
                                          0,
                                          true},
                                         {"gyro_needle",
                                          "so3",
                                          {},
                                          {"o1", "o2", "o3"},
                                          "I1*o1^2/2 + I2*o2^2/2 + k*o3 - g*z",
                                          {{"I1", 1}, {"I2", 2}, {"k", 0.3}, {"g", 0.1}},
                                          {{"o1", 1}},
                                          {3, 1, 1},
                                          2,
                                          0,
                                          0},
                                         {"equal_needle",
                                          "so3",
                                          {},
                                          {"o1", "o2", "o3"},
                                          "I1*o1^2/2 + I2*o2^2/2 - g*z",
                                          {{"I1", 1.5}, {"I2", 1.5}, {"g", 0.1}},
                                          {{"o1", 1}},
                                          {3},
                                          4,
                                          1,
                                          2},
                                         {"explicit_time",
                                          "",
                                          {"x", "y"},
                                          {"vx", "vy"},
                                          "vx^2/2 + x*y*(2 + sin(t)) - g*z",
                                          {{"g", 0.1}},
                                          {},
                                          {2, 1, 1, 1, 1},
                                          1,
                                          0,
                                          0}};
  return list;
}

class SingularLagrangian : public testing::TestWithParam<Example> {};

TEST_P(SingularLagrangian, HasTheConstraintsOfTheory) {
  const Model model = model_of(GetParam());
  ASSERT_TRUE(is_singular(model.system, derive(model.system), model.parameters, model.start));
  const auto analysis = analysed(model);
  ASSERT_TRUE(analysis.consistent());
  EXPECT_EQ(by_level(analysis), GetParam().by_level);
  EXPECT_EQ(analysis.dim_final, GetParam().dim_final);
  EXPECT_EQ(analysis.undetermined.size(), GetParam().arbitrary);
  EXPECT_EQ(analysis.dim_gauge_orbits, GetParam().orbits);
}

/// Rank by elimination with complete pivoting; a clear gap is asked for.
std::size_t rank_of(std::vector<std::vector<double>> rows) {
  std::size_t rank = 0;
  if (rows.empty()) return rank;
  std::vector<bool> used(rows.size(), false);
  while (true) {
    double largest = 0;
    std::size_t r = 0;
    std::size_t c = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; !used[i] && j < rows[i].size(); ++j)
        if (std::abs(rows[i][j]) > largest) {
          largest = std::abs(rows[i][j]);
          r = i;
          c = j;
        }
    if (largest < 1e-6) {
      EXPECT_LT(largest, 1e-9);
      return rank;
    }
    used[r] = true;
    ++rank;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (used[i]) continue;
      const double share = rows[i][c] / rows[r][c];
      for (std::size_t j = 0; j < rows[i].size(); ++j) rows[i][j] -= share * rows[r][j];
    }
  }
}

/// Least-norm Gauss-Newton steps onto f = 0.
std::vector<double> moved_onto(const std::vector<Expr>& f, const std::vector<Expr>& free,
                               const std::vector<Expr>& names, std::vector<double> point) {
  const auto slopes = symbolic::jacobian(f, free);
  std::vector<Expr> outputs = f;
  for (const auto& entry : slopes.entries) outputs.push_back(entry.value);
  for (int step = 0; step < 60; ++step) {
    const auto v = symbolic::evaluate(outputs, names, point);
    std::vector<std::vector<double>> rows(f.size(), std::vector<double>(free.size(), 0.0));
    for (std::size_t k = 0; k < slopes.entries.size(); ++k)
      rows[slopes.entries[k].row][slopes.entries[k].col] = v[f.size() + k];
    std::vector<std::vector<double>> basis;
    std::vector<double> change(free.size(), 0.0);
    double length = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      auto rest = rows[k];
      for (int pass = 0; pass < 2; ++pass)
        for (const auto& q : basis) {
          double along = 0;
          for (std::size_t i = 0; i < rest.size(); ++i) along += q[i] * rest[i];
          for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= along * q[i];
        }
      double height = 0;
      double reached = 0;
      for (std::size_t i = 0; i < rest.size(); ++i) height += rest[i] * rest[i];
      for (std::size_t i = 0; i < rest.size(); ++i) reached += rows[k][i] * change[i];
      height = std::sqrt(height);
      if (height < 1e-8) continue;
      for (double& entry : rest) entry /= height;
      for (std::size_t i = 0; i < rest.size(); ++i) change[i] += (-v[k] - reached) / height * rest[i];
      basis.push_back(rest);
    }
    for (std::size_t i = 0; i < free.size(); ++i) {
      point[i] += change[i];
      length = std::max(length, std::abs(change[i]));
    }
    if (length < 1e-14) break;
  }
  return point;
}

/// The dimension of the projection of {g = Dg = .. = D^k g = 0} to (v, w), from ranks of its Jacobian by the jets of w.
std::size_t dimension_by_derivative_array(const Model& model, std::size_t k) {
  const ImplicitSystem q = implicit_system(model.system);
  auto& graph = model.system.graph();
  std::vector<std::vector<Expr>> jets{q.w};
  for (std::size_t order = 1; order <= k; ++order) {
    jets.emplace_back();
    for (const Expr& w : q.w) jets.back().push_back(graph.symbol(std::string(w.name()) + "'" + std::to_string(order)));
  }
  std::vector<Expr> along = q.v;
  std::vector<Expr> rates = q.X;
  along.push_back(model.system.t);
  rates.push_back(graph.number(std::int64_t{1}));
  for (std::size_t order = 0; order < k; ++order) {
    along.insert(along.end(), jets[order].begin(), jets[order].end());
    rates.insert(rates.end(), jets[order + 1].begin(), jets[order + 1].end());
  }
  std::vector<Expr> array = q.g;
  std::vector<Expr> last = q.g;
  for (std::size_t order = 0; order < k; ++order) {
    last = symbolic::directional_derivative(last, along, rates);
    array.insert(array.end(), last.begin(), last.end());
  }
  std::vector<Expr> free = q.v;
  for (const auto& jet : jets) free.insert(free.end(), jet.begin(), jet.end());
  std::vector<Expr> names = free;
  names.push_back(model.system.t);
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  std::vector<double> point(free.size() + 1, 0.0);
  for (std::size_t i = 0; i < free.size(); ++i) {
    for (std::size_t j = 0; j < model.start.size(); ++j) {
      const std::size_t n = model.system.n();
      const std::size_t r = model.system.r();
      const Expr symbol = j < n       ? model.system.algebroid.x[j]
                          : j < n + r ? model.system.algebroid.y[j - n]
                                      : model.system.z;
      if (free[i] == symbol && j < n + r + 1) point[i] = model.start[j];
    }
    point[i] += uniform(engine);
  }
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    names.push_back(model.system.parameters[i].symbol);
    point.push_back(model.parameters[i]);
  }
  point = moved_onto(array, free, names, point);
  const auto slopes = symbolic::jacobian(array, free);
  std::vector<Expr> outputs;
  for (const auto& entry : slopes.entries) outputs.push_back(entry.value);
  const auto v = symbolic::evaluate(outputs, names, point);
  std::vector<std::vector<double>> whole(array.size(), std::vector<double>(free.size(), 0.0));
  for (std::size_t e = 0; e < v.size(); ++e) whole[slopes.entries[e].row][slopes.entries[e].col] = v[e];
  auto by_jets = whole;
  const std::size_t state = q.v.size() + q.w.size();
  for (auto& row : by_jets) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(state));
  return state - (rank_of(whole) - rank_of(by_jets));
}

class SingularDimension : public testing::TestWithParam<Example> {};

TEST_P(SingularDimension, IsThatOfDerivativeArrays) {
  const Model model = model_of(GetParam());
  const std::size_t levels = analysed(model).levels();
  EXPECT_EQ(dimension_by_derivative_array(model, levels), GetParam().dim_final);
}

std::vector<Example> without_radicals() {
  std::vector<Example> kept;
  for (const Example& example : examples())
    if (!example.has_squares) kept.push_back(example);
  return kept;
}

INSTANTIATE_TEST_SUITE_P(Examples, SingularDimension, testing::ValuesIn(without_radicals()),
                         [](const auto& with) { return with.param.name; });
INSTANTIATE_TEST_SUITE_P(Examples, SingularLagrangian, testing::ValuesIn(examples()),
                         [](const auto& with) { return with.param.name; });

Example stored(const std::string& name, std::size_t variant) {
  std::ifstream file(source_folder() + "/tests/reference/singular/" + name + ".json");
  json data = json::parse(file);
  Example example;
  example.name = name;
  const json& s = data["system"];
  example.base = s["base"].get<std::vector<std::string>>();
  example.fibre = s["fibre"].get<std::vector<std::string>>();
  example.L = s["lagrangian"].get<std::string>();
  example.parameters = s["parameters"].get<NamedValues>();
  if (data.contains("initial")) example.start = data["initial"].get<NamedValues>();
  json expected = data["expected"];
  if (variant > 0) {
    for (const auto& [key, value] : data["variants"][variant - 1]["parameters"].items())
      example.parameters[key] = value;
    expected = data["variants"][variant - 1]["expected"];
  }
  if (expected["consistent"] == false) return example;
  example.by_level = expected["constraints_by_level"].get<std::vector<std::size_t>>();
  example.dim_final = expected["dim_final"];
  example.arbitrary = expected["arbitrary_functions"];
  example.orbits = expected["dim_gauge_orbits"];
  return example;
}

TEST(SingularReference, ConstraintsAreThoseOfTheStoredCases) {
  for (const auto& [name, variant] : {std::pair{"singular_christ_lee_damped", 0U},
                                      {"singular_linear_in_velocities", 0U},
                                      {"singular_inconsistent_charge", 1U}}) {
    SCOPED_TRACE(name);
    const Example example = stored(name, variant);
    const auto analysis = analysed(model_of(example));
    ASSERT_TRUE(analysis.consistent());
    EXPECT_EQ(by_level(analysis), example.by_level);
    EXPECT_EQ(analysis.dim_final, example.dim_final);
    EXPECT_EQ(analysis.undetermined.size(), example.arbitrary);
    EXPECT_EQ(analysis.dim_gauge_orbits, example.orbits);
  }
}

// [ASC25, Ex. 6.7]: p_u = e is constant, but dp_u/dt = -g e.
TEST(SingularReference, ChargeWithDampingHasNoMotion) {
  const auto analysis = analysed(model_of(stored("singular_inconsistent_charge", 0)));
  ASSERT_FALSE(analysis.consistent());
  EXPECT_EQ(analysis.contradiction->level, 2U);
  EXPECT_DOUBLE_EQ(analysis.contradiction->value, -0.1);
}

TEST(SingularBranches, TheStartChoosesAndAStartOnBothIsRefused) {
  Example needle = examples()[6];
  ASSERT_EQ(needle.name, "rotor_without_inertia");
  const auto constraint = [](const Example& example) {
    const Model model = model_of(example);
    const auto analysis = analysed(model);
    EXPECT_EQ(analysis.constraints[3].branches.size(), 1U);
    return symbolic::print(analysis.constraints[3].expression);
  };
  EXPECT_EQ(constraint(needle), "o2");
  needle.start = {{"o2", 0.5}};
  EXPECT_EQ(constraint(needle), "o1");
  needle.start = {{"o3", 0.5}};
  try {
    analysed(model_of(needle));
    FAIL() << "the start is as near to one branch as to the other";
  } catch (const Undecided& undecided) {
    EXPECT_EQ(undecided.remedy(), "start on one of them alone");
    EXPECT_EQ(undecided.problem().find("start on"), std::string::npos);
  }
}

TEST(SingularRefusals, AConstraintWithoutRealZerosIsAContradiction) {
  Example example{"", "", {"x", "l"}, {"vx", "vl"}, "vx^2/2 + l*(x^2 + 1)"};
  const auto analysis = analysed(model_of(example));
  ASSERT_FALSE(analysis.consistent());
  EXPECT_EQ(analysis.contradiction->level, 2U);
}

TEST(SingularRefusals, ASquareThatIsNotFactoredIsNamed) {
  Example example{"", "", {"x", "y", "l"}, {"vx", "vy", "vl"}, "(vx^2 + vy^2)/2 + l*(exp(2*x) - 2*exp(x) + 1)"};
  EXPECT_THROW(analysed(model_of(example)), Undecided);
}

// L = sum v_i^2/2 - (q_(i+1) - q_i)^2/2 + s_i q_i - r_i^4/4 - r_i^2 + r_i q_(i+1) on a ring: p_v = v and p_s = q at
// level 1, so that level 2 is the equation of r_i, which has v_i in it, and level 3 its rate, which gives s_i. Solved
// for one coordinate after the other, the constraints of level 3 would grow with powers of g.
TEST(SingularChains, HaveTheConstraintsOfEverySiteWithoutExpressionsThatGrow) {
  constexpr std::size_t sites = 10;
  Example ring;
  ring.L = "-g*z";
  ring.parameters = {{"g", 0.1}};
  for (const char* of : {"q", "r"})
    for (std::size_t i = 0; i < sites; ++i) {
      const std::string k = std::to_string(i);
      ring.base.push_back(of + k);
      ring.fibre.push_back(of == std::string("q") ? "v" + k : "s" + k);
      ring.start["q" + k] = std::sin(static_cast<double>(i));
    }
  for (std::size_t i = 0; i < sites; ++i) {
    const std::string k = std::to_string(i);
    const std::string next = "q" + std::to_string((i + 1) % sites);
    ring.L += " + v" + k + "^2/2 - (" + next + " - q" + k + ")^2/2 + s" + k + "*q" + k + " - r" + k + "^4/4 - r" + k +
              "^2 + r" + k + "*" + next;
  }
  const Model model = model_of(ring);
  const auto analysis = analysed(model);
  ASSERT_TRUE(analysis.consistent());
  EXPECT_EQ(by_level(analysis), (std::vector<std::size_t>{2 * sites, sites, sites}));
  EXPECT_TRUE(analysis.undetermined.empty());
  EXPECT_LT(model.system.graph().size(), 15'000U);
}

TEST(SingularGauge, AConditionTakesAnArbitraryFunctionAway) {
  const Model model = model_of(examples()[1]);
  auto& graph = model.system.graph();
  const Expr y = model.system.algebroid.x[2];
  const auto fixed = analyse_singular(model.system, model.parameters, model.start, {y - graph.symbol("t")});
  ASSERT_TRUE(fixed.consistent());
  EXPECT_TRUE(fixed.undetermined.empty());
  EXPECT_EQ(fixed.dim_final, 4U);
}

TEST(RegularLagrangian, IsNotSingularThoughItsHessianIsSoAtTheStart) {
  const Model model = model_of({"", "", {"q"}, {"v"}, "q^2*v^2/2"});
  EXPECT_FALSE(is_singular(model.system, derive(model.system), model.parameters, model.start));
}

TEST(SingularConstrained, VelocityFreeConstraintsAndTheirDerivativesAreOfLevelOne) {
  Model model = model_of({"", "", {"x", "y"}, {"vx", "vy"}, "vx^2/2 - g*z", {{"g", 0.1}}});
  constrain(model.system, Rule::nonholonomic, {model.system.algebroid.x[0] - 1.0});
  ASSERT_TRUE(is_singular(model.system, derive(model.system), model.parameters, model.start));
  const auto analysis = analysed(model);
  ASSERT_TRUE(analysis.consistent());
  EXPECT_EQ(by_level(analysis), (std::vector<std::size_t>{4, 1}));
  EXPECT_EQ(analysis.undetermined, std::vector<Expr>{model.system.algebroid.y[1]});
}

}  // namespace
}  // namespace herglotz::mechanics
