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

}  // namespace
}  // namespace herglotz::io
