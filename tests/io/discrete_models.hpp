#pragma once
/// A model with a discrete Lagrangian, and a start from two positions.

#include <string>
#include <string_view>

namespace herglotz::io {

inline constexpr std::string_view kDiscrete = R"toml([model]
name = "two-springs"

[algebroid]
kind = "tangent"
base = ["x", "q"]
fibre = ["vx", "vq"]

[parameters]
gamma = -0.05
k = 2

[definitions]
spring = "k*x^2/2"
loss = "gamma*k"

[dynamics]
lagrangian = "(vx^2 + vq^2)/2 - spring + gamma*z"

[discrete]
lagrangian = "((x1 - x0)^2 + (q1 - q0)^2)/(2*h) - h*k*x0^2/2 + h*gamma*z0"

[initial]
x = 1

[initial.next]
x = 1.5

[simulation]
step = 0.1
)toml";

/// kDiscrete with its discrete Lagrangian replaced by other lines.
inline std::string with_discrete(std::string_view lines) {
  std::string text(kDiscrete);
  const std::size_t at = text.find("lagrangian = \"((x1");
  return text.replace(at, text.find('\n', at) - at, lines);
}

}  // namespace herglotz::io
