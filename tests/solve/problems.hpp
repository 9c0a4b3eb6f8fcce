#pragma once
/// Problems with known solutions that the tests of `solve` share.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"

namespace herglotz::solve::testing {

/// Attitude of a body as a unit quaternion, and angular velocities in its frame.
inline const std::string rotations = R"toml([algebroid]
kind = "action"
base = ["q0", "q1", "q2", "q3"]
fibre = ["w1", "w2", "w3"]
generators = [["-q1/2", "q0/2", "q3/2", "-q2/2"], ["-q2/2", "-q3/2", "q0/2", "q1/2"],
              ["-q3/2", "q2/2", "-q1/2", "q0/2"]]
[algebroid.brackets]
"w1,w2" = { w3 = "1" }
"w2,w3" = { w1 = "1" }
"w3,w1" = { w2 = "1" }
)toml";

/// A regulator with discounting action; cost and costates in closed form.
inline const std::string regulator = R"toml([model]
name = "regulator"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
a = -0.3
b = 1
Q = 2
r = 0.5
g = -0.4
s = 0.8
[control]
controls = ["u"]
kinematics = { v = "a*x + b*u" }
[cost]
running = "(Q*x^2 + r*u^2)/2 + g*zeta"
terminal = "s*x^2/2"
[boundary]
duration = 1.5
[initial]
x = 1
)toml";
inline constexpr double regulator_cost = 0.26091789098402995;
inline constexpr double regulator_costate = -0.9508467890404846;

/// H = p u - u^2/2 + x with p = 2 - t: u is 1 up to t = 1, then 2 - t; the cost is -7/6.
inline const std::string saturated = R"toml([model]
name = "saturated"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[control]
controls = ["u"]
kinematics = { v = "u" }
bounds = { u = [-1, 1] }
[cost]
running = "u^2/2 - x"
[boundary]
duration = 2
[initial]
x = 0
[mesh]
intervals = 7
tolerance = 1e-11
)toml";

/// The Heisenberg system: z is the area that the path of (x, y) encloses, to which controls that are 0 have no slope
/// [LS95]. In the time 5 the largest area is 25/8.
inline std::string loop_of_area(double area, const std::string& running = "u^2 + w^2") {
  return R"toml([model]
name = "loop"
[algebroid]
kind = "tangent"
base = ["x", "y", "z"]
fibre = ["vx", "vy", "vz"]
[control]
controls = ["u", "w"]
kinematics = { vx = "u", vy = "w", vz = "(x*w - y*u)/2" }
bounds = { u = [-1, 1], w = [-1, 1] }
[cost]
running = ")toml" +
         running + "\"\n[boundary]\nduration = 5\nfinal = { x = 0, y = 0, z = " + std::to_string(area) +
         " }\n[mesh]\nintervals = 20\n";
}

/// The problem of Bryson and Denham with x <= 0.12: the cost is 4/(9*0.12), and x is at its limit from t = 0.36 to
/// 0.64.
inline const std::string limited = R"toml([model]
name = "limited"
[algebroid]
kind = "tangent"
base = ["x", "v"]
fibre = ["wx", "wv"]
[control]
controls = ["u"]
kinematics = { wx = "v", wv = "u" }
path = ["x - 0.12"]
[cost]
running = "u^2/2"
[boundary]
duration = 1
final = { x = 0, v = -1 }
[initial]
x = 0
v = 1
[mesh]
tolerance = 1e-8
)toml";

/// An oscillator of van der Pol whose control reaches both bounds.
inline const std::string bounded_oscillator = R"toml([model]
name = "bounded-oscillator"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[control]
controls = ["u"]
kinematics = { vx = "y", vy = "(1 - x^2)*y - x + u" }
bounds = { u = [-0.3, 1] }
[cost]
running = "x^2 + y^2 + u^2"
[boundary]
duration = 5
[initial]
x = 0
y = 1
[mesh]
tolerance = 1e-11
)toml";

/// The vakonomic problem of Dido with discounting; closed form.
inline const std::string heisenberg = R"toml([model]
name = "heisenberg"
[algebroid]
kind = "hamel"
base = ["x", "y", "s"]
fibre = ["v1", "v2", "v3"]
frame = [["1", "0", "-y/2"], ["0", "1", "x/2"], ["0", "0", "1"]]
[parameters]
g = -0.3
[dynamics]
lagrangian = "(v1^2 + v2^2)/2 + g*z"
[constraints]
rule = "vakonomic"
equations = ["v3"]
[boundary]
duration = 2
final = { x = 1, y = 0, s = 1 }
[guess]
y = "-sin(pi*s)"
[mesh]
tolerance = 1e-9
output_times = [0.4]
)toml";

/// Attitude on SO(3) whose cost is coupled to its own action; shooting to 11 digits.
inline const std::string attitude = R"toml([model]
name = "attitude"
[algebroid]
kind = "action"
group = "so3"
base = ["q0", "q1", "q2", "q3"]
fibre = ["w1", "w2", "w3"]
generators = [["-q1/2", "q0/2", "q3/2", "-q2/2"], ["-q2/2", "-q3/2", "q0/2", "q1/2"], ["-q3/2", "q2/2", "-q1/2", "q0/2"]]
[parameters]
g = -0.3
k = 0.25
[control]
controls = ["u1", "u2", "u3"]
kinematics = { w1 = "u1", w2 = "u2", w3 = "u3" }
[cost]
running = "(u1^2 + 2*u2^2 + 3*u3^2)/2 + k*zeta*u1 + g*zeta"
[boundary]
duration = 1.5
final = { q1 = 0.38974015824932146, q2 = 0.22026360794293862, q3 = 0.17652756660792832 }
[initial]
q0 = 1
[mesh]
tolerance = 1e-9
output_times = [0.6]
)toml";

/// A damped mass from rest to rest in least time; closed form.
inline const std::string least_time = R"toml([model]
name = "least-time"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
c = 0.4
d = 2
[dynamics]
lagrangian = "v^2/2 - c*z"
forces = { v = "u" }
[control]
controls = ["u"]
bounds = { u = [-1, 1] }
[cost]
running = "1"
[boundary]
duration = "free"
final = { x = "d", v = 0 }
[guess]
duration = 3
[mesh]
tolerance = 1e-9
output_times = [0.5]
)toml";

/// The end is reached by a strictly abnormal minimiser along the y-axis [LS95].
inline const std::string abnormal = R"toml([model]
name = "abnormal"
[algebroid]
kind = "hamel"
base = ["x", "y", "s"]
fibre = ["a", "b", "c"]
frame = [["1", "0", "0"], ["0", "1 - x", "x^2"], ["0", "0", "1"]]
[control]
controls = ["u1", "u2"]
kinematics = { a = "u1", b = "u2", c = "0" }
[cost]
running = "(u1^2 + u2^2)/2"
[boundary]
duration = 1
final = { x = 0, y = 0.4, s = 0 }
[guess]
u2 = "0.4"
[mesh]
intervals = 20
)toml";

/// A sleigh with nonholonomic constraint moved by a force and a torque.
inline const std::string sleigh = R"toml([model]
name = "sleigh"
[algebroid]
kind = "tangent"
base = ["x", "y", "th"]
fibre = ["vx", "vy", "w"]
[parameters]
g = 0.2
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 + w^2/4 - g*z"
forces = { vx = "f*cos(th)", vy = "f*sin(th)", w = "tau" }
[constraints]
rule = "nonholonomic"
equations = ["vx*sin(th) - vy*cos(th)"]
[control]
controls = ["f", "tau"]
[cost]
running = "(f^2 + tau^2)/2 - 0.1*zeta"
[boundary]
duration = 2
final = { x = 1, y = 0.5, th = 0.2, vx = 0, vy = 0, w = 0 }
)toml";

/// `text` with the first `from` replaced by `to`; `from` must be there.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

inline Solution solved(const std::string& text) {
  return solve::solve(io::parse_problem(text));
}

/// Returns the problem of the damped mass with a given duration instead of the least one.
inline std::string mass_in(const std::string& duration) {
  return with(with(least_time, "[guess]\nduration = 3\n", ""), "\"free\"", duration);
}

using Names = std::vector<std::string>;

/// Returns a problem with given rates of the states; `rest` follows the kinematics in [control].
inline std::string control_of(const Names& states, const Names& rates, const std::string& rest) {
  Names base;
  Names fibre;
  Names kinematics;
  for (std::size_t i = 0; i < states.size(); ++i) {
    base.push_back('"' + states[i] + '"');
    fibre.push_back("\"rate_" + states[i] + '"');
    kinematics.push_back(fmt::format("rate_{} = \"{}\"", states[i], rates[i]));
  }
  return fmt::format(
      "[model]\nname = \"problem\"\n[algebroid]\nkind = \"tangent\"\nbase = [{}]\nfibre = [{}]\n[control]\n"
      "kinematics = {{ {} }}\n{}",
      fmt::join(base, ", "), fmt::join(fibre, ", "), fmt::join(kinematics, ", "), rest);
}

}  // namespace herglotz::solve::testing
