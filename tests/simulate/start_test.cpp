// Starts from momenta and from two positions, against the velocities that they stand for.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/conflicting_values.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "message_of.hpp"

namespace {

using namespace herglotz;
using simulate::InitialState;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;
using testing::AllOf;
using testing::HasSubstr;

/// A system on TR^n with coordinates q<i>, v<i> (q, v for n = 1), gamma = -0.05, and the given Lagrangian.
mechanics::System tangent_system(const std::string& lagrangian, std::size_t n = 1) {
  auto graph = std::make_shared<symbolic::Graph>();
  std::vector<Expr> q;
  std::vector<Expr> v;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string number = n == 1 ? "" : std::string(1, static_cast<char>('a' + i));
    q.push_back(graph->symbol("q" + number));
    v.push_back(graph->symbol("v" + number));
  }
  auto system = mechanics::make_system(geometry::tangent(graph, {q, v}));
  system.name = "start";
  system.parameters.push_back({graph->symbol("gamma"), -0.05});
  symbolic::Scope scope{{"gamma", system.parameters[0].symbol}, {"z", system.z}, {"t", system.t}};
  for (const auto* list : {&q, &v})
    for (const Expr& symbol : *list) scope.emplace(symbol.name(), symbol);
  system.generator = symbolic::parse(*graph, lagrangian, scope);
  return system;
}

/// The system with the discrete Lagrangian in q0, q1, z0, z1, t0, h and gamma.
discrete::DiscreteLagrangian discrete_lagrangian(const mechanics::System& system, const std::string& ell) {
  auto symbols = discrete::discrete_symbols(system);
  symbolic::Scope scope{{"gamma", system.parameters[0].symbol}};
  for (const auto* list : {&symbols.q0, &symbols.q1})
    for (const Expr& symbol : *list) scope.emplace(symbol.name(), symbol);
  for (const Expr& symbol : {symbols.z0, symbols.z1, symbols.t0, symbols.h}) scope.emplace(symbol.name(), symbol);
  symbols.ell = symbolic::parse(system.graph(), ell, scope);
  return symbols;
}

Settings settings_at_step(std::string method, double step, double t_end) {
  Settings s;
  s.method = std::move(method);
  s.step = step;
  s.t_end = t_end;
  return s;
}

const std::string free_particle = "v^2/2 + gamma*z";
const std::string ell_of_free_particle = "(q1 - q0)^2/(2*h) + h*gamma*z0";

}  // namespace

TEST(StartFromMomenta, FindsTheVelocityOfALagrangianThatIsNotQuadratic) {
  const Simulator simulator(tangent_system("v^4/4 + exp(z)*cosh(v - q) + gamma*z"));
  const double q = 0.3;
  const double v = -0.7;
  const double z = 0.2;
  const double p = v * v * v + std::exp(z) * std::sinh(v - q);
  const auto start = simulator.start({{"q", q}, {"p_v", p}, {"z", z}, {"t", 2.0}}, {});
  EXPECT_NEAR(start.at("v"), v, 1e-14);
  EXPECT_EQ(start.at("t"), 2);
  EXPECT_FALSE(start.contains("p_v"));
}

TEST(StartFromMomenta, FindsAVelocityWhereTheHessianVanishesAtRest) {
  EXPECT_NEAR(Simulator(tangent_system("v^4/4 + gamma*z")).start({{"p_v", 8.0}}, {}).at("v"), 2, 1e-12);
}

TEST(StartFromMomenta, InvertsAHessianThatCouplesTheVelocities) {
  const Simulator simulator(tangent_system("va^2 + va*vb*cos(qa) + vb^2 + gamma*z", 2));
  const double c = std::cos(0.5);
  const auto start = simulator.start({{"qa", 0.5}, {"p_va", 2 * 0.3 + c * -0.4}, {"p_vb", 2 * -0.4 + c * 0.3}}, {});
  EXPECT_NEAR(start.at("va"), 0.3, 1e-15);
  EXPECT_NEAR(start.at("vb"), -0.4, 1e-15);
}

TEST(StartFromMomenta, TakesMomentaThatAreNotNamedAsZero) {
  const Simulator simulator(tangent_system("va^2 + va*vb + vb^2 + gamma*z", 2));
  const auto start = simulator.start({{"p_va", 3.0}}, {});
  EXPECT_NEAR(start.at("va"), 2, 1e-15);
  EXPECT_NEAR(start.at("vb"), -1, 1e-15);
}

TEST(StartFromMomenta, IsThereOnALieAlgebra) {
  auto graph = std::make_shared<symbolic::Graph>();
  const std::vector<Expr> w{graph->symbol("w1"), graph->symbol("w2"), graph->symbol("w3")};
  auto system =
      mechanics::make_system(geometry::lie_algebra(graph, {{}, w}, geometry::group_structure(*graph, "so3", 3)));
  system.generator = (w[0] * w[0] + 2 * w[1] * w[1] + 4 * w[2] * w[2]) / 2 - system.z / 5;
  const auto start = Simulator(system).start({{"p_w1", 1.0}, {"p_w2", 1.0}, {"p_w3", 1.0}}, {});
  EXPECT_NEAR(start.at("w2"), 0.5, 1e-15);
  EXPECT_NEAR(start.at("w3"), 0.25, 1e-15);
}

TEST(StartFromMomenta, RunsAsTheStartFromTheirVelocities) {
  const Simulator simulator(tangent_system("(1 + q^2)*v^2/2 - q^2/2 + gamma*z"));
  for (const std::string method : {"reference", "stiff", "radau-5", "contact-gauss-4"}) {
    auto s = settings_at_step(method, 0.01, 1);
    if (method != "contact-gauss-4") s.step.reset();
    const auto by_velocity = simulator.run({{"q", 1.0}, {"v", 0.5}}, s);
    const auto by_momentum = simulator.run({{"q", 1.0}, {"p_v", 1.0}}, s);
    EXPECT_EQ(by_velocity["q"], by_momentum["q"]) << method;
    EXPECT_THAT(by_momentum.facts.notes, testing::ElementsAre("velocities found from the momenta p_v = 1"));
    EXPECT_THAT(by_momentum.facts.initial, testing::Contains(testing::Pair("v", 0.5)));
  }
}

TEST(StartFromMomenta, StaysOffVelocitiesAndUnknownNames) {
  const Simulator simulator(tangent_system("(va^2 + vb^2)/2 + gamma*z", 2));
  EXPECT_EQ(message_of([&] { (void)simulator.start({{"va", 1.0}, {"p_vb", 1.0}}, {}); }),
            "p_vb and va are given: a velocity and a momentum; start from velocities alone, or from momenta alone");
  EXPECT_EQ(message_of([&] { (void)simulator.start({{"p_vc", 1.0}}, {}); }),
            "unknown initial value 'p_vc'; did you mean p_va, p_vb?");
  EXPECT_THAT(message_of([&] { (void)simulator.start({{"p_va", std::numeric_limits<double>::infinity()}}, {}); }),
              HasSubstr("'p_va' is inf"));
}

TEST(StartFromMomenta, FailsInOneSentenceWhereNoVelocityHasThem) {
  const Simulator simulator(tangent_system("atan(v)*v - log(1 + v^2)/2 + gamma*z"));  // p = atan(v)
  EXPECT_NEAR(simulator.start({{"p_v", 1.0}}, {}).at("v"), std::tan(1.0), 1e-13);
  const std::string none = "no velocity with the momenta p_v = 2 was found at the start; start from velocities";
  EXPECT_EQ(message_of([&] { (void)simulator.run({{"p_v", 2.0}}, settings_at_step("contact-gauss-4", 0.1, 1)); }),
            none);
  try {
    (void)simulator.run({{"p_v", 2.0}}, settings_at_step("contact-gauss-4", 0.1, 1));
    FAIL();
  } catch (const simulate::RunFailed& failed) {
    EXPECT_EQ(failed.partial.facts.status, none);
    EXPECT_EQ(failed.partial.rows(), 0U);
  }
}

TEST(ValuesThatAreSet, ReplaceWhatAStartHasOfAnotherKind) {
  auto system = tangent_system("v^2/2 + gamma*z");
  const auto left = [&](const std::string& name) {
    InitialState initial{{"q", 1.0}, {"v", 2.0}, {"p_v", 3.0}, {"z", 4.0}};
    InitialState next{{"q", 5.0}};
    simulate::drop_conflicting_values(system, name, initial, next);
    return std::pair{initial, next};
  };
  const InitialState given{{"q", 1.0}, {"v", 2.0}, {"p_v", 3.0}, {"z", 4.0}};
  EXPECT_EQ(left("v").first, (InitialState{{"q", 1.0}, {"v", 2.0}, {"z", 4.0}}));
  EXPECT_EQ(left("p_v").first, (InitialState{{"q", 1.0}, {"p_v", 3.0}, {"z", 4.0}}));
  EXPECT_EQ(left("q").first, given);
  EXPECT_TRUE(left("v").second.empty());
  EXPECT_TRUE(left("p_v").second.empty());
  EXPECT_EQ(left("z").second.size(), 1U);
  system.formulation = mechanics::Formulation::hamiltonian;
  EXPECT_EQ(left("p_v").first, given);
  EXPECT_TRUE(left("p_v").second.empty());
}

TEST(StartFromTwoPositions, HasTheMomentumOfTheFirstDiscreteLegendreMap) {
  const auto system = tangent_system(free_particle);
  const Simulator simulator(system, {}, {}, discrete_lagrangian(system, ell_of_free_particle));
  const auto s = settings_at_step("discrete-herglotz", 0.5, 5);
  // [ASMLL20, Eq. 40]: p0 = -D1 L_d/(1 + D_z L_d) = ((q1 - q0)/h)/(1 + gamma h)
  EXPECT_NEAR(simulator.start({{"q", 1.0}}, s, {}, {{"q", 2.0}}).at("v"), 2 / 0.975, 1e-15);
  const auto run = simulator.run({{"q", 1.0}}, s, {}, {}, {{"q", 2.0}});
  EXPECT_NEAR(run["q"][1], 2, 1e-15);
  EXPECT_THAT(run.facts.notes, testing::ElementsAre("momenta p_v = 2.05128205 found from the second position q = 2"));
}

TEST(StartFromTwoPositions, SolvesForTheActionWhereTheDiscreteLagrangianUsesBoth) {
  const auto system = tangent_system("v^2/2 - q^2/2 + gamma*z^2");
  const Simulator simulator(system, {}, {},
                            discrete_lagrangian(system, "(q1 - q0)^2/(2*h) - h*q0*q1/2 + h*gamma*(z0^2 + z1^2)/2"));
  const double h = 0.25;
  const double q0 = 1;
  const double q1 = 1.5;
  const double z0 = 0.4;
  // z1 = z0 + ell is a quadratic equation for z1
  const double a = h * -0.05 / 2;
  const double ell0 = (q1 - q0) * (q1 - q0) / (2 * h) - h * q0 * q1 / 2 + a * z0 * z0;
  const double z1 = 2 * (z0 + ell0) / (1 + std::sqrt(1 - 4 * a * (z0 + ell0)));
  const double p0 = ((q1 - q0) / h + h * q1 / 2) / (1 + 2 * a * z0);
  const auto run =
      simulator.run({{"q", q0}, {"z", z0}}, settings_at_step("discrete-herglotz", h, 2), {}, {}, {{"q", q1}});
  EXPECT_NEAR(run["v"][0], p0, 1e-14);
  EXPECT_NEAR(run["q"][1], q1, 1e-13);
  EXPECT_NEAR(run["z"][1], z1, 1e-13);
}

TEST(StartFromTwoPositions, RunsBackwardsFromTheFirstToTheSecond) {
  const auto system = tangent_system(free_particle);
  const Simulator simulator(system, {}, {}, discrete_lagrangian(system, ell_of_free_particle));
  const auto run = simulator.run({{"q", 1.0}}, settings_at_step("discrete-herglotz", 0.5, -2), {}, {}, {{"q", 2.0}});
  EXPECT_EQ(run["t"][1], -0.5);
  EXPECT_NEAR(run["q"][1], 2, 1e-15);
}

TEST(StartFromTwoPositions, IsForDiscreteMethods) {
  const auto system = tangent_system(free_particle);
  const Simulator simulator(system, {}, {}, discrete_lagrangian(system, ell_of_free_particle));
  EXPECT_EQ(
      message_of([&] {
        (void)simulator.run({{"q", 1.0}}, settings_at_step("contact-gauss-4", 0.5, 5), {}, {}, {{"q", 2.0}});
      }),
      "[initial.next] starts a discrete motion, which method contact-gauss-4 does not follow; choose discrete-herglotz "
      "and a "
      "step, or "
      "start from velocities or momenta");
}

TEST(StartFromTwoPositions, RefusesAVelocityBesideThemAndUnknownCoordinates) {
  const auto system = tangent_system(free_particle);
  const Simulator simulator(system, {}, {}, discrete_lagrangian(system, ell_of_free_particle));
  const auto failure = [&](const InitialState& initial, const InitialState& next) {
    return message_of([&] { (void)simulator.run(initial, settings_at_step("auto", 0.5, 5), {}, {}, next); });
  };
  EXPECT_EQ(failure({{"v", 1.0}}, {{"q", 2.0}}),
            "v is given beside [initial.next]; keep one of them: the momentum follows from two positions");
  EXPECT_EQ(failure({{"p_v", 1.0}}, {{"q", 2.0}}),
            "p_v is given beside [initial.next]; keep one of them: the momentum follows from two positions");
  EXPECT_EQ(failure({}, {{"x", 2.0}}), "unknown base coordinate of [initial.next] 'x'; known are q");
  EXPECT_THAT(failure({}, {{"q", std::numeric_limits<double>::quiet_NaN()}}), HasSubstr("'next.q' is nan"));
}

TEST(StartFromTwoPositions, RefusesAStepOfNonpositiveFactor) {
  const auto system = tangent_system(free_particle);
  const Simulator simulator(system, {}, {}, discrete_lagrangian(system, ell_of_free_particle));
  EXPECT_EQ(message_of([&] {
              (void)simulator.run({{"q", 1.0}}, settings_at_step("discrete-herglotz", 20, 40), {}, {}, {{"q", 2.0}});
            }),
            "sigma_d = 0 between the first two positions, where it must be positive; take a step of at most 10");
}

TEST(AutomaticMethod, IsThatOfTheDiscreteLagrangianWhereAStepIsGiven) {
  const auto system = tangent_system(free_particle);
  const auto chosen = simulate::choose_method(system, settings_at_step("auto", 0.5, 5), true);
  EXPECT_EQ(chosen.method, "discrete-herglotz");
  EXPECT_THAT(chosen.reason, HasSubstr("[discrete]"));
  auto without = settings_at_step("auto", 0.5, 5);
  without.step.reset();
  EXPECT_EQ(simulate::choose_method(system, without, true).method, "reference");
  EXPECT_EQ(simulate::choose_method(system, settings_at_step("auto", 0.5, 5), false).method, "contact-gauss-4");
}

TEST(OutputStep, NeedBeNoMultipleOfTheStepOfAMotionInContinuousTime) {
  const Simulator simulator(tangent_system("v^2/2 - q^2/2 + gamma*z"));
  auto s = settings_at_step("contact-gauss-6", 0.1, 1);
  s.output_step = 0.25;
  const auto run = simulator.run({{"q", 1.0}}, s);
  EXPECT_THAT(run["t"], testing::Pointwise(testing::DoubleNear(1e-15), {0.0, 0.25, 0.5, 0.75, 1.0}));
  s.step = 0.05;
  const auto whole = simulator.run({{"q", 1.0}}, s);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(run["q"][k], whole["q"][k], 1e-8);
  s.step = 0.25 / 2;
  EXPECT_EQ(simulator.run({{"q", 1.0}}, s).facts.steps, 8U);
}

TEST(OutputStep, IsAMultipleOfTheStepOfADiscreteMotion) {
  const auto system = tangent_system(free_particle);
  const Simulator simulator(system, {}, {}, discrete_lagrangian(system, ell_of_free_particle));
  auto s = settings_at_step("discrete-herglotz", 0.1, 1);
  s.output_step = 0.25;
  EXPECT_EQ(
      message_of([&] { (void)simulator.run({{"v", 1.0}}, s); }),
      "output_step = 0.25 is not a multiple of step = 0.1, and a discrete motion has no states between its steps; "
      "choose 0.3 or another step");
}

TEST(LastStep, IsAWholeOneWhereTheDiscreteLagrangianHasNoStep) {
  const auto system = tangent_system(free_particle);
  const Simulator simulator(system, {}, {}, discrete_lagrangian(system, "(q1 - q0)^2 + gamma*z0"));
  EXPECT_EQ(
      message_of([&] { (void)simulator.run({{"v", 1.0}}, settings_at_step("discrete-herglotz", 0.4, 1)); }),
      "t_end = 1 is not a whole number of steps of 0.4 from the start, and the discrete Lagrangian has no step h that "
      "could be shorter; choose t_end = 1.2");
  EXPECT_EQ(simulator.run({{"v", 1.0}}, settings_at_step("discrete-herglotz", 0.5, 1)).facts.steps, 2U);
}
