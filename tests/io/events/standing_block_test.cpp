// A block that stands on two corners: its contacts and frictions depend on each other.

#include <gtest/gtest.h>

#include <string>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {
namespace {

/// A block of mass 1 and the half sides `b` and 0.2 on two corners, and a ball of mass 0.5 on the line y = 0.2.
std::string block(const std::string& corners, const std::string& more) {
  const auto corner = [&](const std::string& name, const std::string& sign) {
    return name + " = { gap = \"y " + sign + " b*sin(a) - 0.2*cos(a)\", restitution = 0" + corners +
           (corners.empty()
                ? ""
                : ", slip = \"vx + (0.2*cos(a) " + std::string(sign == "+" ? "-" : "+") + " b*sin(a))*w\"") +
           " }\n";
  };
  return R"([model]
name = "block"
[algebroid]
kind = "tangent"
base = ["x", "y", "a", "s"]
fibre = ["vx", "vy", "w", "vs"]
[parameters]
g = 9.81
b = 0.5
mu = 0.3
pull = 2.0
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 + (b^2 + 0.04)/6*w^2 - g*y + vs^2/4"
)" + more +
         "[impacts]\n" + corner("left", "-") + corner("right", "+") +
         R"(ball = { gap = "(x - s)*cos(a) + (y - 0.2)*sin(a) - b", restitution = 0.5, friction = 0.4, slip = "vy - b*cos(a)*w" }
)";
}

// The slips of both corners are one velocity, whose friction is not determined corner by corner. Together the corners
// take the load F' t while it is below mu m g. They may share it in any way, and a run ends where one of them takes all
// that its own normal force allows.
TEST(StandingBlock, IsHeldByBothCornersTogether) {
  const std::string text = block(", friction = \"mu\"", "forces = { vx = \"pull*t\" }\n") +
                           "[initial]\ny = 0.2\ns = -9.0\n[simulation]\ntolerance = 1e-12\nt_end = 0.6\n";
  const auto made = simulate::simulate(parse_model(text));
  ASSERT_TRUE(made.facts.complete) << made.facts.status;
  for (std::size_t k = 0; k < made.rows(); ++k) {
    const double t = made["t"][k];
    EXPECT_NEAR(made["x"][k], 0, 1e-12) << t;
    EXPECT_NEAR(made["a"][k], 0, 1e-12) << t;
    if (t > 0) {
      EXPECT_NEAR(made["friction.left"][k] + made["friction.right"][k], -2 * t, 1e-9) << t;
    }
  }
}

}  // namespace
}  // namespace herglotz::io
