#include <gmock/gmock.h>

#include "discrete_models.hpp"
#include "exchange.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {
namespace {

using testing::ElementsAre;
using testing::Pair;

simulate::Problem with_settings(const std::vector<std::string>& assignments) {
  auto problem = parse_model(kDiscrete);
  for (const auto& assignment : assignments) apply_setting(problem, assignment);
  return problem;
}

std::string setting_error(std::string_view model, const std::string& assignment) {
  return error_of([&] {
    auto problem = parse_model(model);
    apply_setting(problem, assignment);
  });
}

TEST(InitialTable, StartsALagrangianModelFromMomenta) {
  std::string text(kTangent);
  text.replace(text.find("vq = 1"), 6, "p_vx = \"pi\"\np_vq = -1");
  EXPECT_THAT(parse_model(text).initial,
              ElementsAre(Pair("p_vq", -1), Pair("p_vx", 3.141592653589793), Pair("x", 0.5)));
}

TEST(InitialTable, HoldsASecondPositionWhoseOtherCoordinatesAreZero) {
  EXPECT_THAT(parse_model(kDiscrete).next, ElementsAre(Pair("q", 0), Pair("x", 1.5)));
}

TEST(InitialTable, GivesTheFibrePartOfAStartOnce) {
  const auto both = [](const std::string& first, const std::string& second) {
    return "both the velocity '" + first + "' and the momentum '" + second +
           "' are given; start from velocities alone, or from momenta alone";
  };
  const std::string at_vq = "29:1: " + both("vq", "p_vq");
  const std::string other = "29:1: " + both("vq", "p_vx");
  expect_errors(kTangent, {{"vq = 1", "vq = 1\np_vq = 2", at_vq}, {"vq = 1", "vq = 1\np_vx = 2", other}});
  expect_errors(kDiscrete,
                {{"x = 1\n", "x = 1\nvq = 1\n",
                  "25:1: both 'vq' and the second position [initial.next] are given; keep one of them: the momentum "
                  "follows from two positions"},
                 {"x = 1\n", "p_vx = 1\n",
                  "24:1: both 'p_vx' and the second position [initial.next] are given; keep one of them: the momentum "
                  "follows from two positions"},
                 {"[initial.next]\nx", "[initial.next]\ny", "27:1: unknown base coordinate 'y'; known are x, q"},
                 {"[initial.next]\nx", "[initial.next]\nvx", "27:1: unknown base coordinate 'vx'; did you mean x?"},
                 {"x = 1.5", "x = true",
                  "27:5: expected a number, got a boolean; the second position of 'x' is a number, or a constant in "
                  "quotes such as \"pi/3\""},
                 {"[initial.next]\nx = 1.5", "next = 1",
                  "26:8: expected a table, got a number; write [initial.next] as [name] with entries below, or as { "
                  "key = value }"}});
  expect_errors(kTangent,
                {{"vq = 1", "next = { x = 1 }",
                  "28:1: [initial.next] is the second position of a discrete motion, and the model has no discrete "
                  "Lagrangian; add it under [discrete], or start from velocities or momenta"}});
}

TEST(InitialTable, TakesACoordinateNamedNextForWhatItIs) {
  std::string text(kBody);
  text = R"([algebroid]
kind = "tangent"
base = ["next"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 - z"
[initial]
next = 3
)";
  EXPECT_THAT(parse_model(text).initial, ElementsAre(Pair("next", 3)));
}

TEST(Setting, ReachesMomentaAndSecondPositions) {
  EXPECT_THAT(with_settings({"next.q=gamma*2", "next.x = 3"}).next, ElementsAre(Pair("q", -0.1), Pair("x", 3)));
  const auto momenta = with_settings({"p_vx=2", "p_vq=1"});
  EXPECT_THAT(momenta.initial, ElementsAre(Pair("p_vq", 1), Pair("p_vx", 2), Pair("x", 1)));
  EXPECT_TRUE(momenta.next.empty()) << "momenta take the place of the second position";
  const auto velocities = with_settings({"p_vx=2", "vq=1"});
  EXPECT_THAT(velocities.initial, ElementsAre(Pair("vq", 1), Pair("x", 1))) << "velocities take that of momenta";
  const auto next = with_settings({"vx=2", "p_vq=1", "next.x=3"});
  EXPECT_THAT(next.initial, ElementsAre(Pair("x", 1)));
  EXPECT_THAT(next.next, ElementsAre(Pair("q", 0), Pair("x", 3)));
}

TEST(Setting, OfASecondPositionNamesABaseCoordinateOfADiscreteModel) {
  EXPECT_EQ(setting_error(kDiscrete, "next.y=1"), "--set: unknown base coordinate 'y' in 'next.y'; known are x, q");
  EXPECT_EQ(setting_error(kDiscrete, "next.vx=1"),
            "--set: unknown base coordinate 'vx' in 'next.vx'; did you mean next.x?");
  EXPECT_EQ(setting_error(kDiscrete, "next.x=y"),
            "--set: the value of 'next.x': unknown name 'y'; known names are pi, gamma, k");
  EXPECT_EQ(
      setting_error(kTangent, "next.x=1"),
      "--set: 'next.x' is a second position, and the model has no discrete Lagrangian; set velocities or momenta, "
      "or add [discrete] to the model");
}

std::string kTangent_with(const std::string& starts) {
  std::string text(kTangent);
  const std::string from = "x = 0.5\nvq = 1\n";
  return text.replace(text.find(from), from.size(), starts);
}

TEST(InitialTable, HasExpressionsOfParametersAndOtherStarts) {
  // In the order in which they need each other; q is not given and so 0, and definitions may be used.
  auto problem = parse_model(kTangent_with("vx = \"mass*vq + q\"\nvq = \"x^2\"\nx = 0.5\nz = \"kinetic\"\n"));
  EXPECT_THAT(problem.initial, ElementsAre(Pair("vq", 0.25), Pair("vx", 0.5), Pair("x", 0.5), Pair("z", 0.3125)));
  apply_setting(problem, "mass=3");
  EXPECT_THAT(problem.initial, testing::Contains(Pair("vx", 0.75)));
  apply_setting(problem, "x=1");
  EXPECT_THAT(problem.initial, ElementsAre(Pair("vq", 1), Pair("vx", 3), Pair("x", 1), Pair("z", 15)));
  apply_setting(problem, "vx=7");
  apply_setting(problem, "mass=2");
  EXPECT_THAT(problem.initial, testing::Contains(Pair("vx", 7))) << "a value that is set is not an expression any more";
  EXPECT_THAT(problem.initial, testing::Contains(Pair("z", 50)));
}

TEST(InitialTable, HasExpressionsForSecondPositions) {
  std::string text(kDiscrete);
  text.replace(text.find("x = 1.5"), 7, "q = \"k*q\"\nx = \"x + loss\"");
  text.replace(text.find("x = 1\n"), 6, "x = \"k/2\"\nq = 3\n");
  auto problem = parse_model(text);
  EXPECT_THAT(problem.next, ElementsAre(Pair("q", 6), Pair("x", 0.9)));
  apply_setting(problem, "k=4");
  EXPECT_THAT(problem.next, ElementsAre(Pair("q", 12), Pair("x", 1.8)));
  apply_setting(problem, "next.x=7");
  apply_setting(problem, "q=1");
  EXPECT_THAT(problem.next, ElementsAre(Pair("q", 4), Pair("x", 7))) << "a position that is set is not an expression";
  apply_setting(problem, "p_vq=1");
  apply_setting(problem, "k=2");
  EXPECT_TRUE(problem.next.empty()) << "momenta take the place of the second position";
}

TEST(InitialTable, RefusesSecondPositionsThatHaveNoValue) {
  const auto error = [](const std::string& position) {
    std::string text(kDiscrete);
    text.replace(text.find("x = 1.5"), 7, position);
    return error_of([&] { parse_model(text, "m.toml"); });
  };
  EXPECT_EQ(error("x = \"k/q\""),
            "m.toml:27:5: the initial value of 'next.x', k/q, is not finite; change what it depends on");
  EXPECT_EQ(
      error("x = \"vx\""),
      "m.toml:27:6: the second position of 'x' may not depend on the fibre coordinate 'vx'; use parameters, other "
      "initial values, and definitions of these");
}

TEST(InitialTable, ExpressionsGiveWayToMomenta) {
  auto problem = parse_model(kTangent_with("vx = \"mass*x\"\nx = 0.5\n"));
  apply_setting(problem, "p_vx=1");
  apply_setting(problem, "mass=3");
  EXPECT_THAT(problem.initial, ElementsAre(Pair("p_vx", 1), Pair("x", 0.5)));
}

TEST(InitialTable, RefusesExpressionsThatHaveNoValue) {
  const auto error = [](const std::string& starts) {
    return error_of([&] { parse_model(kTangent_with(starts), "m.toml"); });
  };
  EXPECT_EQ(
      error("x = \"q + 1\"\nq = \"2*vx\"\nvx = \"sin(x)\"\nvq = \"x\"\n"),
      "m.toml:27:5: the initial values of x, q and vx use each other; give one of them by parameters or as a number");
  EXPECT_EQ(error("x = \"x + mass\"\n"),
            "m.toml:27:5: the initial value of 'x' uses itself; give one of them by parameters or as a number");
  EXPECT_EQ(error("x = \"2*mas\"\n"), "m.toml:27:8: unknown name 'mas'; did you mean mass?");
  EXPECT_EQ(error("x = \"energy\"\n"),
            "m.toml:27:6: the initial value of 'x' may not depend on the output column 'energy'; use parameters, other "
            "initial values, and definitions of these");
  EXPECT_EQ(error("x = \"mass/q\"\n"),
            "m.toml:27:5: the initial value of 'x', mass/q, is not finite; change what it depends on");
  EXPECT_EQ(error("p_vx = 1\nx = \"vq\"\n"),
            "m.toml:28:5: the initial value of 'x' uses 'vq', and the start is given by momenta; use these there");
  EXPECT_EQ(setting_error(kTangent_with("x = \"mass/gamma\"\n"), "gamma=0"),
            "--set: the initial value of 'x', mass/gamma, is not finite; change what it depends on");
}

TEST(InitialTable, SaysWhatProjectionKeeps) {
  const auto fixed = [](const std::string& names) {
    return parse_model(kTangent_with("fixed = " + names + "\nx = 1\n"), "m.toml").settings.fixed;
  };
  EXPECT_THAT(fixed("[\"x\", \"vq\"]"), ElementsAre("x", "vq"));
  EXPECT_EQ(error_of([&] { fixed("[\"y\"]"); }),
            "m.toml:27:10: unknown coordinate of the start 'y'; known are x, q, vx, vq");
  EXPECT_EQ(error_of([&] { fixed("\"x\""); }),
            "m.toml:27:9: expected an array, got a string; 'fixed' is an array of strings such as [\"a\", \"b\"]");
}

}  // namespace
}  // namespace herglotz::io
