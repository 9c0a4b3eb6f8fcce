// The balance laws of energy and momenta, and the constraints, on every gallery model. [ASC25, Props. 4.1, 4.4]

#include <cmath>

#include "gallery.hpp"

namespace herglotz::test {
namespace {

using simulate::Settings;
using simulate::Simulator;

/// The largest residual of all laws of a run.
double largest_residual(const analyse::Trajectory& run) {
  double largest = run.facts.largest_energy_residual;
  for (const auto& [name, residual] : run.facts.largest_momentum_residuals) {
    largest = std::isnan(residual) ? residual : std::max(largest, residual);
  }
  return largest;
}

double duration(const simulate::Problem& problem) {
  return std::min(problem.settings.t_end, 5.0);
}

Settings adaptive(const simulate::Problem& problem, double tolerance) {
  Settings s;
  s.project = problem.settings.project;
  s.method = "reference";
  s.tolerance = tolerance;
  s.t_end = duration(problem);
  return s;
}

Settings fixed(const simulate::Problem& problem, const std::string& method, double steps) {
  Settings s;
  s.project = problem.settings.project;
  s.method = method;
  s.t_end = duration(problem);
  s.step = s.t_end / steps;
  s.output_every = 1;
  return s;
}

}  // namespace

using BalanceLaws = Gallery;

TEST_P(BalanceLaws, HoldToTheToleranceOfTheReferenceMethod) {
  const auto given = continuous_problem();
  const Simulator simulator(given.system);
  EXPECT_LT(largest_residual(simulator.run(given.initial, adaptive(given, 1e-12))), 1e-9);
  EXPECT_LT(largest_residual(simulator.run(given.initial, adaptive(given, 1e-8))), 1e-5);
}

TEST_P(BalanceLaws, HoldToTheOrderOfTheContactGaussMethods) {
  const auto given = continuous_problem();
  const Simulator simulator(given.system);
  for (const std::string method : {"contact-gauss-2", "contact-gauss-4", "contact-gauss-6"}) {
    const int order = integrate::find_method(method)->order;
    const double steps = 200 * std::max(1.0, duration(given));
    const double coarse = largest_residual(simulator.run(given.initial, fixed(given, method, steps)));
    const double fine = largest_residual(simulator.run(given.initial, fixed(given, method, 2 * steps)));
    // At round-off the residual no longer falls; above it, it falls as the order says. That of the double pendulum has
    // narrow peaks, of which steps meet the tops or not.
    const double slack = GetParam().name == "double-pendulum-cartesian" ? 0.7 : 0.2;
    EXPECT_TRUE(fine < 1e-12 || std::abs(std::log2(coarse / fine) - order) < slack)
        << method << ": residual " << coarse << " at " << steps << " steps, " << fine << " at twice as many";
  }
}

TEST_P(BalanceLaws, FailForADeliberatelyWrongTerm) {
  const auto given = continuous_problem();
  auto wrong = mechanics::derive(given.system);
  // Each momentum is pushed by a hundredth of itself: a wrong dissipation rate.
  for (std::size_t a = 0; a < wrong.f.size(); ++a) {
    wrong.f[a] = wrong.f[a] + 0.01 * wrong.p[a];
    wrong.b[a] = wrong.b[a] + 0.01 * wrong.p[a];
  }
  const Simulator simulator(given.system, wrong);
  EXPECT_GT(largest_residual(simulator.run(given.initial, adaptive(given, 1e-10))), 1e-4);
  EXPECT_GT(largest_residual(simulator.run(given.initial, fixed(given, "contact-gauss-4", 1000))), 1e-4);
}

TEST_P(BalanceLaws, LeaveTheConstraintsAtZero) {
  const auto given = continuous_problem();
  if (given.system.constraints.equations.empty()) return;
  const Simulator simulator(given.system);
  EXPECT_LT(simulator.run(given.initial, adaptive(given, 1e-8)).facts.largest_constraint_residual, 1e-12);
  EXPECT_LT(simulator.run(given.initial, adaptive(given, 1e-4)).facts.largest_constraint_residual, 1e-12);
  for (const std::string method : {"contact-gauss-2", "contact-gauss-4", "contact-gauss-6"}) {
    const auto run = simulator.run(given.initial, fixed(given, method, 400));
    EXPECT_LT(run.facts.largest_constraint_residual, 1e-12) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, BalanceLaws, testing::ValuesIn(gallery_names()), test_name);

/// The heavy top decays to rounding of its torques, while its integrating factor grows to 1e32.
TEST(RoundOff, IsNoViolationOfALaw) {
  const auto given = io::parse_model(std::string(io::gallery_text("heavy-top")), "heavy-top.toml");
  const Simulator simulator(given.system);
  Settings settings = given.settings;
  settings.t_end = 500;
  settings.output_step = 0.5;
  const auto run = simulator.run(given.initial, settings);
  EXPECT_LT(largest_residual(run), 1e-9);
  ASSERT_FALSE(run.facts.at_round_off.empty());
  EXPECT_EQ(run.facts.at_round_off.front().first, "vertical");
  EXPECT_GT(run.facts.at_round_off.front().second, 100);
  EXPECT_LT(run.facts.at_round_off.front().second, 450);
  settings.t_end = 30;
  EXPECT_TRUE(simulator.run(given.initial, settings).facts.at_round_off.empty());
}

/// The velocities, and the action, which is their square, decay to 1e-35 and to 1e-70 beside positions of size 1.
TEST(RoundOff, IsThatOfSmallQuantitiesBesideLargeOnes) {
  for (const auto& [name, t_end] : {std::pair("nonholonomic-particle", 800.0), std::pair("rolling-disk", 500.0),
                                    std::pair("torus-geodesic", 2000.0)}) {
    const auto given = io::parse_model(std::string(io::gallery_text(name)), name);
    Settings settings = given.settings;
    settings.method = "contact-gauss-4";
    settings.step = 0.1;
    settings.t_end = t_end;
    settings.output_step = 10;
    EXPECT_LT(largest_residual(Simulator(given.system).run(given.initial, settings)), 1e-7) << name;
  }
}

TEST(RoundOff, ExcusesNoWrongTerm) {
  const auto given = io::parse_model(std::string(io::gallery_text("heavy-top")), "heavy-top.toml");
  const auto right = mechanics::derive(given.system);
  Settings settings = given.settings;
  settings.t_end = 500;
  settings.output_step = 0.5;
  for (std::size_t a = 0; a < right.f.size(); ++a) {
    auto wrong = right;
    wrong.f[a] = wrong.f[a] + 0.01 * wrong.p[a];
    wrong.b[a] = wrong.b[a] + 0.01 * wrong.p[a];
    EXPECT_GT(largest_residual(Simulator(given.system, wrong).run(given.initial, settings)), 1e-3) << a;
  }
}

TEST(RoundOff, ExcusesNoMissingSource) {
  auto given = io::parse_model(std::string(io::gallery_text("heavy-top")), "heavy-top.toml");
  const auto without = mechanics::derive(given.system);
  // A torque that the equations lack and the law has.
  given.system.forces[0] = 0.01 * given.system.algebroid.y[0];
  Settings settings = given.settings;
  settings.t_end = 500;
  settings.output_step = 0.5;
  EXPECT_GT(largest_residual(Simulator(given.system, without).run(given.initial, settings)), 1e-3);
}

}  // namespace herglotz::test
