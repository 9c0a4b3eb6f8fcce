#pragma once
/// The two constrained systems that are timed: the cases chaplygin_sleigh_dissipative and rolling_disk_dissipative of
/// tests/reference.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "herglotz/io/model_file.hpp"
#include "herglotz/mechanics/system.hpp"

namespace herglotz::bench {

/// A system with and without its constraints, and one state on them.
struct Constrained {
  std::string name;
  mechanics::System free;
  mechanics::System constrained;
  std::vector<double> parameters;
  std::vector<double> start;  ///< (x, w, z) at t = 0
  std::vector<double> at_5;   ///< the constrained motion at t = 5, from the reference case
};

inline Constrained make_constrained(mechanics::System system, const std::vector<symbolic::Expr>& equations,
                                    std::vector<double> start, std::vector<double> at_5) {
  Constrained made;
  made.name = system.name;
  made.free = system;
  made.constrained = std::move(system);
  mechanics::constrain(made.constrained, mechanics::Rule::nonholonomic, equations);
  for (const auto& parameter : made.free.parameters) made.parameters.push_back(parameter.value);
  made.start = std::move(start);
  made.at_5 = std::move(at_5);
  return made;
}

/// Chaplygin sleigh with Rayleigh dissipation [LLMR21, Eqs. 28-34; LJL21, Eq. 111]: r = 3, m = 1.
inline Constrained sleigh() {
  static constexpr std::string_view model = R"toml(
[model]
name = "sleigh"
[algebroid]
kind = "tangent"
base = ["x", "y", "phi"]
fibre = ["vx", "vy", "w"]
[parameters]
alpha = 0.3
beta = 0.2
gamma = -0.1
J = 2.0
[definitions]
a = "alpha*cos(phi) - beta*sin(phi)"
b = "beta*cos(phi) + alpha*sin(phi)"
[dynamics]
lagrangian = "(a*w + vy)^2/2 + (b*w - vx)^2/2 + J*w^2/2 + gamma*z"
)toml";
  mechanics::System system = io::parse_model(model).system;
  const auto x = system.algebroid.x;
  const auto y = system.algebroid.y;
  return make_constrained(std::move(system), {y[0] * sin(x[2]) - y[1] * cos(x[2])},
                          {0.1, 0.2, 0.5, 0.7020660495122981, 0.3835404308833624, 1.2, 0.3},
                          {-2.885799321699523, 1.224742592448286, 4.113238017966105, -0.5865878276410097,
                           -0.8589771062285835, 0.3725363978056979, 4.147387845194221});
}

/// Vertical rolling disk with Rayleigh dissipation [LLMR21, Sec. 4.3]: r = 4, m = 2.
inline Constrained disk() {
  static constexpr std::string_view model = R"toml(
[model]
name = "disk"
[algebroid]
kind = "tangent"
base = ["x", "y", "theta", "phi"]
fibre = ["vx", "vy", "vtheta", "vphi"]
[parameters]
delta = -0.2
[dynamics]
lagrangian = "(vx^2 + vy^2 + vtheta^2 + vphi^2)/2 + delta*z"
)toml";
  mechanics::System system = io::parse_model(model).system;
  const auto x = system.algebroid.x;
  const auto y = system.algebroid.y;
  return make_constrained(
      std::move(system), {y[0] - y[2] * cos(x[3]), y[1] - y[2] * sin(x[3])},
      {0.1, 0.2, 0.4, 0.3, 1.0508701380381666, 0.32507222732747354, 1.1, 0.7, 0.2},
      {0.5603566780819977, 2.971767897852161, 3.8766630735570673, 2.512421955899952, -0.32717997859792025,
       0.23813641956022985, 0.40466738528858653, 0.2575156088200096, 1.765334637210174});
}

}  // namespace herglotz::bench
