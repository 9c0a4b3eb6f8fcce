// Kinetic energies that couple the families of a site, in loops over the sites against the same models written out.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "families/comparison.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/equations.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/presentation.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"

namespace herglotz::families {
namespace {

using testing::HasSubstr;

/// Beams of a chain, with a deflection q and an angle a whose velocities a common mass couples.
std::string beams(const std::string& kinetic, const std::string& method, const std::string& more = "") {
  return fmt::format(R"toml(
[indices]
i = {{ count = 9, ends = "periodic" }}
[algebroid]
kind = "tangent"
base = ["q[i]", "a[i]", "b[i]"]
fibre = ["v[i]", "w[i]", "u[i]"]
[parameters]
c = 0.4
gamma = 0.2
"m[i]" = "1 + 0.1*i"
[dynamics]
lagrangian = "sum(i, {} + u[i]^2/2 + 0.3*u[i]*w[i] - (1 - cos(q[i] + a[i])) - b[i]^2/2) - sum(i, (q[i+1] - q[i])^2/2 + (a[i+1] - a[i] + b[i])^2/4) - gamma*z"
{}
[initial]
"q[i]" = "sin(2*pi*i/count)"
"a[i]" = "0.3*cos(2*pi*i/count)"
"v[i]" = "0.2*cos(4*pi*i/count)"
"w[i]" = "0.1"
[simulation]
{}
t_end = 2
)toml",
                     kinetic, more, method);
}

constexpr const char* constant = "m[i]*v[i]^2/2 + c*v[i]*w[i] + w[i]^2 + 0.1*v[i]";
constexpr const char* changing = "m[i]*v[i]^2/2 + c*cos(a[i])*v[i]*w[i] + (1 + q[i]^2)*w[i]^2";

void expect_same(const std::string& text, double tolerance) {
  Model model = io::parse_family_model(text, "beams.toml");
  EXPECT_TRUE(runs_in_loops(model)) << text;
  const FieldRun own = run(model);
  EXPECT_TRUE(own.trajectory.facts.complete) << own.failure;
  EXPECT_LT(own.trajectory.facts.largest_energy_residual, 1e-2);
  Model other = io::parse_family_model(text, "beams.toml");
  expect_equal(in_columns(own), in_columns(run_flat(other)), tolerance);
}

TEST(CoupledFamilies, OfConstantMassesMoveAsWrittenOut) {
  for (const char* method : {"contact-splitting-2", "contact-splitting-4", "contact-lobatto-2", "contact-gauss-2",
                             "contact-gauss-4", "runge-kutta-4", "runge-kutta-8"}) {
    SCOPED_TRACE(method);
    expect_same(beams(constant, fmt::format("method = \"{}\"\nstep = 0.02", method)), 1e-11);
  }
}

TEST(CoupledFamilies, OfChangingMassesMoveAsWrittenOut) {
  for (const char* method : {"contact-gauss-2", "contact-gauss-6", "runge-kutta-8"}) {
    SCOPED_TRACE(method);
    expect_same(beams(changing, fmt::format("method = \"{}\"\nstep = 0.02", method)), 1e-11);
  }
  for (const char* method : {"reference", "radau-5"}) {
    SCOPED_TRACE(method);
    expect_same(beams(changing, fmt::format("method = \"{}\"\ntolerance = 1e-10\noutput_step = 0.1", method)), 1e-8);
  }
}

TEST(CoupledFamilies, FollowForcesAndSymmetries) {
  const std::string more =
      "forces = { \"v[i]\" = \"-0.3*w[i]\", \"u[0]\" = \"cos(t)\" }\n[symmetries]\nshift = [\"1\", \"-1\", \"0\"]";
  expect_same(beams(changing, "method = \"reference\"\ntolerance = 1e-11\noutput_step = 0.1", more), 1e-9);
}

TEST(CoupledFamilies, ArePrintedWithTheInverseOfTheirMasses) {
  Model model = io::parse_family_model(R"toml(
[indices]
i = { count = 4, ends = "periodic" }
[algebroid]
kind = "tangent"
base = ["q[i]", "a[i]"]
fibre = ["v[i]", "w[i]"]
[dynamics]
lagrangian = "sum(i, v[i]^2 + v[i]*w[i] + w[i]^2 - q[i]^2/2)"
[simulation]
method = "reference"
t_end = 1
)toml",
                                       "two.toml");
  // M = ((2, 1), (1, 2)) has the inverse ((2, -1), (-1, 2))/3, and the force is -q on the first family.
  const std::string text = mechanics::render(presentation(model), symbolic::Format::text);
  EXPECT_THAT(text, HasSubstr("dv[i]/dt = -2*q[i]/3"));
  EXPECT_THAT(text, HasSubstr("dw[i]/dt = q[i]/3"));
}

TEST(CoupledFamilies, AreRefusedWhereTheyDoNotDetermineVelocities) {
  const auto refusal = [](const std::string& text) -> std::string {
    Model model = io::parse_family_model(text, "beams.toml");
    try {
      derive(model, Borders::kept);
    } catch (const Refused& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(refusal(beams("(v[i] + w[i])^2 - 0.09*w[i]^2/2 + 0*v[i]", "method = \"reference\"")), testing::IsEmpty());
  EXPECT_THAT(refusal(beams("(v[i] + w[i])^2/2 + 0.045*w[i]^2", "method = \"reference\"")),
              HasSubstr("does not determine the velocity u[i] by the momenta"));
  EXPECT_THAT(refusal(beams("v[i]^2 + w[i]^2 + v[i]*w[i+1]", "method = \"reference\"")),
              HasSubstr("are coupled by the kinetic energy"));
  Model model = io::parse_family_model(
      beams(constant, "method = \"reference\"", "[constraints]\nrule = \"nonholonomic\"\nequations = [\"q[0]\"]"),
      "beams.toml");
  EXPECT_FALSE(runs_in_loops(model));
}

}  // namespace
}  // namespace herglotz::families
