// Robots whose wheels and balls roll: their accelerations are those of Pinocchio's mass matrix with the constraints of
// the contact points, whose rates are differences of order 8 along the motion.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "herglotz/io/model_file.hpp"
#include "herglotz/io/urdf.hpp"
#include "herglotz/simulate/linearise.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "io/urdf/unicycle.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

/// Returns the model of the unicycle, whose wheel has no cylinder, and so its middle at the joint, if it is given a
/// radius.
std::string model_of(const std::vector<UrdfRolling>& rolling) {
  std::string text = unicycle();
  const std::string cylinder = R"(<cylinder radius="0.25" length="0.05"/>)";
  if (rolling.front().radius) text.replace(text.find(cylinder), cylinder.size(), R"(<box size="0.1 0.1 0.1"/>)");
  return model_of_urdf(text, "rolling.urdf", {false, rolling});
}

struct Case {
  std::string what;
  std::vector<UrdfRolling> rolling;
  simulate::InitialState at;
  std::map<std::string, double> rates;
};

const std::vector<Case> cases{
    {"a wheel whose middle is off its joint, with the radius of its cylinder",
     {{"wheel"}},
     {{"x_frame", 0.2999419501646679},
      {"y_frame", -0.20046856256695947},
      {"z_frame", 0.3107666148429963},
      {"e1_frame", 0.19923682885480265},
      {"e2_frame", -0.15068903433065942},
      {"e3_frame", 0.30645441030333065},
      {"e0_frame", 0.9185222889870519},
      {"q_axle", 0.7},
      {"q_swing", -0.4},
      {"v1_frame", 0.11008221525353612},
      {"v2_frame", -0.1198260382448328},
      {"v3_frame", -0.10449637409043218},
      {"w1_frame", 0.4620486516120423},
      {"w2_frame", -0.5886580729580532},
      {"w3_frame", 0.5864269100385319},
      {"v_axle", 1.357125329862779},
      {"v_swing", -0.9}},
     {{"v1_frame", 1.632030452543043},
      {"v2_frame", -0.9557775804771467},
      {"v3_frame", -2.0141082139079125},
      {"w1_frame", 3.4774785823351064},
      {"w2_frame", -11.862083104424785},
      {"w3_frame", 0.72432608668914},
      {"v_axle", 24.561256965884326},
      {"v_swing", 3.3276395923098883}}},
    {"a wheel with a radius of its own",
     {{"wheel", 0.3}},
     {{"x_frame", 0.29998629628958884},
      {"y_frame", -0.2000603597305194},
      {"z_frame", 0.36632889280000114},
      {"e1_frame", 0.20233838755899575},
      {"e2_frame", -0.1519723158350071},
      {"e3_frame", 0.3059789253038797},
      {"e0_frame", 0.9177910924658471},
      {"q_axle", 0.7},
      {"q_swing", -0.4},
      {"v1_frame", 0.1300002282883409},
      {"v2_frame", -0.13324062765268446},
      {"v3_frame", -0.10798514901510432},
      {"w1_frame", 0.4744115795470483},
      {"w2_frame", -0.5855798799130331},
      {"w3_frame", 0.5725582871039985},
      {"v_axle", 1.3620208854650457},
      {"v_swing", -0.9}},
     {{"v1_frame", 1.7499711044204418},
      {"v2_frame", -0.8604517943518815},
      {"v3_frame", -2.105007445650907},
      {"w1_frame", 3.284612282575958},
      {"w2_frame", -12.242441560264416},
      {"w3_frame", 2.5244882604220495},
      {"v_axle", 23.818699292072477},
      {"v_swing", 3.802192899059984}}},
    {"a ball that turns about its joint",
     {{"weight"}},
     {{"x_frame", 0.317665654570715},
      {"y_frame", -0.14700303628785458},
      {"z_frame", -0.26857582469353725},
      {"e1_frame", 0.26704207944841984},
      {"e2_frame", -0.20028155958631488},
      {"e3_frame", 0.29808988991469276},
      {"e0_frame", 0.8942696697440786},
      {"q_axle", 0.7},
      {"q_swing", -0.4},
      {"v1_frame", 0.23277809949185718},
      {"v2_frame", 0.12490704711311114},
      {"v3_frame", 0.11170843757525166},
      {"w1_frame", 0.2309677877572608},
      {"w2_frame", -0.8141723390972438},
      {"w3_frame", 0.562130894805991},
      {"v_axle", 1.3},
      {"v_swing", -0.8845858532057949}},
     {{"v1_frame", -4.532086665625879},
      {"v2_frame", -2.735195373049117},
      {"v3_frame", -0.23194550008298676},
      {"w1_frame", -6.255851400023028},
      {"w2_frame", 10.000814287460193},
      {"w3_frame", -3.2788527434599732},
      {"v_axle", -11.580872113988162},
      {"v_swing", -8.491644637724468}}},
    {"a ball that is the root",
     {{"frame", 0.4}},
     {{"x_frame", 0.3},
      {"y_frame", -0.2},
      {"z_frame", 0.4},
      {"e1_frame", 0.20385887657505022},
      {"e2_frame", -0.15289415743128765},
      {"e3_frame", 0.3057883148625753},
      {"e0_frame", 0.917364944587726},
      {"q_axle", 0.7},
      {"q_swing", -0.4},
      {"v1_frame", -0.21545004391041114},
      {"v2_frame", -0.08888006932610606},
      {"v3_frame", 0.12898284876789132},
      {"w1_frame", 0.48144938089228284},
      {"w2_frame", -0.46249653078672337},
      {"w3_frame", 0.4855030504649851},
      {"v_axle", 1.3},
      {"v_swing", -0.9}},
     {{"v1_frame", -0.2871365419000564},
      {"v2_frame", -0.2854519185684463},
      {"v3_frame", 0.4296007762215412},
      {"w1_frame", 1.6787200753817153},
      {"w2_frame", -0.6095780927116348},
      {"w3_frame", 0.8152221226788284},
      {"v_axle", 1.6052209669628588},
      {"v_swing", -24.343088172031383}}},
};

TEST(RollingRobots, HaveTheAccelerationsOfPinocchioWithTheConstraintsOfTheirContacts) {
  for (const Case& one : cases) {
    const auto problem = parse_model(model_of(one.rolling), "unicycle.toml");
    const auto linear = simulate::linearise(simulate::Simulator(problem.system, {}, one.at), {one.at, {}});
    std::map<std::string, double> found;
    for (std::size_t i = 0; i < linear.states.size(); ++i) found[linear.states[i]] = linear.rates[i];
    for (const auto& [name, rate] : one.rates)
      EXPECT_NEAR(found.at(name), rate, 1e-10 * (1 + std::abs(rate))) << one.what << ": " << name;
  }
}

TEST(RollingRobots, StartOnThePlaneAndKeepTheirEnergy) {
  for (const Case& one : cases) {
    auto problem = parse_model(model_of(one.rolling), "unicycle.toml");
    problem.settings.t_end = 0.25;
    const auto made = simulate::simulate(problem);
    EXPECT_LT(made.facts.largest_constraint_residual, 1e-11) << one.what;
    EXPECT_LT(made.facts.largest_energy_residual, 1e-9) << one.what;
    EXPECT_NEAR(made["kinetic_energy"].back() + made["potential_energy"].back(),
                made["kinetic_energy"].front() + made["potential_energy"].front(), 1e-8)
        << one.what;
  }
}

/// Returns the error of the unicycle with a link declared as rolling.
/// A cart with a wheel on each side and one ahead, whose radii and places are their own; each has the mass 1.
std::string cart(bool planar, double ahead) {
  const std::string inertial =
      R"(<inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>)";
  const auto wheel = [&](const std::string& name, const std::string& place) {
    return "<link name=\"" + name + "\">" + inertial + "</link><joint name=\"j_" + name +
           "\" type=\"continuous\"><parent link=\"base\"/><child link=\"" + name + "\"/><origin xyz=\"" + place +
           "\"/><axis xyz=\"0 1 0\"/></joint>";
  };
  const std::string floor =
      R"(<link name="world"/><joint name="p" type="planar"><parent link="world"/><child link="base"/>)"
      R"(<origin xyz="0 0 0.1"/><axis xyz="0 0 1"/></joint>)";
  return "<robot name=\"cart\">" + (planar ? floor : "") + "<link name=\"base\">" + inertial + "</link>" +
         wheel("left", "0 0.2 0") + wheel("right", "0 -0.2 0") + wheel("front", "0.3 0 " + std::to_string(ahead)) +
         "</robot>";
}

// Three wheels of mass m = 1 and moment I under a base of mass 1: (4 m + 3 I/R^2) x'' = tau/R.
TEST(RollingRobots, RollUnderABaseOnAPlanarJoint) {
  const std::string text =
      model_of_urdf(cart(true, 0), "cart.urdf", {false, {{"left", 0.1}, {"right", 0.1}, {"front", 0.1}}});
  EXPECT_THAT(text, HasSubstr("# left: its lowest point keeps its height, and is at rest"));
  const auto problem = parse_model(text, "cart.toml");
  EXPECT_EQ(problem.system.constraints.equations.size(), 5U) << "left and right have one axle";
  const auto linear = simulate::linearise(simulate::Simulator(problem.system), {{}, {{"tau_j_left", 0.1}}});
  std::map<std::string, double> found;
  for (std::size_t i = 0; i < linear.states.size(); ++i) found[linear.states[i]] = linear.rates[i];
  EXPECT_NEAR(found.at("v_p_x"), 1.0 / 7, 1e-13);
  EXPECT_NEAR(found.at("v_j_front"), 10.0 / 7, 1e-12);
  EXPECT_NEAR(found.at("v_p"), 0, 1e-13) << "three wheels go straight ahead";
  EXPECT_THAT(model_of_urdf(cart(true, 0), "cart.urdf", {false, {{"left", 0.1}, {"front", 0.05}}}),
              HasSubstr("# front is 0.05 above the plane here, and no joint changes that\n"));
}

TEST(RollingRobots, AreTiltedWhereTheirWheelsDoNotMeetThePlaneTogether) {
  const std::string text =
      model_of_urdf(cart(false, 0), "cart.urdf", {false, {{"left", 0.1}, {"right", 0.1}, {"front", 0.05}}});
  EXPECT_THAT(text, HasSubstr("# front is 0.05 above the plane here, and has to be moved onto it with the others"));
  auto problem = parse_model(text, "cart.toml");
  problem.settings.t_end = 0.5;
  const auto made = simulate::simulate(problem);
  EXPECT_LT(made.facts.largest_constraint_residual, 1e-12);
  const auto value = [&](const std::string& name) { return made[name].front(); };
  double norm = 0;
  for (const char* e : {"e0_base", "e1_base", "e2_base", "e3_base"}) norm += value(e) * value(e);
  EXPECT_NEAR(norm, 1, 1e-14) << "a start far from its constraints keeps the invariants";
  // The axles are 0.3 from each other, and the plane touches circles of radii 0.1 and 0.05 around them.
  EXPECT_NEAR(2 * std::asin(std::hypot(value("e1_base"), value("e2_base"))),
              std::acos(1 / std::hypot(1, 0.05 / std::sqrt(0.3 * 0.3 - 0.05 * 0.05))), 1e-12);
  EXPECT_THAT(model_of_urdf(cart(false, -0.05), "cart.urdf", {false, {{"left", 0.1}, {"front", 0.05}}}),
              testing::Not(HasSubstr("the plane here")));
}

TEST(PlanarJoints, AreTwoSlidersAndATurn) {
  const std::string mass =
      R"(<inertial><origin xyz="0.3 0 0"/><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)";
  const std::string text = model_of_urdf("<robot name=\"r\"><link name=\"world\"/><link name=\"a\">" + mass +
                                             "</link><joint name=\"j\" type=\"planar\"><parent link=\"world\"/><child "
                                             "link=\"a\"/><axis xyz=\"0 0 1\"/></joint></robot>",
                                         "r.urdf");
  const auto problem = parse_model(text, "r.toml");
  const auto linear =
      simulate::linearise(simulate::Simulator(problem.system),
                          {{{"v_j", 2.0}, {"q_j", 0.0}}, {{"tau_j_x", 1.0}, {"tau_j_y", 0.0}, {"tau_j", 0.5}}});
  std::map<std::string, double> found;
  for (std::size_t i = 0; i < linear.states.size(); ++i) found[linear.states[i]] = linear.rates[i];
  // About the centre: 2 x'' = 1 + 2 (0.3) w^2, 2 y'' + 0.6 w' = 0, 1.18 w' + 0.6 y'' = 0.5.
  EXPECT_NEAR(found.at("v_j"), 0.5, 1e-13);
  EXPECT_NEAR(found.at("v_j_x"), 0.5 + 0.3 * 4, 1e-13);
  EXPECT_NEAR(found.at("v_j_y"), -0.15, 1e-13);
}

}  // namespace
}  // namespace herglotz::io
