// Frictions on one velocity and on two that are at rest together on velocities which depend on each other: they hold
// what the sum of their forces allows, and those slip that the forces of maximal dissipation let slip.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {
namespace {

/// A block of mass 1 and inertia 1 under a load on its centre and a moment.
struct Block {
  std::string x = "0";
  std::string y = "0";
  std::string moment = "0";
  std::string frictions;
  std::string start = "x = 0\n";
};

analyse::Trajectory run_of_block(const Block& block, const std::string& method, double t_end, double accuracy = 0) {
  const bool adaptive = integrate::find_method(method)->adaptive;
  if (accuracy == 0) accuracy = adaptive ? 1e-11 : 1e-2;
  auto made = simulate::simulate(parse_model(fmt::format(R"([algebroid]
kind = "tangent"
base = ["x", "y", "a"]
fibre = ["vx", "vy", "w"]
[dynamics]
lagrangian = "(vx^2 + vy^2 + w^2)/2"
forces = {{ vx = "{}", vy = "{}", w = "{}" }}
[friction]
{}[initial]
{}[simulation]
method = "{}"
{} = {}
t_end = {}
)",
                                                         block.x, block.y, block.moment, block.frictions, block.start,
                                                         method, adaptive ? "tolerance" : "step", accuracy, t_end)));
  EXPECT_TRUE(made.facts.complete) << method << ": " << made.facts.status;
  return made;
}

const std::vector<std::string> methods{"radau-5",         "stiff",           "runge-kutta-4",
                                       "contact-gauss-2", "contact-gauss-4", "contact-dla-2"};
constexpr const char* floor_alone = "floor = { on = [\"vx\", \"vy\"], static = 0.4 }\n";
constexpr const char* turning_friction = "turning = { on = \"w\", static = 5 }\n";

// Of the load t (0.5, 0.1) the rail can take 0.3 along x, and the floor the rest up to 0.4: (t/2 - 0.3)^2 + (t/10)^2 =
// 0.4^2 at t0 = (0.3 + sqrt(0.1628))/0.52. Then both slip, as the floor alone does under the load without 0.3.
TEST(MixedFrictions, HoldWhatTheirSumAllowsAndSlipTogether) {
  const double t0 = (0.3 + std::sqrt(0.1628)) / 0.52;
  const std::string rail = "rail = { on = \"vx\", static = 0.3 }\n";
  const auto alone = run_of_block(
      {.x = "0.5*t - 0.3", .y = "0.1*t", .frictions = std::string(floor_alone) + turning_friction}, "radau-5", 3);
  for (const std::string& method : methods) {
    for (const std::string& frictions :
         {floor_alone + rail + turning_friction, rail + floor_alone + turning_friction}) {
      SCOPED_TRACE(method + "\n" + frictions);
      const auto made = run_of_block({.x = "0.5*t", .y = "0.1*t", .frictions = frictions}, method, 3);
      for (std::size_t k = 0; k < made.rows(); ++k) {
        const double t = made["t"][k];
        const double force = made["friction.rail"][k];
        EXPECT_LE(std::abs(force), 0.3 * (1 + 1e-9)) << t;
        EXPECT_LE(made["friction.floor"][k], 0.4 * (1 + 1e-9)) << t;
        EXPECT_EQ(made["mode.rail"][k], t < t0 - 1e-8 ? 0 : 1) << t;
        EXPECT_EQ(made["mode.floor"][k], t < t0 - 1e-8 ? 0 : 1) << t;
        if (t > t0) continue;
        EXPECT_NEAR(made["vx"][k], 0, 1e-30) << t;
        EXPECT_NEAR(made["friction.floor"][k], std::hypot(0.5 * t + force, 0.1 * t), 1e-12) << t;
      }
      const double error = method == "contact-gauss-2" || method == "contact-dla-2" ? 1e-4 : 2e-8;
      for (const char* name : {"x", "y", "vx", "vy"}) EXPECT_NEAR(made[name].back(), alone[name].back(), error) << name;
      EXPECT_THAT(made.facts.notes, testing::Contains(testing::HasSubstr("one of many choices")));
    }
  }
}

// A moment t about the pad A in the centre. The pad B at (1, 0) holds 0.2 of it against 0.2 of A, which could take 0.4,
// and the bearing 0.3. Beyond 0.5 the block turns about A, which goes on to hold it: w = (t - 0.5)^2/2.
TEST(MixedFrictions, LetABlockTurnAboutThePadThatIsStrongEnough) {
  const std::string frictions =
      "A = { on = [\"vx\", \"vy\"], static = 0.4 }\n"
      "bearing = { on = \"w\", static = 0.3 }\n"
      "B = { on = [\"vx\", \"vy + w\"], static = 0.2 }\n";
  for (const std::string& method : methods) {
    SCOPED_TRACE(method);
    const auto made = run_of_block({.moment = "t", .frictions = frictions}, method, 0.9);
    for (std::size_t k = 0; k < made.rows(); ++k) {
      const double t = made["t"][k];
      EXPECT_NEAR(made["w"][k], t < 0.5 ? 0 : (t - 0.5) * (t - 0.5) / 2, 1e-8) << t;
      EXPECT_EQ(made["mode.A"][k], 0);
      EXPECT_NEAR(made["vx"][k], 0, 1e-12);
      EXPECT_NEAR(made["vy"][k], 0, 1e-12);
      // The motion about A asks for the force -x'' = 0 along x: A has what B gives against it.
      EXPECT_NEAR(made["friction.A"][k], made["friction.B"][k], 1e-6) << t;
    }
    EXPECT_EQ(made["mode.B"].back(), 1);
    EXPECT_EQ(made["mode.bearing"].back(), 1);
  }
}

// Two rails on one velocity beside the floor, with kinetic forces below the static ones: 0.1 + 2 * 0.1 are held as 0.3
// before, and while slipping all give 0.05 + 2 * 0.02 along x. The laws of each friction hold in every row.
TEST(MixedFrictions, OfThreeKindsObeyTheirLaws) {
  const double t0 = (0.3 + std::sqrt(0.1628)) / 0.52;
  const std::string frictions = std::string(turning_friction) +
                                "floor = { on = [\"vx\", \"vy\"], static = 0.4, kinetic = 0.3 }\n"
                                "one = { on = \"vx\", static = 0.1, kinetic = 0.05 }\n"
                                "two = { on = \"2*vx\", static = 0.1, kinetic = 0.02 }\n";
  const auto reference = run_of_block({.x = "0.5*t", .y = "0.1*t", .frictions = frictions}, "reference", 3);
  EXPECT_LT(reference.facts.largest_energy_residual, 1e-12);
  for (const std::string& method : methods) {
    SCOPED_TRACE(method);
    const auto made = run_of_block({.x = "0.5*t", .y = "0.1*t", .frictions = frictions}, method, 3);
    for (std::size_t k = 0; k < made.rows(); ++k) {
      const double t = made["t"][k];
      const bool rests = t < t0 - 1e-8;
      EXPECT_EQ(made["mode.one"][k], rests ? 0 : 1) << t;
      EXPECT_EQ(made["mode.two"][k], rests ? 0 : 1) << t;
      if (rests) {
        const double along = 0.5 * t + made["friction.one"][k] + 2 * made["friction.two"][k];
        EXPECT_NEAR(made["friction.floor"][k], std::hypot(along, 0.1 * t), 1e-12) << t;
        EXPECT_LE(std::abs(made["friction.one"][k]), 0.1 * (1 + 1e-9));
        EXPECT_LE(std::abs(made["friction.two"][k]), 0.1 * (1 + 1e-9));
        EXPECT_NEAR(made["x"][k], 0, 1e-30);
      } else {
        EXPECT_NEAR(made["friction.floor"][k], 0.3, 1e-12);
        EXPECT_EQ(made["friction.one"][k], -0.05);
        EXPECT_EQ(made["friction.two"][k], -0.02);
      }
    }
    for (const char* name : {"vx", "vy"}) EXPECT_NEAR(made[name].back(), reference[name].back(), 1e-6) << name;
  }
}

// A slip comes to rest on the rail first, then on the floor, and both share a load that neither could hold alone.
TEST(MixedFrictions, ComeToRestAndShareALoadThatNeitherCouldHold) {
  const std::string frictions =
      floor_alone + std::string("rail = { on = \"vx\", static = 0.35, kinetic = 0.3 }\n") + turning_friction;
  for (const std::string& method : methods) {
    SCOPED_TRACE(method);
    const auto made =
        run_of_block({.x = "0.6", .y = "0.05", .frictions = frictions, .start = "vx = 0.1\nvy = 0.3\n"}, method, 6);
    EXPECT_EQ(made["mode.floor"].back(), 0);
    EXPECT_EQ(made["mode.rail"].back(), 0);
    const double force = made["friction.rail"].back();
    EXPECT_LE(std::abs(force), 0.35);
    EXPECT_LE(made["friction.floor"].back(), 0.4);
    EXPECT_NEAR(made["friction.floor"].back(), std::hypot(0.6 + force, 0.05), 1e-12);
    EXPECT_NEAR(made["vx"].back(), 0, 1e-13);
    EXPECT_NEAR(made["vy"].back(), 0, 1e-13);
  }
}

}  // namespace
}  // namespace herglotz::io
