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

analyse::Trajectory run(const Bodies& of, const std::string& how) {
  const auto made = simulate::simulate(
      parse_model("[algebroid]\nkind = \"tangent\"\nbase = [" + of.base + "]\nfibre = [" + of.fibre +
                  "]\n[dynamics]\nlagrangian = \"" + of.lagrangian + "\"\nforces = { " + of.forces +
                  " }\n[friction]\n" + of.frictions + "[initial]\nx = 0\n[simulation]\nt_end = 3.0\n" + how));
  EXPECT_TRUE(made.facts.complete) << how << made.facts.status;
  return made;
}

void expect_near(const Bodies& of, const std::string& method, double error) {
  const auto exact = run(of, "method = \"radau-5\"\ntolerance = 1e-11\n");
  const auto made = run(of, "step = 0.01\nmethod = \"" + method + "\"\n");
  EXPECT_EQ(made["x"][1], 0);
  for (const char* name : {"x", "y", "vx", "vy"})
    EXPECT_NEAR(made[name].back(), exact[name].back(), error) << name << method;
}

const Bodies two{"\"x\", \"y\"", "\"vx\", \"vy\"",
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

// While friction holds a body at the origin, forces cancel in momenta, and all that is left of places, velocities and
// the action is the rounding of their impulses. Steps ended where these were to be settled beside themselves.
TEST(VaryingFriction, HoldsBodiesAtTheOriginAndLetsThemGo) {
  expect_near(three, "contact-gauss-4", 1e-6);
  expect_near(two, "contact-gauss-4", 1e-6);
  expect_near(two, "contact-dla-2", 1e-3);
}

// Where a slip in the plane begins, a matrix that was made at rest gives the force of friction a wrong direction, and
// updates hardly fall with it.
TEST(VaryingFriction, LetsABodyInThePlaneGo) {
  expect_near(plane, "contact-gauss-4", 1e-6);
}

}  // namespace
}  // namespace herglotz::io
