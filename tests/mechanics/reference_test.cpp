#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using nlohmann::json;
using symbolic::Expr;

double number(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

std::vector<double> numbers(const json& values) {
  std::vector<double> list;
  for (const auto& value : values) list.push_back(number(value));
  return list;
}

json load(const std::string& name) {
  std::ifstream file(std::string(HERGLOTZ_SOURCE_DIR) + "/tests/reference/" + name + ".json");
  EXPECT_TRUE(file) << name;
  return json::parse(file);
}

/// The case as a custom algebroid built from the anchor and structure functions that the file lists.
class Case {
 public:
  explicit Case(const std::string& name) : data(load(name)), graph(std::make_shared<symbolic::Graph>()) {
    const auto symbols = [&](const json& list) {
      return samples::symbols(*graph, list.get<std::vector<std::string>>());
    };
    const auto x = symbols(data["coordinates"]["x"]);
    const auto y = symbols(data["coordinates"]["y"]);
    names = x;
    for (const auto& [key, value] : data["parameters"].items()) {
      parameters.push_back({graph->symbol(key), symbolic::evaluate(read(value.get<std::string>()), {}, {})});
      names.push_back(parameters.back().symbol);
    }
    const auto& e = data["algebroid"];
    geometry::StructureFunctions c(y.size(), graph->number(std::int64_t{0}));
    for (const auto& entry : e["structure_functions"])
      c(entry["c"].get<std::size_t>() - 1, entry["a"].get<std::size_t>() - 1, entry["b"].get<std::size_t>() - 1) =
          read(entry["value"].get<std::string>());
    const Matrix rho = anchor(e["anchor_rho[i][a]"], x.size(), y.size());
    const auto& right = e.value("right_anchor_sigma[i][a]", json("same as anchor"));
    const Matrix sigma = right.is_string() ? rho : anchor(right, x.size(), y.size());
    system = make_system(geometry::custom(graph, {x, y}, rho, c, sigma));
    system.parameters = parameters;
    names.insert(names.end(), y.begin(), y.end());
    names.insert(names.end(), {system.z, system.t});
    system.generator = read(data["lagrangian"].get<std::string>());
    const auto force = data.value("external_force", json());
    for (std::size_t a = 0; a < force.size(); ++a) system.forces[a] = read(force[a].get<std::string>());
    const auto constraints = data.value("constraints", json::array());
    std::vector<Expr> equations;
    for (const auto& equation : constraints) equations.push_back(read(equation.get<std::string>()));
    const bool vakonomic = data["type"].get<std::string>().rfind("vakonomic", 0) == 0;
    if (!equations.empty()) constrain(system, vakonomic ? Rule::vakonomic : Rule::nonholonomic, equations);
  }

  Expr read(const std::string& text) { return samples::read(*graph, text, names); }

  json data;
  std::shared_ptr<symbolic::Graph> graph;
  std::vector<Expr> names;
  std::vector<Parameter> parameters;
  System system;

 private:
  Matrix anchor(const json& rows, std::size_t n, std::size_t r) {
    Matrix m(r, n, graph->number(std::int64_t{0}));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t a = 0; a < r; ++a) m(a, i) = read(rows[i][a].get<std::string>());
    return m;
  }
};

const std::vector<std::string> unconstrained{"damped_oscillator_continuous",
                                             "damped_oscillator_overdamped",
                                             "damped_oscillator_underdamped",
                                             "external_force_drag",
                                             "free_particle_continuous",
                                             "general_algebroid_nonlie",
                                             "hamel_polar_TR2",
                                             "heavy_top_action_algebroid",
                                             "magnetic_S1_const",
                                             "nonlinear_z_kinetic",
                                             "rigid_body_eph_asymmetric",
                                             "rigid_body_eph_axisymmetric",
                                             "se2_underwater_vehicle_eph",
                                             "thermoviscous_rigid_body",
                                             "time_dependent_forced_parametric",
                                             "wong_atiyah_so3_kinetic"};

const std::vector<std::string> constrained{
    "chaplygin_sleigh_dissipative",    "nonlinear_appell_hamel",
    "rolling_ball_as_printed_typo",    "rolling_ball_rotating_table_conservative",
    "rolling_disk_dissipative",        "skate_incline_nonholonomic",
    "skate_incline_vakonomic_mu0_zero"};

class Reference : public testing::TestWithParam<std::string> {};

/// u, multipliers, parameters.
std::vector<double> point_of(const System& system, const json& state) {
  std::vector<double> point = numbers(state["x"]);
  for (const double v : numbers(state["y"])) point.push_back(v);
  point.push_back(number(state["z"]));
  point.push_back(number(state["t"]));
  if (!system.constraints.equations.empty()) {
    for (const double l : numbers(state["mu"])) point.push_back(l);
  }
  for (const auto& parameter : system.parameters) point.push_back(parameter.value);
  return point;
}

std::vector<Expr> variables_of(const System& system, const Equations& q) {
  const auto program = balance_program(system, q, {});
  std::vector<Expr> names = program.variables;
  names.insert(names.end(), program.parameters.begin(), program.parameters.end());
  return names;
}

// Under the nonholonomic rule the flow also says the multipliers, in the sign of the force + lambda_k dPhi^k/dy.
TEST_P(Reference, MomentaEnergyAndMultipliersAgreeAtEveryStoredState) {
  const Case c(GetParam());
  const Equations q = derive(c.system);
  std::vector<Expr> outputs = q.p;
  outputs.push_back(q.energy);
  const auto flow = flow_program(c.system, q).outputs;
  if (q.rule == Rule::nonholonomic) {
    outputs.insert(outputs.end(), flow.end() - static_cast<std::ptrdiff_t>(q.m()), flow.end());
  }
  ASSERT_GE(c.data["states"].size(), 2U);
  for (const auto& state : c.data["states"]) {
    const auto v = symbolic::evaluate(outputs, variables_of(c.system, q), point_of(c.system, state));
    auto expected = numbers(state[state.contains("p") ? "p" : "momentum L_v-mu psi_v"]);
    expected.push_back(number(state["E"]));
    if (q.rule == Rule::nonholonomic) {
      for (const double lambda : numbers(state["mu"])) expected.push_back(lambda);
    }
    ASSERT_EQ(v.size(), expected.size());
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], expected[i], 1e-12 * (1 + std::abs(expected[i])));
  }
}

/// Classical Runge-Kutta of the derived flow from the first stored state to the second, and int dL/dz with it.
TEST_P(Reference, FlowLeadsFromTheFirstStoredStateToTheSecond) {
  const Case c(GetParam());
  const Equations q = derive(c.system);
  const std::size_t m = q.rule == Rule::vakonomic ? q.m() : 0;
  const std::size_t size = q.u.size() - 1;  // of (x, w, z); then t and nu
  std::vector<Expr> outputs = flow_program(c.system, q).outputs;
  outputs.resize(size + m);
  outputs.push_back(q.L_z);
  outputs.insert(outputs.begin() + static_cast<std::ptrdiff_t>(size), c.graph->number(std::int64_t{1}));
  const auto names = variables_of(c.system, q);
  const auto& first = c.data["states"][0];
  const auto& second = c.data["states"][1];
  auto point = point_of(c.system, first);
  const auto expected = point_of(c.system, second);
  constexpr int steps = 400;
  const double h = (number(second["t"]) - number(first["t"])) / steps;
  double integral = 0;
  const auto slope = [&](const std::vector<double>& base, const std::vector<double>& k, double factor) {
    auto at = base;
    for (std::size_t i = 0; i <= size + m; ++i) at[i] += factor * h * (k.empty() ? 0 : k[i]);
    return symbolic::evaluate(outputs, names, at);
  };
  for (int step = 0; step < steps; ++step) {
    const auto k1 = slope(point, {}, 0);
    const auto k2 = slope(point, k1, 0.5);
    const auto k3 = slope(point, k2, 0.5);
    const auto k4 = slope(point, k3, 1);
    for (std::size_t i = 0; i <= size + m; ++i) point[i] += h * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) / 6;
    integral += h * (k1.back() + 2 * k2.back() + 2 * k3.back() + k4.back()) / 6;
  }
  for (std::size_t i = 0; i <= size + m; ++i) EXPECT_NEAR(point[i], expected[i], 2e-10 * (1 + std::abs(expected[i])));
  if (!second.contains("int_dLdz")) return;
  EXPECT_NEAR(integral, number(second["int_dLdz"]) - number(first["int_dLdz"]), 2e-10);
}

INSTANTIATE_TEST_SUITE_P(Constrained, Reference, testing::ValuesIn(constrained),
                         [](const auto& given) { return given.param; });
INSTANTIATE_TEST_SUITE_P(Unconstrained, Reference, testing::ValuesIn(unconstrained),
                         [](const auto& given) { return given.param; });

}  // namespace
