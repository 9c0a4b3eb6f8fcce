#pragma once
/// Chains of rods for tests.

#include <fmt/format.h>

#include <string>

namespace herglotz::families {

/// What a chain of rods of length 1 varies.
struct Rods {
  std::string rule = "nonholonomic";
  std::string equations = R"eq("(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1", "x[0]", "y[0]")eq";
  std::string edges{};
  std::string initial = "\"x[i]\" = \"0.6*i\"\n\"y[i]\" = \"-0.8*i\"\n\"vx[i]\" = \"0.4*i\"\n\"vy[i]\" = \"0.3*i\"\n";
  std::size_t count = 3;
  std::string more{};
  std::string method = "method = \"contact-gauss-4\"\nstep = 0.02";  ///< lines of [simulation]
};

inline std::string rods_text(const Rods& rods) {
  return fmt::format(R"toml(
[indices]
i = {{ count = {}, ends = "free" }}
{}
[algebroid]
kind = "tangent"
base = ["x[i]", "y[i]"]
fibre = ["vx[i]", "vy[i]"]
[parameters]
g = 2.0
gamma = 0.1
[dynamics]
lagrangian = "sum(i, (1 + i)*(vx[i]^2 + vy[i]^2)/2 - g*y[i]) - gamma*z"
[constraints]
rule = "{}"
equations = [{}]
{}
[initial]
{}
[simulation]
{}
t_end = 1
)toml",
                     rods.count, rods.edges, rods.rule, rods.equations, rods.more, rods.initial, rods.method);
}

}  // namespace herglotz::families
