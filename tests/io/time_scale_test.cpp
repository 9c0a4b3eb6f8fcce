#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.hpp"

namespace herglotz::io {
namespace {

/// The Kepler problem with drag from the apocentre of an orbit of eccentricity 0.9.
std::string kepler(const std::string& simulation) {
  return R"toml([algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[definitions]
r = "sqrt(x^2 + y^2)"
speed = "sqrt(vx^2 + vy^2)"
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 + 1/r - z/1000"
[symmetries]
rotation = ["-y", "x"]
[initial]
x = 1.9
vy = 0.2294157338705618
[simulation]
t_end = 20.0
)toml" + simulation;
}

double error_against_the_reference(const std::string& simulation) {
  const auto run = simulate::simulate(parse_model(kepler(simulation)));
  const auto exact = simulate::simulate(parse_model(kepler("tolerance = 1e-13")));
  return std::max(std::abs(run["x"].back() - exact["x"].back()), std::abs(run["y"].back() - exact["y"].back()));
}

TEST(TimeScale, ServesAnEccentricOrbitAtEqualWork) {
  const double equal_steps = error_against_the_reference("method = \"contact-gauss-4\"\nstep = 0.0155");
  const double scaled = error_against_the_reference(
      "method = \"contact-gauss-4\"\nstep = 0.02\ntime_scale = \"r^(3/2)\"");  // 1294 steps instead of 1291
  EXPECT_LT(scaled, 1e-8);
  EXPECT_GT(equal_steps, 1e-3);
}

TEST(TimeScale, IsAFunctionOfPositionActionAndTime) {
  EXPECT_EQ(error_of([] { parse_model(kepler("step = 0.1\ntime_scale = \"speed\""), "m.toml"); }),
            "m.toml:18:15: the time scale may not depend on the definition 'speed'; use base coordinates, the action, "
            "time, parameters and definitions of these");
}

}  // namespace
}  // namespace herglotz::io
