#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz {
namespace {

constexpr std::string_view kPlane = R"toml([model]
name = "damped-plane"

[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]

[dynamics]
lagrangian = "(vx^2 + vy^2)/2*exp(z/5) - (x^2 + y^2)/2 - z^2/10"

[symmetries]
rotation = ["-y", "x"]

[initial]
x = 1
vy = 0.8
z = 0.1

[simulation]
step = 0.05
t_end = 10
)toml";

std::string with_rule(const std::string& lines) {
  return std::string(kPlane) + "\n[discrete]\nrule = \"galerkin\"\n" + lines;
}

std::string refusal_of_rule(const simulate::Problem& problem) {
  try {
    (void)simulate::simulate(problem);
  } catch (const std::invalid_argument& reason) {
    return reason.what();
  }
  return "none";
}

double last(const analyse::Trajectory& trajectory, std::string_view name) {
  for (const auto& column : trajectory.columns)
    if (column.name == name) return column.values.back();
  throw std::invalid_argument("no such column");
}

TEST(Galerkin, RunsARuleOfAModelFileWhichAutoChooses) {
  const auto run = simulate::simulate(io::parse_model(with_rule("degree = 3\nquadrature = \"gauss-3\"\n")));
  EXPECT_EQ(run.facts.method, "discrete-galerkin");
  auto same = io::parse_model(kPlane);
  same.settings.method = "contact-gauss-6";
  const auto gauss = simulate::simulate(same);
  for (const char* name : {"x", "y", "vx", "vy", "z"}) EXPECT_NEAR(last(run, name), last(gauss, name), 1e-13) << name;
}

TEST(Galerkin, KeepsTheMomentumOfARotationToRoundOff) {
  for (const char* method : {"contact-galerkin-2", "contact-galerkin-4", "contact-galerkin-6", "contact-galerkin-8"}) {
    auto problem = io::parse_model(kPlane);
    problem.settings.method = method;
    const auto run = simulate::simulate(problem);
    ASSERT_EQ(run.facts.largest_momentum_residuals.size(), 1u);
    EXPECT_LT(std::abs(run.facts.largest_momentum_residuals.front().second), 1e-13) << method;
  }
}

// Degree 2 with two Lobatto nodes is the implicit Lobatto IIIA-IIIB pair of order 2.
TEST(Galerkin, ByLobattoIsTheExplicitStepOfContactLobattoWhereTheSystemSplits) {
  const std::string lines = "degree = 2\nquadrature = \"lobatto-2\"\n";
  std::string text = with_rule(lines);
  const std::size_t growth = text.find("*exp(z/5)");
  text.erase(text.find("z^2/10") + 1, 2);
  const auto implicit = simulate::simulate(io::parse_model(text.erase(growth, 9)));
  auto split = io::parse_model(text.erase(text.find("\n[discrete]")));
  split.settings.method = "contact-lobatto-2";
  ASSERT_TRUE(simulate::Simulator(split.system).dynamics_for(*integrate::find_method("contact-lobatto-2")).verlet);
  const auto explicit_steps = simulate::simulate(split);
  for (const char* name : {"x", "y", "vx", "vy", "z"})
    EXPECT_NEAR(last(implicit, name), last(explicit_steps, name), 1e-13) << name;
}

TEST(Galerkin, RefusesWhatItCannotRunByName) {
  auto scaled = io::parse_model(kPlane);
  scaled.settings.method = "contact-galerkin-4";
  scaled.settings.time_scale = 1 + scaled.system.algebroid.x.front() * scaled.system.algebroid.x.front();
  EXPECT_THAT(refusal_of_rule(scaled), ::testing::HasSubstr("contact-galerkin-4"));
  auto without_rule = io::parse_model(kPlane);
  without_rule.settings.method = "discrete-galerkin";
  EXPECT_THAT(refusal_of_rule(without_rule), ::testing::HasSubstr("needs a degree and a quadrature"));
  std::string text(kPlane);
  const std::size_t at = text.find("lagrangian = ");
  text.replace(at, text.find('\n', at) - at, "hamiltonian = \"(p_vx^2 + p_vy^2)/2 + z/10\"");
  const std::size_t vy = text.find("vy = 0.8");
  auto hamiltonian = io::parse_model(text.replace(vy, 8, "p_vy = 0.8"));
  hamiltonian.settings.method = "contact-galerkin-4";
  EXPECT_THAT(refusal_of_rule(hamiltonian),
              ::testing::HasSubstr("method contact-galerkin-4 cannot run this model: a Lagrangian is needed"));
}

}  // namespace
}  // namespace herglotz
