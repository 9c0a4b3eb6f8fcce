// Robots described in URDF as models: their accelerations are those of Pinocchio, and bad descriptions get one line.

#include "herglotz/io/urdf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "herglotz/simulate/linearise.hpp"
#include "io/error_of.hpp"
#include "project_folders.hpp"

namespace herglotz::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Returns an arm with joints of all kinds: oblique axes and frames, a fixed tool, a slider, and a flap that mimics the
/// shoulder.
std::string arm() {
  std::ifstream file(source_folder() + "/tests/reference/arm.urdf");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::map<std::string, double> rates(const std::string& model, simulate::InitialState at) {
  const auto problem = parse_model(model, "arm.toml");
  const auto linear = simulate::linearise(simulate::Simulator(problem.system),
                                          {std::move(at), {{"tau_shoulder", 1.5}, {"tau_slide", 2.0}}});
  std::map<std::string, double> found;
  for (std::size_t i = 0; i < linear.states.size(); ++i) found[linear.states[i]] = linear.rates[i];
  return found;
}

const simulate::InitialState joints{{"q_shoulder", 0.7}, {"v_shoulder", 0.9}, {"q_elbow_1", -0.4},
                                    {"v_elbow_1", 1.3},  {"q_slide", 0.2},    {"v_slide", -0.6}};

void expect_rates(const std::map<std::string, double>& found, const std::map<std::string, double>& known) {
  for (const auto& [name, rate] : known) EXPECT_NEAR(found.at(name), rate, 1e-12 * (1 + std::abs(rate))) << name;
}

// The numbers are those of Pinocchio 4.1 (pin.buildModelFromUrdf(..., mimic=True), its mass matrix and nonlinear
// effects).
TEST(Urdf, HasTheAccelerationsOfPinocchio) {
  expect_rates(rates(model_of_urdf(arm(), "arm.urdf"), joints),
               {{"v_shoulder", 8.80246498932867}, {"v_elbow_1", -14.800253541047303}, {"v_slide", 7.191888016015509}});
}

TEST(Urdf, FloatsWithTheAccelerationsOfPinocchio) {
  simulate::InitialState at = joints;
  at.insert({{"x_stand", 0.3},
             {"y_stand", -0.2},
             {"z_stand", 0.9},
             {"e0_stand", 0.64},
             {"e1_stand", 0.48},
             {"e2_stand", 0.36},
             {"e3_stand", -0.48},
             {"v1_stand", 0.5},
             {"v2_stand", -0.3},
             {"v3_stand", 0.2},
             {"w1_stand", 0.4},
             {"w2_stand", -0.7},
             {"w3_stand", 0.6}});
  expect_rates(rates(model_of_urdf(arm(), "arm.urdf", {true}), at), {{"v1_stand", 9.13027627517274},
                                                                     {"v2_stand", -2.763486308294055},
                                                                     {"v3_stand", -2.7449107890434497},
                                                                     {"w1_stand", -0.26667377423580163},
                                                                     {"w2_stand", 0.41491031864268796},
                                                                     {"w3_stand", -1.0562632142452442},
                                                                     {"v_shoulder", 3.0267461570364227},
                                                                     {"v_elbow_1", 10.905424643669324},
                                                                     {"v_slide", 5.584785501834143}});
}

TEST(Urdf, IsWrittenForReaders) {
  const std::string text = model_of_urdf(arm(), "arm.urdf");
  EXPECT_THAT(text, AllOf(HasSubstr("# fore, with tool; turned"), HasSubstr("q_shoulder = 1.2"),
                          HasSubstr("# from 0.4 to 2 rad, at most 80 N m, at most 3 rad/s"),
                          HasSubstr("tau_shoulder - d_shoulder*v_shoulder - f_shoulder*sign(v_shoulder)"),
                          HasSubstr("shape = \"wheel\", on = \"upper\""), Not(HasSubstr("stand ="))));
}

/// Returns the error of a robot with the given elements; its links a and b have a mass.
std::string error_of_elements(const std::string& elements) {
  const std::string mass =
      R"(<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)";
  return error_of([&] {
    model_of_urdf("<robot name=\"r\">\n<link name=\"a\">" + mass + "</link>\n<link name=\"b\">" + mass + "</link>\n" +
                      elements + "</robot>",
                  "r.urdf");
  });
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& rest = {}) {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + rest + "</joint>\n";
}

TEST(Urdf, GivesARobotWithoutANameOne) {
  std::string nameless = arm();
  const std::string name = "name=\"test arm\"";
  ASSERT_NE(nameless.find(name), std::string::npos);
  nameless.replace(nameless.find(name), name.size(), "name=\"\"");
  EXPECT_THAT(model_of_urdf(nameless, "arm.urdf"), HasSubstr("name = \"robot\""));
}

TEST(Urdf, SaysInOneLineWhatIsWrong) {
  EXPECT_EQ(error_of_elements(joint("j", "revolute", "a", "b")), "no error");
  EXPECT_EQ(error_of_elements(joint("j", "planar", "a", "b")), "no error");
  EXPECT_THAT(error_of_elements(joint("j", "hinge", "a", "b")),
              AllOf(HasSubstr("r.urdf:4:2: joint 'j' is of type 'hinge'"), HasSubstr("known are revolute")));
  EXPECT_THAT(error_of_elements(joint("j", "revolute", "a", "c")), HasSubstr("there is no link 'c'"));
  EXPECT_THAT(error_of_elements(joint("j", "revolute", "a", "b", "<axis xyz=\"0 0 0\"/>")), HasSubstr("length 0"));
  EXPECT_THAT(error_of_elements(joint("j", "revolute", "a", "b", "<axis xyz=\"0 1\"/>")),
              HasSubstr("xyz has 2 numbers"));
  EXPECT_THAT(error_of_elements(joint("j", "revolute", "a", "b", "<origin xyz=\"0 nan 1\"/>")),
              HasSubstr("xyz is 'nan'"));
  EXPECT_THAT(error_of_elements(joint("j", "revolute", "a", "b", "<origin xyz=\"0 ${h} 1\"/>")),
              HasSubstr("write a finite number"));
  EXPECT_THAT(error_of_elements(joint("j", "revolute", "a", "b", "<origin xyz=\"0 1e308 1\"/>")),
              HasSubstr("write a number between -1e90 and 1e90"));
  EXPECT_THAT(error_of_elements(joint("j", "revolute", "a", "b") + joint("j", "fixed", "a", "b")),
              HasSubstr("there are two joints 'j'"));
  EXPECT_THAT(error_of_elements(joint("j", "revolute", "a", "b") + joint("k", "fixed", "a", "b")),
              HasSubstr("link 'b' is the child of 'j' and of 'k'"));
  EXPECT_THAT(error_of_elements(joint("j", "revolute", "a", "b") + joint("k", "fixed", "b", "a")),
              HasSubstr("every link is the child of a joint"));
  EXPECT_THAT(error_of_elements(""), HasSubstr("links 'a' and 'b' are both roots"));
  EXPECT_THAT(error_of_elements(joint("j", "fixed", "a", "b")), HasSubstr("no joint of the robot moves"));
  EXPECT_THAT(
      error_of_elements("<link name=\"c\"/>" + joint("j", "revolute", "a", "b") + joint("k", "continuous", "b", "c")),
      HasSubstr("joint 'k' moves no mass: neither link 'c' nor what hangs on it has an inertial"));
  EXPECT_THAT(error_of_elements("<link name=\"c\"/><link name=\"d\"/>" + joint("j", "revolute", "a", "b") +
                                joint("k", "fixed", "c", "d") + joint("l", "fixed", "d", "c")),
              HasSubstr("link 'c' hangs on itself"));
  EXPECT_THAT(error_of_elements(joint("j", "revolute", "a", "b", "<mimic joint=\"k\"/>")),
              HasSubstr("there is no such joint"));
  EXPECT_THAT(error_of_elements(joint("j", "revolute", "a", "b", "<mimic joint=\"j\"/>")),
              HasSubstr("mimics a joint that mimics"));
  EXPECT_THAT(
      error_of_elements("<link name=\"c\"/>" + joint("j", "revolute", "a", "b") + joint("k", "floating", "b", "c")),
      HasSubstr("the floating joint 'k' hangs on a body that moves"));
  EXPECT_THAT(error_of_elements("<link name=\"a\"/>"), HasSubstr("two links 'a'"));
  EXPECT_THAT(error_of_elements("<link name=\"c\"><inertial><mass value=\"1\"/></inertial></link>"),
              HasSubstr("inertial has no inertia"));
  EXPECT_THAT(error_of_elements("<link name=\"c\"><inertial><mass value=\"-1\"/><inertia/></inertial></link>"),
              HasSubstr("the mass is negative"));
  EXPECT_THAT(error_of_elements("<xacro:macro/>"), HasSubstr("macros of xacro"));
}

TEST(Urdf, RefusesWhatIsNoUrdf) {
  const auto of = [](const std::string& text) { return error_of([&] { model_of_urdf(text, "r.urdf"); }); };
  EXPECT_THAT(of(""), HasSubstr("r.urdf:1:1: this is not well-formed XML"));
  EXPECT_THAT(of("<robot name=\"r\">\n<link name=\"a\">"), HasSubstr("this is not well-formed XML"));
  EXPECT_THAT(of("<mujoco/>"), HasSubstr("the root element is 'mujoco', not 'robot'"));
  EXPECT_THAT(of("<robot/>"), HasSubstr("the robot has no link"));
  EXPECT_THAT(of("<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n<robot name=\"&b;\"/>"),
              HasSubstr("document type definition"));
  std::string deep = "<robot name=\"r\">";
  for (int i = 0; i < 20000; ++i) deep += "<link>";
  EXPECT_THAT(of(deep), HasSubstr("this is not well-formed XML"));
}

}  // namespace
}  // namespace herglotz::io
