// One method with the exact decay of the energy and that of all momenta of declared symmetries: a discrete gradient
// that is equivariant under the group. [ASC25, Sec. 7, future work].

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz {
namespace {

struct SymmetricSystem {
  std::string name;
  std::string text;
  std::vector<std::string> symmetries;
};

const std::string body_in_space = R"([model]
name = "both"
[algebroid]
kind = "tangent"
base = ["x", "y", "h"]
fibre = ["u", "v", "w"]
[dynamics]
lagrangian = "(1 + (x^2 + y^2 + h^2)/5)*(u^2 + v^2 + w^2)/2 - (x^2 + y^2 + h^2)^2/10 - z/20 - z^2/200"
[initial]
x = 1
y = 0.2
h = -0.3
u = 0.1
v = 0.7
w = 0.4
)";
const std::string rotations = R"([symmetries]
r1 = ["0", "-h", "y"]
r2 = ["h", "0", "-x"]
r3 = ["-y", "x", "0"]
)";
const std::string plane = R"([model]
name = "plane"
[algebroid]
kind = "hamel"
base = ["x", "y"]
fibre = ["a", "b"]
frame = [["1", "0"], ["1/2", "1"]]
[dynamics]
lagrangian = "((a + b/2)^2 + b^2)/2 - (x^2 + y^2)^2/4 - z/30"
[symmetries]
turn = ["-y - x/2", "x"]
[initial]
x = 1
a = -0.5
b = 0.8
)";
const std::string top = R"([model]
name = "top"
[algebroid]
kind = "action"
group = "so3"
base = ["x", "y", "h"]
fibre = ["a", "b", "c"]
generators = [["0", "h", "-y"], ["-h", "0", "x"], ["y", "-x", "0"]]
[dynamics]
lagrangian = "(a^2 + a^4/8 + 2*b^2 + 3*c^2)/2 - h - x*y/3 - z/10"
[symmetries]
vertical = ["x", "y", "h"]
[initial]
x = 0.6
h = 0.8
a = 0.8
b = 1.1
c = -0.6
)";

class EnergyAndMomenta : public testing::TestWithParam<SymmetricSystem> {};

analyse::Trajectory run_of(const std::string& text, const std::string& method, double step, double t_end) {
  auto problem = io::parse_model(text);
  problem.settings.method = method;
  problem.settings.step = step;
  problem.settings.t_end = t_end;
  problem.settings.output_every = 1;
  return simulate::simulate(problem);
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

TEST_P(EnergyAndMomenta, AreKeptTogetherByAnEquivariantDiscreteGradient) {
  for (const char* method : {"contact-energy-2", "contact-energy-4"}) {
    const auto run = run_of(GetParam().text, method, 0.1, 40);
    EXPECT_LT(largest(run["energy_residual"]), 1e-12) << method;
    for (const auto& name : GetParam().symmetries)
      EXPECT_LT(largest(run["momentum_residual." + name]), 1e-12) << method << ", " << name;
  }
  const auto gauss = run_of(GetParam().text, "contact-gauss-2", 0.1, 40);
  EXPECT_GT(largest(gauss["energy_residual"]), 1e-8) << "a method without the correction must be seen";
}

INSTANTIATE_TEST_SUITE_P(
    Systems, EnergyAndMomenta,
    testing::Values(SymmetricSystem{"rotations_of_space", body_in_space + rotations, {"r1", "r2", "r3"}},
                    SymmetricSystem{"rotation_in_a_frame", plane, {"turn"}},
                    SymmetricSystem{"vertical_momentum_of_a_top", top, {"vertical"}}),
    [](const auto& tested) { return tested.param.name; });

TEST(EnergyAndMomenta, TakeDeclaredSymmetries) {
  std::string watched = body_in_space + "[dissipated]\nJ = \"x*p_v - y*p_u\"\n";
  const auto run = run_of(watched, "contact-energy-2", 0.1, 40);
  EXPECT_GT(largest(run["dissipated_residual.J"]), 1e-8) << "without a declaration the momentum is not kept";
}

TEST(EnergyAndMomenta, HaveTheOrderOfTheMethod) {
  const auto exact = run_of(body_in_space + rotations, "runge-kutta-8", 0.01, 2);
  for (const auto& [method, order] : {std::pair{"contact-energy-2", 2}, {"contact-energy-4", 4}}) {
    std::vector<double> errors;
    for (const double h : {0.05, 0.025, 0.0125}) {
      const auto run = run_of(body_in_space + rotations, method, h, 2);
      double error = 0;
      for (const char* name : {"x", "y", "h", "u", "v", "w", "z"})
        error = std::max(error, std::abs(run[name].back() - exact[name].back()));
      errors.push_back(error);
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.1) << method;
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), order, 0.1) << method;
  }
}

}  // namespace
}  // namespace herglotz
