#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/io/model_text.hpp"
#include "herglotz/io/problem_file.hpp"
#include "io/error_of.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A block on a belt with a spring, and with these tables.
std::string block(const std::string& tables, const std::string& dynamics = "lagrangian = \"m*v^2/2 - k*q^2/2\"\n") {
  return R"([model]
name = "block"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
m = 1.0
k = 4.0
u = 0.2
mu = 0.4
[dynamics]
)" + dynamics +
         tables;
}

std::string belt(const std::string& entry) {
  return block("[friction]\nbelt = " + entry + "\n");
}

const std::string good = R"({ on = "v - u", normal = "2*m", static = "mu", kinetic = 0.25 })";
const std::string run_tables = "[initial]\nv = \"u\"\n[simulation]\ntolerance = 1e-12\nt_end = 3.0\n";

std::string error(const std::string& text) {
  return error_of([&] { parse_model(text, "m.toml"); });
}

TEST(FrictionTable, GivesForcesOfStaticAndKineticFriction) {
  const auto problem = parse_model(belt(good) + run_tables);
  const auto made = simulate::simulate(problem);
  for (std::size_t k = 0; k < made.rows(); ++k) {
    const double t = made["t"][k];
    EXPECT_NEAR(made["q"][k], t < 1 ? 0.2 * t : 0.125 + 0.075 * std::cos(2 * (t - 1)) + 0.1 * std::sin(2 * (t - 1)),
                1e-11);
    EXPECT_EQ(made["mode.belt"][k], t < 1 ? 0 : -1) << t;
  }
  // The force itself instead of coefficients, and one coefficient for both.
  const auto direct =
      simulate::simulate(parse_model(belt(R"({ on = "v - u", static = "2*mu*m", kinetic = 0.5 })") + run_tables));
  EXPECT_EQ(direct["q"].back(), made["q"].back());
  const auto one = simulate::simulate(parse_model(belt(R"({ on = "v - u", static = 0.5 })") + run_tables));
  EXPECT_NEAR(one["q"].back(), 0.125 + 0.1 * std::sin(2 * (3 - 0.125 / 0.2)), 1e-11);
}

TEST(FrictionTable, ANormalForceThatWouldPullIsNone) {
  // The normal force 1 - q vanishes at q = 1, behind which the block is free.
  const auto made = simulate::simulate(
      parse_model(block("[friction]\nbrake = { on = \"v\", normal = \"1 - q\", static = 0.5 }\n[initial]\nv = 1.0\n"
                        "[simulation]\ntolerance = 1e-12\nt_end = 3.0\ncolumns = [\"q\", \"v\", \"friction.brake\"]\n",
                        "lagrangian = \"v^2/2\"\n")));
  const double speed = std::sqrt(0.5);  // the work up to q = 1 is 1/4
  EXPECT_NEAR(made["v"].back(), speed, 1e-12);
  EXPECT_EQ(made["friction.brake"].back(), 0);
}

TEST(FrictionTable, IsWrittenWithItsForces) {
  const auto problem = parse_model(belt(good) + run_tables);
  const auto again = parse_model(text_of(problem, ""));
  ASSERT_EQ(again.system.frictions.size(), 1U);
  EXPECT_TRUE(again.system.smooth_forces[0].is_zero());
  EXPECT_EQ(simulate::simulate(again)["q"].back(), simulate::simulate(problem)["q"].back());
}

TEST(FrictionTable, HasUnits) {
  const std::string units = "[units]\nq = \"m\"\nm = \"kg\"\nk = \"N/m\"\nu = \"m/s\"\n";
  EXPECT_EQ(error(belt(R"({ on = "v - u", static = "0.4*k*q" })") + units), "no error");
  EXPECT_THAT(error(belt(R"({ on = "v - u", static = "0.4*m" })") + units),
              HasSubstr("the static force of the friction 'belt' is in kg, not in kg*m/s^2"));
}

TEST(FrictionTable, SaysWhatIsWrongInOneLine) {
  EXPECT_THAT(error(belt(R"({ on = "v", normal = 1, static = 0.4, dynamic = 0.3 })")),
              StartsWith("m.toml:15:46: unknown key 'dynamic'"));
  EXPECT_THAT(error(belt(R"({ on = "v", normal = 1 })")), HasSubstr("the friction 'belt' has no 'static'; write { on"));
  EXPECT_THAT(error(belt(R"({ on = "v", static = -1 })")), HasSubstr("'static' is negative; give at least 0"));
  EXPECT_THAT(error(belt(R"({ on = "v", static = 0.3, kinetic = 0.4 })")), HasSubstr("'kinetic' exceeds 'static'"));
  EXPECT_THAT(error(belt(R"({ on = "q", static = 1 })")), HasSubstr("is on a function that depends on no velocity"));
  EXPECT_THAT(error(belt(R"({ on = "v^2", static = 1 })")), HasSubstr("is not linear in the velocities"));
  EXPECT_THAT(error(belt("0.3")), HasSubstr("the friction 'belt'"));
  EXPECT_THAT(error(block("[friction]\nforce = { on = \"v\", static = 1 }\n")),
              HasSubstr("there is a column 'power.force' already"));
  EXPECT_THAT(error(block("[observables]\n\"mode.belt\" = \"q\"\n[friction]\nbelt = { on = \"v\", static = 1 }\n")),
              HasSubstr("the observable 'mode.belt' has the name of a column of this friction"));
  EXPECT_THAT(error(block("[friction]\nbelt = { on = \"v\", static = 1 }\n", "hamiltonian = \"p_v^2/2\"\n")),
              HasSubstr("friction"));
  EXPECT_THAT(error(block("[constraints]\nrule = \"nonholonomic\"\nequations = [\"v - q\"]\n"
                          "[friction]\nbelt = { on = \"v\", normal = \"lambda1\", static = 1 }\n")),
              HasSubstr("a friction"));
  EXPECT_THAT(error(belt(good) + "[discrete]\nrule = \"midpoint\"\n"),
              HasSubstr("[friction] is not followed by discrete motions; remove [discrete] or [friction]"));
  EXPECT_THAT(error_of([&] { parse_problem(belt(good) + "[boundary]\nq = [0, 1]\n", "m.toml"); }),
              HasSubstr("a problem of boundary values takes no [friction]; write a smooth force"));
}

}  // namespace
}  // namespace herglotz::io
