// The method discrete-herglotz against exact rational motions, and its order.

#include <cmath>

#include "herglotz/analyse/order.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "mechanics/reference_case.hpp"
#include "project_folders.hpp"

namespace {

using namespace herglotz;
using mechanics::reference::json;
using mechanics::reference::number;

json stored(const std::string& name) {
  std::ifstream file(source_folder() + "/tests/reference/" + name + ".json");
  return json::parse(file);
}

class DiscreteReference : public testing::TestWithParam<std::string> {};

// [ASMLL20, Exs. 1, 2, Figs. 1, 2], computed in rational arithmetic.
TEST_P(DiscreteReference, EveryStoredStepIsReached) {
  const json data = stored(GetParam());
  const std::string model =
      "[model]\nname = \"d\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"q\"]\nfibre = [\"v\"]\n"
      "[parameters]\ngamma = -0.05\n[dynamics]\nlagrangian = \"v^2/2 + gamma*z\"\n[discrete]\n"
      "lagrangian = \"" +
      data["discrete_lagrangian"].get<std::string>() +
      "\"\n[initial]\nq = 1\n[initial.next]\nq = 2\n[simulation]\nstep = 0.5\n"
      "output_every = 1\nt_end = " +
      std::to_string(number(data["states"].back()["t"])) + "\n";
  const auto run = simulate::simulate(io::parse_model(model));
  EXPECT_EQ(run.facts.method, "discrete-herglotz");
  ASSERT_EQ(run.rows(), data["states"].size());
  double factor = 1;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    const json& state = data["states"][k];
    const auto expect = [&](double found, double stored) {
      EXPECT_NEAR(found, stored, 1e-12 * std::max(1.0, std::abs(stored))) << "step " << k;
    };
    expect(run["t"][k], number(state["t"]));
    expect(run["q"][k], number(state["q"]));
    expect(run["z"][k], number(state["z"]));
    expect(run["v"][k], number(state["p_minus (F^-)"]));
    expect(1 / run["integrating_factor"][k], factor);
    if (state.contains("sigma_d") && !state["sigma_d"].is_null()) factor *= number(state["sigma_d"]);
  }
}

INSTANTIATE_TEST_SUITE_P(ASMLL20, DiscreteReference,
                         testing::Values("discrete_free_particle_fig1", "discrete_oscillator_fig2"),
                         [](const auto& test) { return test.param; });

std::string nonlinear(const std::string& position, const std::string& action) {
  return R"([model]
name = "nonlinear"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[dynamics]
lagrangian = "(1 + z^2/10)*(vx^2 + vy^2)/2 + vx*vy*cos(y)/4 - (x^2 + y^2)^2/8 - x*sin(t)/3 - z/5 - z^2/20"
[discrete]
rule = ")" +
         position + R"("
action_rule = ")" +
         action + R"("
[initial]
x = 0.6
y = 0.2
vx = 0.3
vy = 0.7
z = 0.4
)";
}

TEST(DiscreteHerglotzOrder, SymmetricRulesHaveOrderTwoAndOthersOne) {
  for (const auto& [position, action, order] : {std::tuple{"left", "left", 1},
                                                {"left", "implicit", 1},
                                                {"midpoint", "left", 1},
                                                {"trapezoid", "left", 1},
                                                {"midpoint", "implicit", 2},
                                                {"trapezoid", "implicit", 2}}) {
    const auto problem = io::parse_model(nonlinear(position, action));
    const simulate::Simulator simulator(problem.system, {}, {}, problem.discrete);
    const auto end = [&](const std::string& method, std::optional<double> step, std::optional<double> tolerance) {
      simulate::Settings settings;
      settings.method = method;
      settings.t_end = 1;
      settings.step = step;
      settings.tolerance = tolerance;
      const auto run = simulator.run(problem.initial, settings);
      std::vector<double> state;
      for (const char* name : {"x", "y", "vx", "vy", "z"}) state.push_back(run[name].back());
      return state;
    };
    const auto exact = end("reference", std::nullopt, 1e-13);
    std::vector<double> steps;
    std::vector<double> errors;
    for (const double count : {16., 32., 64., 128.}) {
      const auto found = end("discrete-herglotz", 1 / count, std::nullopt);
      double error = 0;
      for (std::size_t i = 0; i < exact.size(); ++i) error = std::max(error, std::abs(found[i] - exact[i]));
      steps.push_back(1 / count);
      errors.push_back(error);
    }
    EXPECT_NEAR(analyse::fit_order(steps, errors).order, order, 0.1) << position << ", " << action;
  }
}

TEST(DiscreteHerglotzErrors, AStepTooLargeForTheDissipationIsRefused) {
  const auto problem = io::parse_model(R"([model]
name = "strong"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 - 4*z"
[discrete]
lagrangian = "(q1 - q0)^2/(2*h) - 4*h*z0"
[initial]
v = 1
[simulation]
step = 0.3
t_end = 3
)");
  try {
    static_cast<void>(simulate::simulate(problem));
    FAIL() << "not refused";
  } catch (const simulate::RunFailed& failed) {
    EXPECT_NE(std::string(failed.what()).find("take a step below 0.25"), std::string::npos) << failed.what();
  }
}

TEST(DiscreteHerglotzErrors, ASingularDiscreteLagrangianIsNamed) {
  const auto problem = io::parse_model(R"([model]
name = "singular"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2"
[discrete]
lagrangian = "h*(q0^2 + q1^2)/2"
[initial]
v = 1
[simulation]
step = 0.3
t_end = 3
)");
  try {
    static_cast<void>(simulate::simulate(problem));
    FAIL() << "not refused";
  } catch (const simulate::RunFailed& failed) {
    EXPECT_NE(std::string(failed.what()).find("F- is singular"), std::string::npos) << failed.what();
  }
}

}  // namespace
