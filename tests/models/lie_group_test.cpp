// The Lie group methods on gallery models.

#include <cmath>

#include "gallery.hpp"
#include "herglotz/analyse/order.hpp"

namespace herglotz::test {
namespace {

/// A pendulum and a rigid body that exchange energy.
constexpr const char* pendulum_with_body = R"([model]
name = "pendulum-with-body"
[algebroid]
kind = "product"
[[algebroid.factors]]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[[algebroid.factors]]
kind = "lie-algebra"
group = "so3"
fibre = ["w1", "w2", "w3"]
[dynamics]
lagrangian = "v^2/2 + cos(x) + (w1^2 + 2*w2^2 + (3 + sin(x))*w3^2)/2 + v*w1/4 - z/5 - z^2/20"
[initial]
x = 0.6
v = 0.3
w1 = 0.7
w2 = 0.5
w3 = 1.1
z = 0.2
)";

simulate::Problem problem_named(const std::string& name) {
  return name == "pendulum-with-body" ? io::parse_model(pendulum_with_body, "product.toml") : gallery_problem(name);
}

simulate::Settings settings_for(const std::string& method, double t_end, double step_or_tolerance) {
  simulate::Settings settings;
  settings.method = method;
  settings.t_end = t_end;
  (method == "reference" ? settings.tolerance : settings.step) = step_or_tolerance;
  return settings;
}

std::vector<double> final_state(const analyse::Trajectory& run) {
  std::vector<double> state;
  for (const auto& column : run.columns)
    if (column.role == analyse::Role::base || column.role == analyse::Role::fibre ||
        column.role == analyse::Role::action || column.role == analyse::Role::factor)
      state.push_back(column.values.back());
  return state;
}

struct MethodOnModel {
  std::string model;
  std::string method;
  friend std::ostream& operator<<(std::ostream& out, const MethodOnModel& given) {
    return out << given.model << " by " << given.method;
  }
};

std::string case_name(const testing::TestParamInfo<MethodOnModel>& info) {
  std::string name = info.param.model + "_" + info.param.method;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class LieGroupMethods : public testing::TestWithParam<MethodOnModel> {};

TEST_P(LieGroupMethods, HaveTheirOrder) {
  const auto& [model, method] = GetParam();
  const auto given = problem_named(model);
  const simulate::Simulator simulator(given.system);
  const auto exact = final_state(simulator.run(given.initial, settings_for("reference", 1, 1e-13)));
  const int order = integrate::find_method(method)->order;
  std::vector<double> steps;
  std::vector<double> errors;
  for (const double count : order == 2 ? std::vector<double>{32, 64, 128} : std::vector<double>{6, 12, 24}) {
    const auto found = final_state(simulator.run(given.initial, settings_for(method, 1, 1 / count)));
    ASSERT_EQ(found.size(), exact.size());
    double error = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      error = std::max(error, std::abs(found[i] - exact[i]) / std::max(1.0, std::abs(exact[i])));
    steps.push_back(1 / count);
    errors.push_back(error);
  }
  const auto fit = analyse::fit_order(steps, errors);
  EXPECT_NEAR(fit.order, order, 0.2) << errors.front() << " to " << errors.back();
}

std::vector<MethodOnModel> order_cases() {
  std::vector<MethodOnModel> all;
  for (const char* model :
       {"rigid-body", "heavy-top", "thermoviscous-body", "thermoviscous-attitude", "underwater-se2", "underwater-se3",
        "magnetic-uniform", "magnetic-nonuniform", "wong-particle", "polar-hamel", "pendulum-with-body"})
    for (const char* method : {"lie-hph-2", "lie-hph-4", "lie-hph-cayley-2", "lie-hph-cayley-4"})
      all.push_back({model, method});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Models, LieGroupMethods, testing::ValuesIn(order_cases()), case_name);

/// With damping so weak that momenta stay above round-off in 1000 units of time.
struct Symmetry {
  std::string model;
  std::string symmetry;
  simulate::InitialState weakly;
  friend std::ostream& operator<<(std::ostream& out, const Symmetry& given) {
    return out << given.model << ": " << given.symmetry;
  }
};

const simulate::InitialState weak{{"gamma", 1e-3}};
const simulate::InitialState level{{"gamma", 1e-3}, {"tilt", 0}};
const simulate::InitialState cold{{"T0", 1e-3}, {"visc", 1e-3}};

/// Symmetries whose action on the groupoid commutes with that of the group.
class LieGroupMomenta : public testing::TestWithParam<Symmetry> {};

TEST_P(LieGroupMomenta, AreDissipatedToRoundOffOverManySteps) {
  const auto& [model, symmetry, weakly] = GetParam();
  const auto given = gallery_problem(model);
  const simulate::Simulator simulator(given.system);
  const auto run = simulator.run(given.initial, settings_for("lie-hph-2", 1000, 0.01), weakly);
  EXPECT_EQ(run.facts.steps, 100000U);
  double largest = -1;
  for (const auto& [name, residual] : run.facts.largest_momentum_residuals)
    if (name == symmetry) largest = residual;
  ASSERT_GE(largest, 0);
  EXPECT_LT(largest, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(
    Models, LieGroupMomenta,
    testing::Values(Symmetry{"heavy-top", "vertical", weak}, Symmetry{"thermoviscous-body", "vertical", cold},
                    Symmetry{"thermoviscous-body", "space_axis_1", cold},
                    Symmetry{"thermoviscous-attitude", "vertical", cold},
                    Symmetry{"thermoviscous-attitude", "space_axis_1", cold}, Symmetry{"underwater-se3", "roll", weak},
                    Symmetry{"polar-hamel", "rotation", level}, Symmetry{"magnetic-uniform", "charge", weak},
                    Symmetry{"magnetic-uniform", "magnetic_translation_1", weak},
                    Symmetry{"magnetic-uniform", "rotation", weak}, Symmetry{"magnetic-nonuniform", "charge", weak},
                    Symmetry{"magnetic-nonuniform", "rotation", weak}),
    [](const auto& given) {
      std::string name = given.param.model + "_" + given.param.symmetry;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

/// A Casimir, and the power of the integrating factor that makes it constant.
struct Orbit {
  std::string model;
  std::string casimir;
  int degree;
  friend std::ostream& operator<<(std::ostream& out, const Orbit& given) {
    return out << given.model << ": " << given.casimir;
  }
};

class LieGroupOrbits : public testing::TestWithParam<Orbit> {};

// Coadjoint motion: the vertical part of lambda mu stays on its orbit.
TEST_P(LieGroupOrbits, KeepTheDissipatedMomentum) {
  const auto& [model, casimir, degree] = GetParam();
  const auto given = gallery_problem(model);
  const simulate::Simulator simulator(given.system);
  for (const char* method : {"lie-hph-2", "lie-hph-4", "lie-hph-cayley-2", "lie-hph-cayley-4"}) {
    const auto run = simulator.run(given.initial, settings_for(method, 10, 0.01));
    const double start = run[casimir].front();
    double largest = 0;
    for (std::size_t k = 0; k < run.rows(); ++k)
      largest =
          std::max(largest, std::abs(run[casimir][k] * std::pow(run["integrating_factor"][k], degree) / start - 1));
    EXPECT_LT(largest, 2e-14) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, LieGroupOrbits,
                         testing::Values(Orbit{"rigid-body", "momentum_norm", 1},
                                         Orbit{"thermoviscous-attitude", "momentum_norm", 1},
                                         Orbit{"underwater-se2", "impulse", 1}, Orbit{"underwater-se3", "impulse", 1},
                                         Orbit{"underwater-se3", "pitch", 2}, Orbit{"wong-particle", "charge_norm", 1}),
                         [](const auto& given) {
                           std::string name = given.param.model + "_" + given.param.casimir;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// On TM the group translates; where the mass is constant both are Stormer-Verlet for contact systems.
TEST(LieGroupOnTangentBundles, IsTheLobattoPairWithTwoStagesForAConstantMass) {
  for (const char* model : {"damped-pendulum", "kepler-drag", "damped-oscillator"}) {
    const auto given = gallery_problem(model);
    const simulate::Simulator simulator(given.system);
    const auto group = final_state(simulator.run(given.initial, settings_for("lie-hph-2", 2, 0.01)));
    const auto lobatto = final_state(simulator.run(given.initial, settings_for("contact-lobatto-2", 2, 0.01)));
    for (std::size_t i = 0; i < group.size(); ++i)
      EXPECT_NEAR(group[i], lobatto[i], 1e-12 * std::max(1.0, std::abs(group[i]))) << model << " " << i;
  }
}

// R is multiplied by rotations and never put back onto them.
TEST(LieGroupAttitude, StaysARotationToRoundOffOverManySteps) {
  const auto given = gallery_problem("thermoviscous-attitude");
  const simulate::Simulator simulator(given.system);
  const auto run = simulator.run(given.initial, settings_for("lie-hph-2", 1000, 0.01), cold);
  EXPECT_EQ(run.facts.steps, 100000U);
  const auto& defect = run["orthogonality_defect"];
  EXPECT_LT(*std::max_element(defect.begin(), defect.end()), 1e-13);
}

TEST(LieGroupErrors, AHamiltonianIsRefused) {
  const auto given = io::parse_model(R"([model]
name = "hamiltonian"
[algebroid]
kind = "lie-algebra"
group = "so3"
fibre = ["w1", "w2", "w3"]
[dynamics]
hamiltonian = "p_w1^2/2 + p_w2^2/4 + p_w3^2/6 + z/5"
[initial]
p_w1 = 1.0
[simulation]
method = "lie-hph-2"
step = 0.01
t_end = 1.0
)");
  try {
    static_cast<void>(simulate::simulate(given));
    FAIL() << "not refused";
  } catch (const std::invalid_argument& refusal) {
    const std::string message = refusal.what();
    EXPECT_NE(message.find("lie-hph-2"), std::string::npos) << message;
    EXPECT_NE(message.find("needs a Lagrangian"), std::string::npos) << message;
  }
}

TEST(LieGroupErrors, AnAlgebroidWithoutAGroupoidIsRefused) {
  for (const char* model : {"general-algebroid", "sleigh-algebroid"}) {
    const auto given = gallery_problem(model);
    const simulate::Simulator simulator(given.system);
    try {
      static_cast<void>(simulator.run(given.initial, settings_for("lie-hph-2", 1, 0.01)));
      FAIL() << "not refused";
    } catch (const std::invalid_argument& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("no groupoid is known"), std::string::npos) << refusal.what();
    }
  }
}

}  // namespace
}  // namespace herglotz::test
