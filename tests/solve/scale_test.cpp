// The same problems in other units have the same solutions, and problems whose numbers have no size in common are
// solved.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"
#include "residual.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

double first_value(const solve::Solution& solution, const std::string& column) {
  for (const auto& one : solution.trajectory.columns)
    if (one.name == column) return one.values.front();
  return NAN;
}

double last_value(const solve::Solution& solution, const std::string& column) {
  for (const auto& one : solution.trajectory.columns)
    if (one.name == column) return one.values.back();
  return NAN;
}

/// A cart with a spring and friction is brought to rest by a bounded force, with a discounted cost, in units of length,
/// time, mass and cost.
std::string cart_in_units(double length, double time, double mass, double cost) {
  const double force = mass * length / (time * time);
  return fmt::format(R"toml([model]
name = "cart"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
m = {}
k = {}
g = {}
[dynamics]
lagrangian = "m*v^2/2 - k*x^2/2 - g*z"
forces = {{ v = "u" }}
[control]
controls = ["u"]
bounds = {{ u = [{}, {}] }}
[cost]
running = "{}*u^2 + {}*zeta"
[boundary]
duration = {}
final = {{ x = {}, v = 0 }}
[mesh]
tolerance = 1e-10
)toml",
                     2 * mass, 3 * mass / (time * time), 0.2 / time, -1.5 * force, 4 * force,
                     cost / (force * force * time), 0.1 / time, 2 * time, length);
}

}  // namespace

TEST(Scale, AProblemInOtherUnitsHasTheSameSolution) {
  const auto plain = solved(cart_in_units(1, 1, 1, 1));
  ASSERT_EQ(plain.status, solve::Status::solved) << plain.reason;
  struct Units {
    double length, time, mass, cost;
  };
  for (const auto& [length, time, mass, cost] :
       {Units{1e6, 3600, 1, 1}, Units{1e-9, 1e-6, 1e-3, 1e12}, Units{7, 0.3, 1e5, 1e-4}}) {
    const auto other = solved(cart_in_units(length, time, mass, cost));
    ASSERT_EQ(other.status, solve::Status::solved) << other.reason;
    EXPECT_EQ(other.abnormal, plain.abnormal);
    EXPECT_EQ(other.method, plain.method);
    EXPECT_NEAR(other.cost / cost, plain.cost, 1e-9 * plain.cost);
    EXPECT_NEAR(first_value(other, "p_v") * length / cost, first_value(plain, "p_v"),
                1e-9 * std::abs(first_value(plain, "p_v")));
    EXPECT_NEAR(first_value(other, "q_v") * length / (time * cost), first_value(plain, "q_v"),
                1e-9 * std::abs(first_value(plain, "q_v")));
    double sum = 1;
    for (const char* costate : {"p_v", "q_v", "p_z"}) sum += std::pow(last_value(other, costate), 2);
    EXPECT_NEAR(residual(other, "price_share") * std::sqrt(sum), 1, 1e-7) << "R/|(P, R)| of the columns";
    EXPECT_NEAR(first_value(other, "hamiltonian") * time / cost, first_value(plain, "hamiltonian"), 1e-8);
    ASSERT_EQ(other.switching_times.at("u").size(), plain.switching_times.at("u").size());
    for (std::size_t k = 0; k < plain.switching_times.at("u").size(); ++k)
      EXPECT_NEAR(other.switching_times.at("u")[k] / time, plain.switching_times.at("u")[k], 1e-8);
    EXPECT_EQ(residual(other, "negative_directions"), residual(plain, "negative_directions"));
    EXPECT_LT(residual(other, "hamiltonian"), 1e-9);
  }
}

TEST(Scale, TransferToTheLargestCircleInMetresAndSeconds) {
  // The transfer of A. E. Bryson, Y.-C. Ho (1975) from a circle of 6678 km about the Earth.
  const double mu = 3.986004418e14;
  const double r0 = 6.678e6;
  const double time = std::sqrt(r0 * r0 * r0 / mu);
  const double gravity = mu / (r0 * r0);
  const auto solution = solved(fmt::format(R"toml([model]
name = "transfer"
[algebroid]
kind = "tangent"
base = ["r", "a", "b"]
fibre = ["wr", "wa", "wb"]
[parameters]
mu = {:.17g}
r0 = {:.17g}
thrust = {:.17g}
flow = {:.17g}
[control]
controls = ["u"]
kinematics = {{ wr = "a", wa = "b^2/r - mu/r^2 + thrust*sin(u)/(1 - flow*t)", wb = "-a*b/r + thrust*cos(u)/(1 - flow*t)" }}
[cost]
terminal = "r"
sense = "maximise"
[boundary]
duration = {:.17g}
final = {{ a = 0 }}
conditions = ["b_final - sqrt(mu/r_final)"]
[initial]
r = "r0"
b = "sqrt(mu/r0)"
)toml",
                                           mu, r0, 0.1405 * gravity, 0.0749 / time, 3.32 * time));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost / r0, 1.5252777, 1e-6);
}

TEST(Scale, LayersAtBothEndsOfALongDuration) {
  const auto solution = solved(R"toml([model]
name = "hypersensitive"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[control]
controls = ["u"]
kinematics = { v = "-x^3 + u" }
[cost]
running = "(x^2 + u^2)/2"
[boundary]
duration = 10000
final = { x = 1 }
[initial]
x = 1.5
[mesh]
method = "direct-gauss-6"
tolerance = 1e-5
)toml");
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 1.33080690, 2e-5);
}

// From rest to rest by an angle a about a principal axis u = (6 - 12 t/T) I a/T^2 costs 6 (I a)^2/T^3 without damping.
// What turns about the other axes stays 0: neither its rounding nor a weak damping says how large it is.
TEST(Scale, ASlewAboutAPrincipalAxisLeavesTheOtherAxesAlone) {
  for (const double damping : {0.0, 1e-6}) {
    const auto slew = solved(fmt::format(R"toml([model]
name = "slew"
{}[dynamics]
lagrangian = "(w1^2 + 2*w2^2 + 3*w3^2)/2 - {}*z"
forces = {{ w1 = "u1", w2 = "u2", w3 = "u3" }}
[initial]
q0 = 1
[control]
controls = ["u1", "u2", "u3"]
[cost]
running = "(u1^2 + u2^2 + u3^2)/2"
[boundary]
duration = 1
final = {{ q1 = "sin(0.5)", q2 = 0, q3 = 0, w1 = 0, w2 = 0, w3 = 0 }}
)toml",
                                         rotations, damping));
    ASSERT_EQ(slew.status, solve::Status::solved) << slew.reason;
    EXPECT_NEAR(slew.cost, 6, 1e-9 + 10 * damping);
    EXPECT_NEAR(first_value(slew, "u1"), 6, 1e-7 + 10 * damping);
    EXPECT_EQ(last_value(slew, "w2"), 0);
  }
}

// The kinetic energy couples two axes weakly: with small ends (a, e) the cost is 6 (a^2 + e^2) + 3 a^2 e. An end
// that is tiny beside the other one is like 0, and tells nothing of the size of its coordinate; where both are
// tiny, they are the sizes.
TEST(Scale, EndsThatAreTinyBesideOthersAreLikeZeros) {
  const auto two_axes = [](const std::string& lagrangian, double a, double e, const std::string& rest) {
    return solved(fmt::format("[model]\nname = \"two axes\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"q1\", \"q2\"]\n"
                              "fibre = [\"w1\", \"w2\"]\n[dynamics]\nlagrangian = \"(w1^2 + w2^2)/2 + {}\"\n{}"
                              "[boundary]\nduration = 1\nfinal = {{ q1 = {}, q2 = {}",
                              lagrangian, rest, a, e) +
                  (rest.empty() ? " }\n" : ", w1 = 0, w2 = 0 }\n"));
  };
  const std::string torques =
      "forces = { w1 = \"u1\", w2 = \"u2\" }\n[control]\ncontrols = [\"u1\", \"u2\"]\n[cost]\n"
      "running = \"(u1^2 + u2^2)/2\"\n";
  struct Ends {
    double a, e;
  };
  for (const auto& [a, e] : {Ends{1, 1e-12}, Ends{1, 1e-8}, Ends{1, -1e-5}, Ends{1e-12, 1}, Ends{1e-9, 1e-12},
                             Ends{1e-9, 1e-9}, Ends{1e-5, 1e-7}}) {
    const auto slew = two_axes("w1*w2*sin(q1)/4", a, e, torques);
    ASSERT_EQ(slew.status, solve::Status::solved) << a << ", " << e << ": " << slew.reason;
    const double small = 6 * (a * a + e * e) + 3 * a * a * e;
    EXPECT_NEAR(slew.cost, a < 1 ? small : 5.98105133423, a < 1 ? 1e-8 * small : 4 * std::abs(e) + 1e-10);
    const auto motion = two_axes("w1*w2*sin(q1)/4 - q1^2*q2/3 - 0.1*z", a, e, "");
    ASSERT_EQ(motion.status, solve::Status::solved) << a << ", " << e << ": " << motion.reason;
  }
}

// A body is brought from rest to rest over a distance in the least time, 2 sqrt(distance/thrust), or as far as it goes
// in a given time, with any guess.
TEST(Scale, BoundedControlsComeToTheirBoundsFromFarGuesses) {
  const auto body = [](double thrust, const std::string& rest) {
    return solved(fmt::format(R"toml([model]
name = "body"
[algebroid]
kind = "tangent"
base = ["x", "v"]
fibre = ["wx", "wv"]
[control]
controls = ["u"]
kinematics = {{ wx = "v", wv = "u" }}
bounds = {{ u = [{0}, {1}] }}
)toml",
                              -thrust, thrust) +
                  rest);
  };
  struct Far {
    double distance, time, guess;
  };
  for (const auto& [distance, time, guess] : {Far{1, 0.01, 100}, Far{1e-6, 1e2, 1e6}, Far{1e4, 1e-6, 1e-4}}) {
    const auto fastest = body(distance / (time * time), fmt::format(R"toml([cost]
running = "1"
[boundary]
duration = "free"
final = {{ x = {}, v = 0 }}
[guess]
duration = {}
)toml",
                                                                    distance, guess));
    ASSERT_EQ(fastest.status, solve::Status::solved) << fastest.reason;
    EXPECT_NEAR(fastest.cost, 2 * time, fastest.cost_error + 1e-15 * time);
    EXPECT_LT(fastest.cost_error, 1e-9 * time);
  }
  const auto farthest = body(1e6, R"toml([cost]
terminal = "x"
sense = "maximise"
[boundary]
duration = 2e-6
final = { v = 0 }
[guess]
x = "100"
u = "100"
)toml");
  ASSERT_EQ(farthest.status, solve::Status::solved) << farthest.reason;
  EXPECT_NEAR(farthest.cost, 1e-6, farthest.cost_error + 1e-20);
  EXPECT_LT(farthest.cost_error, 1e-14);
}
