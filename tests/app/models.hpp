#pragma once
/// Small model files that the tests of the command line share.

#include <string>

namespace herglotz::app::testing {

inline const std::string pendulum = R"toml([model]
name = "pendulum"
title = "Damped pendulum"

[algebroid]
kind  = "tangent"
base  = ["theta"]
fibre = ["omega"]

[parameters]
gamma = 0.2

[dynamics]
lagrangian = "omega^2/2 + cos(theta) - gamma*z"

[symmetries]
turn = ["1"]

[observables]
height = "1 - cos(theta)"

[initial]
theta = 2.5

[simulation]
step = 0.02
t_end = 2
)toml";

/// `text` with the first `from` replaced by `to`; `from` must be there.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace herglotz::app::testing
