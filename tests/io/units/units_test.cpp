#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "herglotz/error.hpp"
#include "io/error_of.hpp"
#include "units/unit.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

std::string model(const std::string& lagrangian, const std::string& units) {
  return R"([model]
name = "oscillator"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
m = 1.0
k = 2.0
gamma = 0.1
l = 1.0
[definitions]
kinetic = "m*v^2/2"
[dynamics]
lagrangian = ")" +
         lagrangian + R"("
forces = { v = "-gamma*m*v" }
[events]
stop = { at = "q - l", set = { v = "-v/2" } }
[units]
)" + units;
}

const std::string all = "m = \"kg\"\nq = \"m\"\nk = \"N/m\"\ngamma = \"1/s\"\nl = \"m\"\n";

std::string error(const std::string& lagrangian, const std::string& units) {
  return error_of([&] { parse_model(model(lagrangian, units), "m.toml"); });
}

TEST(Units, AreReadAsProductsOfNamedUnits) {
  EXPECT_EQ(parse_unit("N"), parse_unit("kg*m/s^2"));
  EXPECT_EQ(parse_unit("J/s"), parse_unit("W"));
  EXPECT_EQ(parse_unit("mm*mm"), parse_unit("mm^2"));
  EXPECT_DOUBLE_EQ(parse_unit("km/h").scale, 1 / 3.6);
  EXPECT_EQ(parse_unit("s^-1"), parse_unit("Hz"));
  EXPECT_EQ(parse_unit("m^0.5*m^0.5"), parse_unit("m"));
  EXPECT_FALSE(parse_unit("m") == parse_unit("s"));
  EXPECT_FALSE(parse_unit("m") == parse_unit("mm"));
  EXPECT_FALSE(parse_unit("deg") == parse_unit("rad"));
  for (const char* wrong : {"", "furlong", "m**s", "m^", "m^x", "kg m", "kkg", "/s"})
    EXPECT_THROW(static_cast<void>(parse_unit(wrong)), Refused) << wrong;
  EXPECT_EQ(text_of(parse_unit("N/m")), "kg/s^2");
  EXPECT_EQ(text_of(parse_unit("mm")), "0.001 m");
  EXPECT_EQ(text_of(parse_unit("rad")), "a pure number");
}

TEST(Units, OfARightModelAreAccepted) {
  EXPECT_EQ(error("kinetic - k*q^2/2 - gamma*z", all), "no error");
  EXPECT_EQ(error("kinetic - k*l^2*(1 - cos(q/l)) - gamma*z", all), "no error");
  EXPECT_EQ(error("kinetic - k*q^2/2 - gamma*z", "q = \"m\"\n"), "no error");
  EXPECT_EQ(error("kinetic - k*q^2/2 - gamma*z", all + "kinetic = \"J\"\nz = \"J*s\"\nt = \"s\"\nv = \"m/s\"\n"),
            "no error");
}

TEST(Units, ThatDoNotFitAreOneLine) {
  EXPECT_EQ(
      error("kinetic - k*q/2 - gamma*z", all),
      "m.toml:15:14: the Lagrangian adds or compares '-k*q/2', kg*m/s^2, and 'kinetic', kg*m^2/s^2; give its terms "
      "one unit, or correct [units]");
  EXPECT_THAT(error("kinetic - k*l^2*cos(q) - gamma*z", all), HasSubstr("'cos(q)' of 'q', which is in m"));
  EXPECT_THAT(error("kinetic - k*q^2/2 - z", all), HasSubstr("kg*m^2/s"));
  EXPECT_THAT(error("kinetic - k*q^2/2 - gamma*z", all + "kinetic = \"N\"\n"),
              HasSubstr("the definition 'kinetic' is in kg*m^2/s^2, not in kg*m/s^2"));
  EXPECT_THAT(
      error("kinetic - k*q^2/2 - 2*gamma*z", "m = \"kg\"\nq = \"m\"\nk = \"N/m\"\ngamma = \"1/s\"\nl = \"mm\"\n"),
      HasSubstr("the event 'stop'"));
  EXPECT_THAT(error("kinetic - k*q^2/2", "m = \"kg\"\nq = \"m\"\nk = \"N/m\"\ngamma = \"1\"\nl = \"m\"\n"),
              HasSubstr("the force on 'v' is in kg*m/s, not in kg*m/s^2"));
  EXPECT_THAT(error("kinetic - k*q^2/2", "mass = \"kg\"\n"), HasSubstr("unknown name in [units] 'mass'"));
  EXPECT_THAT(error("kinetic - k*q^2/2", "m = \"stone\"\n"), HasSubstr("unknown unit 'stone'"));
  EXPECT_THAT(error("kinetic - k*q^2/2", "m = 1\n"), HasSubstr("the unit of 'm'"));
}

}  // namespace
}  // namespace herglotz::io
