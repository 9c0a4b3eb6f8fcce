// Bodies that begin at rest at the origin, under friction whose coefficients depend on the state.

#include <gtest/gtest.h>

#include <string>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {
namespace {

/// Bodies on lines, or one in a plane, with forces and frictions.
struct Bodies {
  std::string base;
  std::string fibre;
  std::string lagrangian;
  std::string forces;
  std::string frictions;
};

analyse::Trajectory run_of_bodies(const Bodies& of, const std::string& how) {
  const auto made = simulate::simulate(
      parse_model("[algebroid]\nkind = \"tangent\"\nbase = [" + of.base + "]\nfibre = [" + of.fibre +
                  "]\n[dynamics]\nlagrangian = \"" + of.lagrangian + "\"\nforces = { " + of.forces +
                  " }\n[friction]\n" + of.frictions + "[initial]\nx = 0\n[simulation]\nt_end = 3.0\n" + how));
  EXPECT_TRUE(made.facts.complete) << how << made.facts.status;
  return made;
}

void expect_near(const Bodies& of, const std::string& method, double error) {
  const auto exact = run_of_bodies(of, "method = \"radau-5\"\ntolerance = 1e-11\n");
  const auto made = run_of_bodies(of, "step = 0.01\nmethod = \"" + method + "\"\n");
  EXPECT_NEAR(made["x"][1], 0, 1e-30);
  for (const char* name : {"x", "y", "vx", "vy"})
    EXPECT_NEAR(made[name].back(), exact[name].back(), error) << name << method;
}

const Bodies two_bodies{"\"x\", \"y\"", "\"vx\", \"vy\"",
                        "0.903*vx^2/2 + 1.294*vy^2/2 - 1.724*x^2/2 - 1.836*y^2/2 + 0.298*vx*vy - 0.275*z",
                        "vx = \"1.651*t^2\", vy = \"1.069*t\"",
                        "f0 = { on = \"vx\", normal = 0.718, static = \"0.33 + 0.2*exp(-abs(vx))\" }\n"
                        "f1 = { on = \"vy\", normal = 0.612, static = \"0.75*(1 + 0.3*x)\" }\n"};
const Bodies three{
    "\"x\", \"y\", \"s\"", "\"vx\", \"vy\", \"vs\"",
    "0.549*vx^2/2 + 1.224*vy^2/2 + 0.522*vs^2/2 - 2.119*x^2/2 - 2.22*y^2/2 - 1.471*s^2/2 + 0.186*vx*vy - "
    "0.222*z",
    "vx = \"0.69*t^2\", vy = \"2.991*t\", vs = \"1.551*t\"",
    "f0 = { on = \"vx\", normal = 1.072, static = \"0.565*(1 + x^2)\" }\n"
    "f1 = { on = \"vy\", normal = 0.699, static = \"0.814*(1 + 0.3*x)\" }\n"
    "f2 = { on = \"vs\", normal = 1.374, static = \"0.356 + 0.2*exp(-abs(vx))\" }\n"};
const Bodies plane{"\"x\", \"y\"", "\"vx\", \"vy\"",
                   "1.369*vx^2/2 + 1.286*vy^2/2 - 1.359*x^2/2 - 2.826*y^2/2 + 0.082*vx*vy - 0.317*z",
                   "vx = \"1.193*t^2\", vy = \"1.602*t\"",
                   "floor = { on = [\"vx\", \"vy\"], normal = 1.605, static = \"0.3 + 0.1*x^2\" }\n"};

const Bodies oblique{"\"x\", \"y\"", "\"vx\", \"vy\"",
                     "2.519*vx^2/2 + 0.795*vy^2/2 + 0.198*vx*vy*cos(x - y) - 1.079*x^2/2 - 0.679*y^2/2",
                     "vx = \"0.091 + 1.86*sin(2.403*t)\", vy = \"0.947 - 1.454*cos(1.751*t)\"",
                     "f = { on = [\"vx*cos(y) - 0.499*vy\", \"vy - 0.058*vx*cos(x)\"], normal = \"1 + "
                     "0.252*sin(1.392*t) + 0.159*x^2\", static = 1.487, kinetic = 0.975 }\n"};
const Bodies turning_body{"\"x\", \"y\"", "\"vx\", \"vy\"",
                          "2.546*vx^2/2 + 1.876*vy^2/2 + 0.169*vx*vy*cos(x - y) - 0.43*x^2/2 - 1.236*y^2/2",
                          "vx = \"-0.371 - 1.17*sin(1.294*t)\", vy = \"-0.945 + 1.147*cos(2.814*t)\"",
                          "f = { on = [\"vx*cos(y) - 0.183*vy\", \"vy + 0.101*vx*cos(x)\"], normal = \"1 + "
                          "0.196*sin(1.496*t) + 0.019*x^2\", static = 1.672, kinetic = 1.104 }\n"};

// While friction holds a body at the origin, forces cancel in momenta, and all that is left of places, velocities and
// the action is the rounding of their impulses. Steps ended where these were to be settled beside themselves.
TEST(VaryingFriction, HoldsBodiesAtTheOriginAndLetsThemGo) {
  expect_near(three, "contact-gauss-4", 1e-6);
  expect_near(two_bodies, "contact-gauss-4", 1e-6);
  expect_near(two_bodies, "contact-dla-2", 1e-3);
}

// Where a slip in the plane begins, a matrix that was made at rest gives the force of friction a wrong direction, and
// updates hardly fall with it.
TEST(VaryingFriction, LetsABodyInThePlaneGo) {
  expect_near(plane, "contact-gauss-4", 1e-6);
  for (const Bodies& of : {plane, oblique, turning_body}) expect_near(of, "contact-dla-2", 1e-3);
}

// A block with two pads turns about a place near one of them, whose slip is slow: a matrix of the guess says little of
// the direction of that slip in the step.
TEST(VaryingFriction, TurnsABlockAboutAPlaceNearAPad) {
  const Bodies block{"\"x\", \"y\", \"a\"", "\"vx\", \"vy\", \"w\"", "1.94*vx^2/2 + 1.808*vy^2/2 + 1.178*w^2/2",
                     "vx = \"-0.079*t + 0.355*sin(1.211*t + 1.541)*t/(1 + t)\", vy = \"0.291*t + 1.152*sin(1.1*t + "
                     "1.795)*t/(1 + t)\", w = \"-0.2755*t + 0.701*sin(1.353*t + 5.769)*t/(1 + t)\"",
                     "f0 = { on = [\"vx + 0.987*w\", \"vy - 0.218*w\"], static = 0.263 }\n"
                     "f1 = { on = [\"vx + 0.3*w\", \"vy - 0.9*w\"], static = 0.1 }\n"};
  expect_near(block, "contact-gauss-2", 1e-3);
  expect_near(block, "contact-gauss-4", 1e-6);
}

}  // namespace
}  // namespace herglotz::io
