#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <future>
#include <limits>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/simulate/singular.hpp"
#include "message_of.hpp"

namespace {

using namespace herglotz;
using simulate::InitialState;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;
using testing::AllOf;
using testing::HasSubstr;

/// L = v^2/2 - q^2/2 - gamma z with the given fibre Hessian factor.
mechanics::System oscillator_of_mass(double mass = 1) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr q = graph->symbol("q");
  const Expr v = graph->symbol("v");
  const Expr gamma = graph->symbol("gamma");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "oscillator";
  system.parameters.push_back({gamma, 0.25});
  system.generator = mass * v * v / 2 - q * q / 2 - gamma * system.z;
  system.observables.push_back({"twice_p", 2.0 * system.p[0]});
  system.observables.push_back({"e", system.energy});
  return system;
}

/// q'' + gamma q' + q = 0, underdamped. [ASMLL20, Sec. 5]
double closed_form(double q0, double v0, double gamma, double t) {
  const double w = std::sqrt(1 - gamma * gamma / 4);
  return std::exp(-gamma * t / 2) * (q0 * std::cos(w * t) + (v0 + gamma * q0 / 2) / w * std::sin(w * t));
}

Settings settings(std::string method, double t_end) {
  Settings s;
  s.method = std::move(method);
  s.t_end = t_end;
  return s;
}

}  // namespace

TEST(Simulator, ReproducesTheClosedFormOfTheDampedOscillator) {
  const Simulator simulator(oscillator_of_mass());
  auto s = settings("reference", 10);
  s.tolerance = 1e-12;
  const auto run = simulator.run({{"q", 1.0}, {"v", 0.5}, {"z", 0.2}}, s);
  EXPECT_NEAR(run["q"].back(), closed_form(1, 0.5, 0.25, 10), 1e-11);
  EXPECT_EQ(run["t"].back(), 10.0);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-10);
}

TEST(Simulator, GivesTheColumnsOfTheContractInTheirOrder) {
  const Simulator simulator(oscillator_of_mass());
  const auto run = simulator.run({{"q", 1.0}}, settings("reference", 1));
  std::vector<std::string> names;
  for (const auto& c : run.columns) names.push_back(c.name);
  EXPECT_THAT(names, testing::ElementsAre("t", "q", "v", "z", "energy", "integrating_factor", "energy_invariant",
                                          "energy_residual", "twice_p", "e"));
  for (const auto& c : run.columns) EXPECT_EQ(c.values.size(), run.rows()) << c.name;
}

TEST(Simulator, ScalesTheEnergyToItsInvariant) {
  const Simulator simulator(oscillator_of_mass());
  const auto run = simulator.run({{"q", 1.0}, {"z", -0.3}}, settings("reference", 4));
  for (std::size_t i = 0; i < run.rows(); ++i) {
    EXPECT_NEAR(run["integrating_factor"][i], std::exp(0.25 * run["t"][i]), 1e-8);
    EXPECT_NEAR(run["energy_invariant"][i], run["energy"][0], 1e-8);
    EXPECT_EQ(run["e"][i], run["energy"][i]);
    EXPECT_EQ(run["twice_p"][i], 2 * run["v"][i]);
  }
}

TEST(Simulator, FollowsParametersOverriddenForOneRun) {
  const Simulator simulator(oscillator_of_mass());
  auto s = settings("reference", 3);
  s.tolerance = 1e-12;
  EXPECT_NEAR(simulator.run({{"q", 1.0}}, s, {{"gamma", 0.5}})["q"].back(), closed_form(1, 0, 0.5, 3), 1e-11);
  EXPECT_NEAR(simulator.run({{"q", 1.0}}, s)["q"].back(), closed_form(1, 0, 0.25, 3), 1e-11);
}

TEST(Simulator, HasEqualBitsOnAGraphThatOthersUsed) {
  const auto made = [] {
    auto system = oscillator_of_mass();
    const Expr q = system.algebroid.x[0];
    system.generator = system.generator + 0.1 * symbolic::cos(q + q * q) / (2.0 + q) - 0.3 * q * q * q * system.z / 7.0;
    return system;
  };
  const auto end = [](const Simulator& simulator, const std::string& method) {
    Settings how = settings(method, 1);
    if (!integrate::find_method(method)->adaptive) how.step = 0.1;
    const auto run = simulator.run({{"q", 0.7}, {"v", 0.4}, {"z", 0.2}}, how);
    std::vector<double> last;
    for (const auto& column : run.columns) last.push_back(column.values.back());
    return last;
  };
  const auto shared = made();
  const Simulator first(shared);
  for (const std::string method : {"contact-energy-2", "taylor", "lie-hph-2"}) static_cast<void>(end(first, method));
  const Simulator second(shared);
  const Simulator alone(made());
  for (const std::string method : {"reference", "taylor", "contact-gauss-4", "lie-hph-2", "contact-energy-2"}) {
    EXPECT_EQ(end(alone, method), end(first, method)) << method;
    EXPECT_EQ(end(alone, method), end(second, method)) << method;
  }
}

namespace {

/// Returns L = v^2/2 + r (x - t), whose multiplier r has no velocity.
simulate::Problem driven_by_a_multiplier(const std::shared_ptr<symbolic::Graph>& graph) {
  mechanics::System system = mechanics::make_system(
      geometry::tangent(graph, {{graph->symbol("x"), graph->symbol("r")}, {graph->symbol("v"), graph->symbol("s")}}));
  const symbolic::Expr x = graph->symbol("x");
  const symbolic::Expr r = graph->symbol("r");
  const symbolic::Expr v = graph->symbol("v");
  const symbolic::Expr k = graph->symbol("k");
  system.parameters.push_back({k, 2.0});
  system.generator = v * v / 2.0 + k * r * (x - system.t);
  simulate::Problem problem{std::move(system), {{"v", 1.0}}, {}, {}, std::nullopt, {}};
  problem.settings.t_end = 1;
  return problem;
}

}  // namespace

TEST(Simulator, AnalysesASingularLagrangianOnceForItsOwnStartAndParameters) {
  const auto graph = std::make_shared<symbolic::Graph>();
  const simulate::Problem problem = driven_by_a_multiplier(graph);
  const Simulator simulator(problem.system, {}, problem.initial);
  const auto first = simulator.run(problem.initial, problem.settings, {{"k", 2.0}});
  const std::size_t nodes = graph->size();
  const auto second = simulator.run(problem.initial, problem.settings, {{"k", 2.0}});
  EXPECT_EQ(graph->size(), nodes);
  EXPECT_NEAR(first["x"].back(), 1, 1e-9);
  EXPECT_EQ(first["x"], second["x"]);
}

TEST(Simulator, RefusesMethodsForSingularLagrangiansByTheHessianAlone) {
  const auto graph = std::make_shared<symbolic::Graph>();
  simulate::Problem problem = driven_by_a_multiplier(graph);
  simulate::require_singular_method(problem);
  problem.settings.method = "contact-gauss-4";
  EXPECT_THROW(simulate::require_singular_method(problem), Refused);
  problem.settings.step = 0.1;
  try {
    simulate::require_singular_method(problem);
    FAIL() << "the method follows no singular Lagrangian";
  } catch (const Refused& refusal) {
    EXPECT_EQ(refusal.problem(), "method contact-gauss-4 does not follow singular Lagrangians");
  }
}

TEST(Simulator, RunsBackwardsToItsStart) {
  const Simulator simulator(oscillator_of_mass());
  auto s = settings("reference", 5);
  s.tolerance = 1e-12;
  const auto there = simulator.run({{"q", 1.0}, {"v", 0.3}}, s);
  s.t_end = 0;
  const auto back =
      simulator.run({{"t", 5.0}, {"q", there["q"].back()}, {"v", there["v"].back()}, {"z", there["z"].back()}}, s);
  EXPECT_NEAR(back["q"].back(), 1.0, 1e-10);
  EXPECT_NEAR(back["z"].back(), 0.0, 1e-10);
}

TEST(Simulator, VerificationFailsForEquationsThatAreNotTheSystems) {
  const auto system = oscillator_of_mass();
  auto wrong = mechanics::derive(system);
  const Expr q = system.algebroid.x[0];
  wrong.f[0] = wrong.f[0] + 0.1 * q;  // a spring a tenth too soft
  wrong.b[0] = wrong.b[0] + 0.1 * q;
  const Simulator simulator(system, wrong);
  for (const std::string method : {"reference", "contact-gauss-4"}) {
    auto s = settings(method, 5);
    if (method == "contact-gauss-4") s.step = 0.01;
    EXPECT_GT(simulator.run({{"q", 1.0}, {"v", 0.5}}, s).facts.largest_energy_residual, 1e-3) << method;
    EXPECT_LT(Simulator(system).run({{"q", 1.0}, {"v", 0.5}}, s).facts.largest_energy_residual, 1e-8) << method;
  }
}

// At rest the potential, gamma z and z^2/20 cancel in E, while the integrating factor has grown to 1e11.
TEST(Simulator, VerifiesAMotionThatHasComeToRest) {
  auto system = oscillator_of_mass();
  const Expr q = system.algebroid.x[0], v = system.algebroid.y[0], z = system.z;
  system.generator = v * v / 2 + cos(q) - 0.2 * z - z * z / 20;
  system.forces[0] = -0.1 * v * abs(v);
  const Simulator simulator(system);
  auto s = settings("reference", 60);
  s.tolerance = 1e-12;
  const auto run = simulator.run({{"q", 2.5}}, s);
  EXPECT_GT(run["integrating_factor"].back(), 1e10);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-11);
  auto wrong = simulator.equations();
  wrong.f[0] = wrong.f[0] + 0.01 * v;
  wrong.b[0] = wrong.b[0] + 0.01 * v;
  EXPECT_GT(Simulator(system, wrong).run({{"q", 2.5}}, s).facts.largest_energy_residual, 1e-3);
}

TEST(Simulator, ReportsASingularVelocityHessianAtTheStart) {
  auto system = oscillator_of_mass();
  const Expr v = system.algebroid.y[0];
  system.generator = pow(v, 4) / 4 - system.algebroid.x[0] - system.z / 10;
  const Simulator simulator(system);
  try {
    (void)simulator.run({{"q", 1.0}}, settings("reference", 1));
    FAIL() << "W = 3 v^2 vanishes at v = 0";
  } catch (const simulate::RunFailed& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("singular velocity Hessian"), HasSubstr("t = 0"), HasSubstr("v = 0")));
    EXPECT_FALSE(e.partial.facts.complete);
    EXPECT_EQ(e.partial.rows(), 0u);
  }
  EXPECT_LT(simulator.run({{"q", 1.0}, {"v", 1.0}}, settings("reference", 0.1)).facts.largest_energy_residual, 1e-8);
}

TEST(Simulator, ReportsALagrangianThatIsRegularNowhere) {
  auto system = oscillator_of_mass();
  system.generator = 3.0 * system.algebroid.y[0] - system.z / 10;
  const Simulator simulator(system);
  for (const std::string method : {"reference", "stiff", "radau-5", "contact-gauss-2"}) {
    auto s = settings(method, 1);
    if (method == "contact-gauss-2") s.step = 0.1;
    EXPECT_THAT(
        message_of([&] { (void)simulator.run({{"q", 1.0}}, s); }),
        HasSubstr(
            "the Lagrangian is singular, and its equations have no solution: level 2 of its constraints demands"));
  }
}

TEST(Simulator, TakesBodiesOfVeryDifferentMassForRegular) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr a = graph->symbol("a"), b = graph->symbol("b"), va = graph->symbol("va"), vb = graph->symbol("vb");
  auto system = mechanics::make_system(geometry::tangent(graph, {{a, b}, {va, vb}}));
  system.generator = 1e-9 * va * va + 1e9 * vb * vb - system.z / 10;
  EXPECT_NO_THROW((void)Simulator(system).run({{"va", 1.0}, {"vb", 1.0}}, settings("reference", 1)));
}

// Nine coupled oscillators, of more accelerations than straight-line code gives: the Jacobian of their mass form is
// derived for the methods that read it, once, and whenever that is it has the same bits.
TEST(Simulator, DerivesTheJacobianOfAMassFormForMethodsThatReadIt) {
  const auto chain = [] {
    auto graph = std::make_shared<symbolic::Graph>();
    std::vector<Expr> q, v;
    for (std::size_t i = 0; i < 9; ++i) {
      q.push_back(graph->symbol("q" + std::to_string(i)));
      v.push_back(graph->symbol("v" + std::to_string(i)));
    }
    auto system = mechanics::make_system(geometry::tangent(graph, {q, v}));
    system.generator = -system.z / 10;
    for (std::size_t i = 0; i < 9; ++i) {
      system.generator += v[i] * v[i] / 2 + cos(q[i]);
      if (i > 0) system.generator += cos(q[i] - q[i - 1]) * v[i] * v[i - 1] / 4;
    }
    return system;
  };
  const auto end_of = [](const Simulator& simulator, const std::string& method) {
    const auto run = simulator.run({{"q0", 1.0}, {"v8", 0.5}}, settings(method, 1));
    EXPECT_LT(run.facts.largest_energy_residual, 1e-6) << method;
    std::vector<double> end;
    for (const auto& column : run.columns) end.push_back(column.values.back());
    return end;
  };
  const Simulator simulator(chain());
  (void)end_of(simulator, "reference");
  const auto with = [&](const char* method) {
    return static_cast<bool>(simulator.dynamics_for(*integrate::find_method(method)).mass_jacobian);
  };
  EXPECT_TRUE(simulator.dynamics().mass);
  EXPECT_FALSE(simulator.dynamics().mass_jacobian);
  EXPECT_FALSE(with("reference") || with("contact-gauss-4"));
  auto stiff = std::async(std::launch::async, [&] { return end_of(simulator, "stiff"); });
  auto radau = std::async(std::launch::async, [&] { return end_of(simulator, "radau-5"); });
  EXPECT_EQ(stiff.get(), end_of(Simulator(chain()), "stiff"));
  EXPECT_EQ(radau.get(), end_of(Simulator(chain()), "radau-5"));
  EXPECT_TRUE(with("stiff") && with("radau-5"));
}

TEST(Simulator, KeepsWhatItReachedWhenTheMotionLeavesTheRealNumbers) {
  auto system = oscillator_of_mass();
  const Expr q = system.algebroid.x[0], v = system.algebroid.y[0];
  system.generator = v * v / 2 + pow(q, 4) / 4;  // blows up in finite time
  const Simulator simulator(system);
  try {
    (void)simulator.run({{"q", 1.0}, {"v", 1.0}}, settings("reference", 50));
    FAIL() << "q' = q^3-type growth has no solution up to t = 50";
  } catch (const simulate::RunFailed& e) {
    EXPECT_GT(e.partial.rows(), 2u);
    EXPECT_FALSE(e.partial.facts.complete);
    EXPECT_EQ(e.partial.facts.status, e.what());
    EXPECT_THAT(e.what(), AllOf(HasSubstr("t = "), HasSubstr(", q = "), HasSubstr(", v = ")));
  }
}

TEST(Simulator, StartsFromATinyFirstStepAwayFromTimeZero) {
  auto system = oscillator_of_mass();
  system.generator =
      system.algebroid.y[0] * system.algebroid.y[0] / 2 - system.algebroid.x[0] - 2.0 * system.z / system.t;
  auto s = settings("reference", 2);
  s.tolerance = 1e-13;
  const auto run = Simulator(system).run({{"t", 0.1}, {"q", 1.0}, {"v", -0.03}}, s);
  EXPECT_TRUE(run.facts.complete);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-10);
}

TEST(Simulator, SaysThatStepsFollowADecayThatIsOver) {
  const Simulator simulator(oscillator_of_mass());
  const auto notes = [&](double gamma, const char* method) {
    auto s = settings(method, 5);
    s.tolerance = 1e-8;
    return simulator.run({{"q", 1.0}}, s, {{"gamma", gamma}}).facts.notes;
  };
  const auto named =
      testing::Contains(HasSubstr("the steps follow a decay at rate 2e+04 that the motion no longer shows"));
  EXPECT_THAT(notes(2e4, "reference"), named);
  EXPECT_THAT(notes(2e4, "taylor"), named);
  EXPECT_THAT(notes(2e4, "radau-5"), testing::Not(named));
  EXPECT_THAT(notes(2, "reference"), testing::Not(named));
}

TEST(Simulator, StopsWhenAskedAndKeepsWhatItReached) {
  const Simulator simulator(oscillator_of_mass());
  const auto run = simulator.run({{"q", 1.0}}, settings("reference", 10), {}, [](double f) { return f < 0.5; });
  EXPECT_FALSE(run.facts.complete);
  EXPECT_THAT(run.facts.status, HasSubstr("stopped"));
  EXPECT_NEAR(run["t"].back(), 5, 0.1);
}

TEST(Simulator, SaysWhatIsWrongWithSettings) {
  const Simulator simulator(oscillator_of_mass());
  const auto failure = [&](const Settings& s, const InitialState& initial = {}, const InitialState& parameters = {}) {
    return message_of([&] { (void)simulator.run(initial, s, parameters); });
  };
  EXPECT_THAT(failure(settings("contact-gaus-4", 1)), HasSubstr("did you mean contact-gauss-4"));
  EXPECT_THAT(failure(settings("contact-gauss-4", 1)), HasSubstr("--step"));
  EXPECT_THAT(failure(settings("auto", 1), {{"w", 1.0}}), HasSubstr("unknown initial value 'w'"));
  EXPECT_THAT(failure(settings("auto", 1), {}, {{"gama", 1.0}}), HasSubstr("did you mean gamma"));
  EXPECT_THAT(failure(settings("auto", 1), {{"q", std::nan("")}}), HasSubstr("finite"));
  EXPECT_THAT(failure(settings("auto", std::numeric_limits<double>::infinity())), HasSubstr("t_end"));
  auto s = settings("auto", 1);
  s.step = 0.1;
  s.tolerance = 1e-8;
  EXPECT_THAT(failure(s), HasSubstr("both step and tolerance"));
  s.tolerance.reset();
  s.step = -0.1;
  EXPECT_THAT(failure(s), HasSubstr("positive"));
}

TEST(Simulator, StoresStatesWhenAsked) {
  const Simulator simulator(oscillator_of_mass());
  auto s = settings("contact-gauss-4", 1);
  s.step = 0.01;
  s.output_every = 25;
  EXPECT_THAT(simulator.run({{"q", 1.0}}, s)["t"],
              testing::Pointwise(testing::DoubleNear(1e-15), {0.0, 0.25, 0.5, 0.75, 1.0}));
  s.output_every.reset();
  s.output_step = 0.5;
  EXPECT_THAT(simulator.run({{"q", 1.0}}, s)["t"], testing::Pointwise(testing::DoubleNear(1e-15), {0.0, 0.5, 1.0}));
  s.method = "reference";
  EXPECT_THAT(simulator.run({{"q", 1.0}}, s)["t"], testing::ElementsAre(0, 0.5, 1));
}

TEST(Simulator, AutoChoosesByWhatIsGivenAndSaysWhy) {
  const auto system = oscillator_of_mass();
  auto s = settings("auto", 1);
  EXPECT_EQ(simulate::choose_method(system, s).method, "reference");
  s.step = 0.1;
  EXPECT_EQ(simulate::choose_method(system, s).method, "contact-gauss-4");
  const auto run = Simulator(system).run({{"q", 1.0}}, s);
  EXPECT_EQ(run.facts.method, "contact-gauss-4");
  EXPECT_THAT(run.facts.method_reason, HasSubstr("step"));
}
