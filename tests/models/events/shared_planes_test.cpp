// Frictions on two velocities each whose velocities depend on each other: any forces within their discs may hold a
// body, and it slips where none do.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "contact_runs.hpp"

namespace herglotz::io {
namespace {

/// A body in the plane under a load.
std::string body_in_plane(const std::string& x, const std::string& y, const std::string& frictions,
                          const std::string& how, double t_end) {
  return fmt::format(R"([algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[dynamics]
lagrangian = "(vx^2 + vy^2)/2"
forces = {{ vx = "{}", vy = "{}" }}
[friction]
{}[initial]
x = 0
[simulation]
t_end = {}
{})",
                     x, y, frictions, t_end, how);
}

constexpr const char* two_in_plane =
    "one = { on = [\"vx\", \"vy\"], static = 0.6, kinetic = 0.3 }\n"
    "two = { on = [\"vx\", \"vy\"], static = 0.4, kinetic = 0.2 }\n";

// The load t (1, 1/2) is held up to 0.6 + 0.4, at t0 = 1/sqrt(1.25), and the body slips along it with 0.3 + 0.2.
TEST(SharedPlanes, HoldTheSumOfTheirForces) {
  const double size = std::sqrt(1.25);
  const double t0 = 1 / size;
  for (const std::string how : {adaptive, fixed}) {
    const auto made = complete_run(body_in_plane("t", "t/2", two_in_plane, how, 2));
    for (std::size_t k = 0; k < made.rows(); ++k) {
      const double t = made["t"][k];
      const double v = t > t0 ? size * (t * t - t0 * t0) / 2 - 0.5 * (t - t0) : 0;
      EXPECT_NEAR(made["vx"][k], v / size, 1e-9) << t;
      EXPECT_NEAR(made["vy"][k], v / size / 2, 1e-9) << t;
      if (t > t0) continue;
      EXPECT_NEAR(made["friction.one"][k] + made["friction.two"][k], size * t, 1e-9) << t;
      EXPECT_LE(made["friction.one"][k], 0.6 + 1e-9) << t;
      EXPECT_LE(made["friction.two"][k], 0.4 + 1e-9) << t;
      EXPECT_EQ(made["mode.one"][k], 0) << t;
      EXPECT_EQ(made["mode.two"][k], 0) << t;
    }
  }
}

// Whatever the load does, two frictions on the same velocities move a body as one with the sum of their forces does.
TEST(SharedPlanes, MoveABodyAsOneWithTheSumOfTheForces) {
  const std::string sum = "sum = { on = [\"vx\", \"vy\"], static = 1.0, kinetic = 0.5 }\n";
  for (const auto& [x, y] : {std::pair{"0.99*cos(3*t)", "0.99*sin(3*t)"}, std::pair{"1.5*sin(4*t)", "0.8*cos(3*t)"},
                             std::pair{"0.4*t*cos(5*t)", "0.4*t*sin(5*t)"}}) {
    const auto shared = complete_run(body_in_plane(x, y, two_in_plane, adaptive, 3));
    const auto alone = complete_run(body_in_plane(x, y, sum, adaptive, 3));
    ASSERT_EQ(shared.rows(), alone.rows());
    for (std::size_t k = 0; k < shared.rows(); ++k) {
      EXPECT_NEAR(shared["vx"][k], alone["vx"][k], 1e-7) << x << " at " << shared["t"][k];
      EXPECT_NEAR(shared["vy"][k], alone["vy"][k], 1e-7) << x << " at " << shared["t"][k];
    }
    EXPECT_NEAR(shared["work.one"].back() + shared["work.two"].back(), alone["work.sum"].back(), 1e-7);
  }
}

/// A block on two pads that are at (-1, 0) and (1, 0), under a load at its centre and a moment.
std::string block_on_pads(const std::string& x, const std::string& y, const std::string& moment, double t_end) {
  return fmt::format(R"([algebroid]
kind = "tangent"
base = ["x", "y", "a"]
fibre = ["vx", "vy", "w"]
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 + w^2/4"
forces = {{ vx = "{}", vy = "{}", w = "{}" }}
[friction]
one = {{ on = ["vx + sin(a)*w", "vy - cos(a)*w"], static = 0.6 }}
two = {{ on = ["vx - sin(a)*w", "vy + cos(a)*w"], static = 0.4 }}
[initial]
x = 1
[simulation]
t_end = {:.17g}
tolerance = 1e-12
)",
                     x, y, moment, t_end);
}

// Across the line of the pads the forces follow from force and moment: f2 = (1 + e) t/2 reaches 0.4 first, and the
// block turns about the other pad, which sticks: (1/2 + 1) dw/dt = t cos(a) + e t - 2*0.4.
TEST(SharedPlanes, LetABlockTurnAboutThePadThatHolds) {
  const double e = 0.3;
  const double t0 = 0.8 / (1 + e);
  const auto made = complete_run(block_on_pads("0", "t", "0.3*t", 1.0));
  double a = 0;
  double w = 0;
  double now = t0;
  const auto rate = [&](double t, double angle) { return (t * std::cos(angle) + e * t - 0.8) / 1.5; };
  for (std::size_t k = 0; k < made.rows(); ++k) {
    const double t = made["t"][k];
    EXPECT_EQ(made["mode.one"][k], 0) << t;
    if (t > t0) {
      constexpr int steps = 10;
      const double h = (t - now) / steps;
      for (int i = 0; i < steps; ++i, now += h) {  // Nystroem's method of order 4
        const double k1 = rate(now, a);
        const double k2 = rate(now + h / 2, a + h / 2 * w + h * h / 8 * k1);
        const double k3 = rate(now + h, a + h * w + h * h / 2 * k2);
        a += h * w + h * h / 6 * (k1 + 2 * k2);
        w += h / 6 * (k1 + 4 * k2 + k3);
      }
    }
    EXPECT_NEAR(made["w"][k], w, 1e-9) << t;
    EXPECT_NEAR(made["a"][k], a, 1e-9) << t;
    EXPECT_LE(made["friction.one"][k], 0.6) << t;
  }
}

// Along the line only the sum of the forces follows. With the forces -e t/2 and e t/2 across it, the pads hold t along
// it up to sqrt(0.36 - (e t/2)^2) + sqrt(0.16 - (e t/2)^2) = t.
TEST(SharedPlanes, HoldForceAndMomentUpToTheirLimit) {
  for (const double e : {0.3, 1.0}) {
    double low = 0;
    double high = 0.8 / e;
    for (int k = 0; k < 100; ++k) {
      const double t = (low + high) / 2;
      const double across = e * t * e * t / 4;
      const bool holds = across < 0.16 && std::sqrt(0.36 - across) + std::sqrt(0.16 - across) > t;
      (holds ? low : high) = t;
    }
    // A block at rest has no energy that rounding of its laws could be compared with.
    const auto before = simulate::simulate(parse_model(block_on_pads("t", "0", fmt::format("{}*t", e), low - 1e-7)));
    EXPECT_EQ(before["t"].back(), low - 1e-7);
    for (std::size_t k = 0; k < before.rows(); ++k) {
      EXPECT_EQ(before["mode.one"][k] + before["mode.two"][k], 0);
      EXPECT_NEAR(before["vx"][k], 0, 1e-14);
      EXPECT_LE(before["friction.one"][k], 0.6 + 1e-12);
      EXPECT_LE(before["friction.two"][k], 0.4 + 1e-12);
    }
    // Where the static force is the kinetic one, a slip that turns as it begins is stiff.
    const auto after =
        complete_run(block_on_pads("t", "0", fmt::format("{}*t", e), low + 2e-2) + "method = \"radau-5\"\n", 1e-10);
    EXPECT_EQ(after["mode.one"].back() + after["mode.two"].back(), 2);
    EXPECT_GT(after["vx"].back(), 0);
    EXPECT_GT(after["w"].back(), 0);
  }
}

}  // namespace
}  // namespace herglotz::io
