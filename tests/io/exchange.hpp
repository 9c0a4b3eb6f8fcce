#pragma once
/// Good models, and their one-line errors when a piece of text is exchanged.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "error_of.hpp"

namespace herglotz::io {

inline constexpr std::string_view kTangent = R"toml([model]
name = "m"

[algebroid]
kind = "tangent"
base = ["x", "q"]
fibre = ["vx", "vq"]

[parameters]
mass = 2.0
gamma = 0.1

[definitions]
kinetic = "mass*(vx^2 + vq^2)/2"

[dynamics]
lagrangian = "kinetic - x^2/2 - gamma*z"
forces = { vx = "-0.1*vx" }

[symmetries]
shift = ["0", "1"]

[observables]
speed = "sqrt(vx^2 + vq^2)"

[initial]
x = 0.5
vq = 1

[simulation]
t_end = 5
step = 0.01
)toml";

inline constexpr std::string_view kBody = R"toml([algebroid]
kind = "lie-algebra"
group = "so3"
base = []
fibre = ["w1", "w2", "w3"]

[dynamics]
lagrangian = "(w1^2 + 2*w2^2 + 3*w3^2)/2 - z/5"
)toml";

inline constexpr std::string_view kCustom = R"toml([algebroid]
kind = "custom"
base = ["x"]
fibre = ["a", "b"]
anchor = [["1"], ["x"]]
brackets = { "a,b" = { a = "1" } }

[parameters]
k = 2

[dynamics]
lagrangian = "(a^2 + b^2)/2 - k*z"
)toml";

inline constexpr std::string_view kProduct = R"toml([algebroid]
kind = "product"

[[algebroid.factors]]
kind = "tangent"
base = ["x"]
fibre = ["v"]

[[algebroid.factors]]
kind = "lie-algebra"
group = "so3"
fibre = ["w1", "w2", "w3"]

[dynamics]
lagrangian = "(v^2 + w1^2 + w2^2 + w3^2)/2 - z"
)toml";

inline constexpr std::string_view kAtiyah = R"toml([algebroid]
kind = "atiyah"
group = "so3"
base = ["x", "q"]
fibre = ["u", "v", "w1", "w2", "w3"]
connection = [["0", "x", "0"], ["q", "0", "1"]]

[dynamics]
lagrangian = "(u^2 + v^2 + w1^2 + w2^2 + w3^2)/2 - z"
)toml";

inline constexpr std::string_view kHamilton = R"toml([algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]

[dynamics]
hamiltonian = "p_v^2/2 + x^2/2 + z/10"

[initial]
p_v = 1.0
)toml";

/// A piece of a good model, what stands in its place, and the error without the file's name.
struct Exchange {
  std::string_view from;
  std::string_view to;
  std::string_view error;
};

inline void expect_errors(std::string_view good, const std::vector<Exchange>& exchanges) {
  ASSERT_EQ(error_of([&] { parse_model(good, "bad.toml"); }), "no error");
  for (const Exchange& exchange : exchanges) {
    std::string text(good);
    const std::size_t at = text.find(exchange.from);
    ASSERT_NE(at, std::string::npos) << exchange.from;
    text.replace(at, exchange.from.size(), exchange.to);
    EXPECT_EQ(error_of([&] { parse_model(text, "bad.toml"); }), "bad.toml:" + std::string(exchange.error))
        << exchange.from << " -> " << exchange.to;
  }
}

}  // namespace herglotz::io
