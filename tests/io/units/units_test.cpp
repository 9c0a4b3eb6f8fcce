#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "herglotz/error.hpp"
#include "herglotz/io/problem_file.hpp"
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

TEST(Units, OfStartsAreThoseOfWhatStartsThere) {
  const std::string lagrangian = "kinetic - k*(q - l)^2/2";
  const auto start = [&](const std::string& initial) { return error(lagrangian, all + "[initial]\n" + initial); };
  EXPECT_EQ(start("q = \"2*l\"\nv = \"l*gamma + sqrt(k/m)*q\"\nz = \"sqrt(k*m)*q^2\""), "no error");
  EXPECT_EQ(start("q = 0.5\nv = \"30*deg\""), "no error") << "numbers have the unit of what starts there";
  EXPECT_THAT(start("q = \"l*k\""), HasSubstr("the initial value of 'q' is in kg*m/s^2, not in m"));
  EXPECT_THAT(start("q = \"l\"\nv = \"q\""), HasSubstr("m.toml:27:5: the initial value of 'v' is in m, not in m/s"));
  EXPECT_THAT(start("p_v = \"m*gamma + l\""), HasSubstr("the initial value of 'p_v' adds or compares"));
}

TEST(Units, OfVelocitiesFollowWhereTheyAreThoseOfOneCoordinate) {
  const auto product = [](const std::string& force) {
    return error_of([&] {
      parse_model(R"([algebroid]
kind = "product"
factors = [{ kind = "tangent", base = ["q"], fibre = ["v"] }, { kind = "hamel", base = ["x"], fibre = ["w"], frame = [["2"]] }]
[parameters]
d = 1.0
[dynamics]
lagrangian = "v^2/2 + w^2/2"
forces = { v = ")" + force +
                      R"(" }
[units]
q = "m"
d = "1/s"
)",
                  "m.toml");
    });
  };
  EXPECT_EQ(product("-d*v"), "no error");
  EXPECT_EQ(product("-d^2*w"), "no error") << "2 w is the velocity of x";
  EXPECT_THAT(product("-v"), HasSubstr("the force on 'v' is in m/s, not in m/s^2"));
}

TEST(Units, OfSymmetriesAreThoseOfOneVelocity) {
  const auto rolling = [](const std::string& section) {
    return error_of([&] {
      parse_model(R"([algebroid]
kind = "tangent"
base = ["x", "th"]
fibre = ["vx", "w"]
[parameters]
R = 0.5
[dynamics]
lagrangian = "vx^2/2 + R^2*w^2/2"
[symmetries]
rolling = )" + section +
                      R"(
[units]
x = "m"
th = "rad"
R = "m"
)",
                  "m.toml");
    });
  };
  EXPECT_EQ(rolling(R"(["R", "1"])"), "no error");
  EXPECT_EQ(rolling(R"(["1", "0"])"), "no error");
  EXPECT_THAT(rolling(R"(["R", "R"])"), HasSubstr("the symmetry 'rolling' has components on 'vx' and 'w'"));
  EXPECT_THAT(rolling(R"(["R + th", "1"])"), HasSubstr("the symmetry 'rolling' adds or compares"));
}

TEST(Units, OfDiscreteLagrangiansAreThoseOfTheAction) {
  const auto discrete = [](const std::string& table) {
    std::string text = model("kinetic - k*q^2/2 - gamma*z", all);
    const std::size_t forces = text.find("forces");
    text.erase(forces, text.find('\n', forces) - forces);
    return error_of([&] { parse_model(text + "[discrete]\n" + table, "m.toml"); });
  };
  EXPECT_EQ(discrete("lagrangian = \"m*(q1 - q0)^2/(2*h) - h*gamma*z0\"\n"), "no error");
  EXPECT_THAT(discrete("lagrangian = \"m*(q1 - q0)^2/2\"\n"),
              HasSubstr("the discrete Lagrangian is in kg*m^2, not in kg*m^2/s"));
  EXPECT_THAT(discrete("lagrangian = \"m*(q1 - q0 - h)^2/(2*h)\"\n"),
              HasSubstr("the discrete Lagrangian adds or compares"));
}

TEST(Units, OfProblemsOfControlAreChecked) {
  const auto control = [](const std::string& kinematics, const std::string& running, const std::string& more) {
    return error_of([&] {
      parse_problem(R"([algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
vmax = 2.0
l = 1.0
[control]
controls = ["u"]
kinematics = { v = ")" + kinematics +
                        R"(" }
bounds = { u = ["-vmax", 3] }
[cost]
running = ")" + running +
                        R"("
terminal = "sin(x/l)*l^2"
[boundary]
duration = 1.0
final = { x = "l" }
)" + more + R"([units]
x = "m"
u = "m/s"
vmax = "m/s"
l = "m"
)",
                    "m.toml");
    });
  };
  EXPECT_EQ(control("u", "l*u", ""), "no error");
  EXPECT_THAT(control("u*x", "l*u", ""), HasSubstr("the kinematics of 'v' is in m^2/s, not in m/s"));
  EXPECT_THAT(control("u", "u^2", ""), HasSubstr("the terminal cost is in m^2, not in m^2/s"));
  EXPECT_THAT(control("u", "u^2 + u", ""), HasSubstr("the running cost adds or compares"));
  EXPECT_THAT(control("u", "l*u", "conditions = [\"x_final - duration\"]\n"),
              HasSubstr("condition 1 adds or compares"));
}

}  // namespace
}  // namespace herglotz::io
