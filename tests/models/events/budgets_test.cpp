// Work of friction and loss of impacts as budgets: with them the laws of energy and momentum close over whole runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "contact_runs.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_text.hpp"
#include "io/error_of.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

std::string budget_model(const std::string& coordinates, const std::string& tables) {
  return "[model]\nname = \"budgets\"\n[algebroid]\nkind = \"tangent\"\n" + coordinates + tables;
}

/// Returns the largest |lambda (E - sum of works + sum of losses) - E(0)| over the rows, relative to the largest |E|.
/// Without other sources of the energy law it is zero.
double defect(const analyse::Trajectory& made, const std::vector<std::string>& names) {
  double largest = 0;
  double scale = 0;
  for (std::size_t k = 0; k < made.rows(); ++k) {
    double sum = made["energy"][k];
    for (const auto& name : names) sum -= (name.starts_with("work") ? 1 : -1) * made[name][k];
    largest = std::max(largest, std::abs(made["integrating_factor"][k] * sum - made["energy"][0]));
    scale = std::max({scale, std::abs(made["integrating_factor"][k] * made["energy"][k]), std::abs(made["energy"][0])});
  }
  return largest / scale;
}

std::string belt(const std::string& damping, const std::string& forces = "") {
  return budget_model("base = [\"q\"]\nfibre = [\"v\"]\n",
                      "[dynamics]\nlagrangian = \"v^2/2 - 2*q^2 - " + damping + "*z\"\n" + forces +
                          "[friction]\nbelt = { on = \"v - 0.2\", normal = 2.0, static = 0.4, kinetic = 0.25 }\n"
                          "[initial]\nv = 0.2\n[simulation]\ntolerance = 1e-13\nt_end = 40.0\n");
}

TEST(Budgets, OfAFrictionCloseTheEnergyOverStickAndSlip) {
  for (const std::string damping : {"0", "0.02"}) {
    const auto made = run(belt(damping));
    EXPECT_GT(made["work.belt"].back(), 0.01) << "the belt feeds the block";
    EXPECT_LT(defect(made, {"work.belt"}), 1e-12) << damping;
    EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
  }
}

TEST(Budgets, OfAFrictionHaveTheClosedFormOfSlidingToRest) {
  // All of v^2/2 becomes work against 0.3 over 1/0.6; the distance is that of the incline-free floor.
  for (const std::string how : {"tolerance = 1e-13\n", "method = \"contact-gauss-4\"\nstep = 0.1\n",
                                "method = \"radau-5\"\ntolerance = 1e-12\n"}) {
    const auto made =
        run(budget_model("base = [\"q\"]\nfibre = [\"v\"]\n",
                         "[dynamics]\nlagrangian = \"v^2/2\"\n[friction]\nfloor = { on = \"v\", static = 0.4, "
                         "kinetic = 0.3 }\n[initial]\nv = 1.0\n[simulation]\nt_end = 5.0\n" +
                             how));
    EXPECT_NEAR(made["work.floor"].back(), -0.5, 1e-12) << how;
    for (std::size_t k = 0; k < made.rows(); ++k)
      EXPECT_NEAR(made["work.floor"][k], -0.3 * made["q"][k], 1e-12) << how << made["t"][k];
    EXPECT_LT(defect(made, {"work.floor"}), 1e-12) << how;
  }
}

TEST(Budgets, CloseOverTheSquealOfABrake) {
  auto problem = parse_model(std::string(gallery_text("brake-squeal")));
  problem.settings.t_end = 40;
  problem.settings.tolerance = 1e-13;
  const auto made = simulate::simulate(problem);
  EXPECT_GT(std::abs(made["work.pad"].back()), 0.1);
  EXPECT_LT(defect(made, {"work.pad"}), 1e-12);
}

TEST(Budgets, TellTheWorkOfTwoFrictionsApart) {
  // The upper body slides on the lower one for 1/1.35, by 1/2.7; the floor takes the rest.
  const auto made =
      run(budget_model("base = [\"q\", \"x\"]\nfibre = [\"v\", \"w\"]\n",
                       "[dynamics]\nlagrangian = \"v^2/2 + w^2\"\n[friction]\nbodies = { on = \"v - w\", static "
                       "= 1 }\nfloor = { on = \"w\", static = 0.3 }\n[initial]\nv = 1.0\n[simulation]\n"
                       "tolerance = 1e-13\nt_end = 6.0\n"));
  EXPECT_NEAR(made["work.bodies"].back(), -1 / 2.7, 1e-12);
  EXPECT_NEAR(made["work.floor"].back(), -0.5 + 1 / 2.7, 1e-12);
  EXPECT_LT(defect(made, {"work.bodies", "work.floor"}), 1e-12);
}

TEST(Budgets, ShowAForceThatIsNoneOfThem) {
  const auto made = run(belt("0", "forces = { v = \"-0.001*v\" }\n"));
  EXPECT_GT(defect(made, {"work.belt"}), 1e-4);
  EXPECT_LT(made.facts.largest_energy_residual, 1e-12) << "the law has its power as well";
}

std::string dropped_ball(const std::string& impact, const std::string& more = "", const std::string& damping = "") {
  return budget_model(
      "base = [\"q\", \"x\", \"phi\"]\nfibre = [\"v\", \"u\", \"w\"]\n",
      "[dynamics]\nlagrangian = \"(v^2 + u^2 + 0.4*w^2)/2 - 9.81*q" + damping +
          "\"\n[symmetries]\nup = [\"1\", \"0\", \"0\"]\nalong = [\"0\", \"1\", \"0\"]\nspin = [\"0\", \"0\", "
          "\"1\"]\n" +
          more + "[impacts]\nfloor = { gap = \"q\", " + impact +
          " }\n[initial]\nq = 1.0\nu = 2.0\n[simulation]\ntolerance = 1e-13\nt_end = 6.0\n");
}

TEST(Budgets, OfImpactsCloseEveryLawUpToRest) {
  const auto made = run(dropped_ball("restitution = 0.8"));
  EXPECT_NEAR(made["loss.floor"].back(), g, 1e-11);
  EXPECT_LT(defect(made, {"loss.floor", "work.floor"}), 1e-12);
  EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
  for (const auto& [name, residual] : made.facts.largest_momentum_residuals) EXPECT_LT(residual, 1e-12) << name;
}

TEST(Budgets, OfImpactsThatSlipAndStickCloseEveryLaw) {
  for (const std::string friction : {"0.05", "0.9"}) {
    auto problem = parse_model(dropped_ball("restitution = 0.5, friction = " + friction + ", slip = \"u - w\""));
    problem.settings.t_end = 1.0;
    const auto made = simulate::simulate(problem);
    EXPECT_LT(made["work.floor"].back(), -0.1);
    EXPECT_LT(defect(made, {"loss.floor", "work.floor"}), 1e-12) << friction;
    EXPECT_LT(made.facts.largest_energy_residual, 1e-12) << friction;
    for (const auto& [name, residual] : made.facts.largest_momentum_residuals) EXPECT_LT(residual, 1e-12) << name;
  }
}

TEST(Budgets, GoOnFromImpactsToRestContactWithFriction) {
  const auto made = run(dropped_ball("restitution = 0.5, friction = 0.1, slip = \"u\""));
  EXPECT_NEAR(made["u"].back(), 0, 1e-13);
  EXPECT_NEAR(made["loss.floor"].back(), g, 1e-10);
  EXPECT_NEAR(made["work.floor"].back(), -2, 1e-10);
  EXPECT_LT(defect(made, {"loss.floor", "work.floor"}), 1e-12);
}

TEST(Budgets, AreCarriedByTheFactorWhereTheActionDissipates) {
  const auto made = run(dropped_ball("restitution = 0.5, friction = 0.1, slip = \"u - w\"", "", " - 0.3*z"));
  EXPECT_LT(defect(made, {"loss.floor", "work.floor"}), 1e-11);
  EXPECT_LT(made.facts.largest_energy_residual, 1e-11);
}

TEST(Budgets, OfFrictionGoOnThroughImpacts) {
  const auto made = run(dropped_ball("restitution = 0.8", "[friction]\nair = { on = \"u\", static = 0.3 }\n"));
  EXPECT_NEAR(made["work.air"].back(), (0.2 * 0.2 - 4) / 2, 1e-12);
  EXPECT_LT(defect(made, {"loss.floor", "work.floor", "work.air"}), 1e-12);
}

TEST(Budgets, OfAMovingFloorHaveWhatItFeedsIn) {
  // A disc without spin falls onto a belt of velocity 1, and sticks to it: the belt feeds in J u = 1.
  const auto made =
      run(budget_model("base = [\"q\", \"x\"]\nfibre = [\"v\", \"u\"]\n",
                       "[dynamics]\nlagrangian = \"(v^2 + u^2)/2 - 9.81*q\"\n[impacts]\nbelt = { gap = \"q\", "
                       "restitution = 0.5, friction = 2, slip = \"u - 1\" }\n[initial]\nq = 1.0\n[simulation]\n"
                       "tolerance = 1e-13\nt_end = 0.6\n"));
  EXPECT_NEAR(made["u"].back(), 1, 1e-13);
  EXPECT_NEAR(made["work.belt"].back(), 0.5, 1e-13);
  EXPECT_NEAR(made["loss.belt"].back(), g * 0.75, 1e-11);
}

TEST(Budgets, FindTheImpulseOfAnotherBody) {
  // Equations of a ball of twice the mass have the same motion between impacts and twice the impulse in them.
  const std::string text = dropped_ball("restitution = 0.8");
  auto problem = parse_model(text);
  problem.system.symmetries.clear();
  mechanics::System heavy = problem.system;
  heavy.generator = 2 * heavy.generator;
  problem.settings.t_end = 1.0;
  const auto right = simulate::Simulator(problem.system).run(problem.initial, problem.settings);
  EXPECT_LT(right.facts.largest_energy_residual, 1e-12);
  const auto wrong =
      simulate::Simulator(problem.system, mechanics::derive(heavy)).run(problem.initial, problem.settings);
  EXPECT_NEAR(wrong["q"].back(), right["q"].back(), 1e-10);
  EXPECT_GT(wrong.facts.largest_energy_residual, 0.1);
}

TEST(Budgets, HaveNamesOfTheirOwn) {
  EXPECT_THAT(error_of([&] {
                std::ignore =
                    parse_model(dropped_ball("restitution = 0.8", "[friction]\nfloor = { on = \"u\", static = 1 }\n"));
              }),
              HasSubstr("there is a friction 'floor' already, with columns of the same names; give the impact another "
                        "name"));
  EXPECT_THAT(error_of([&] {
                std::ignore = parse_model(
                    dropped_ball("restitution = 0.8",
                                 "[friction]\nair = { on = \"u\", static = 1 }\n[observables]\n\"work.air\" = "
                                 "\"u\"\n"));
              }),
              HasSubstr("the observable 'work.air' has the name of a column of this friction"));
}

}  // namespace
}  // namespace herglotz::io
