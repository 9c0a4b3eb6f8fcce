#pragma once
/// Models with an index for tests.

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace herglotz::families {

/// What a sample varies.
struct Sample {
  std::size_t count = 64;
  std::string ends = "periodic";
  std::string method = "contact-splitting-2";
  double step = 0.05;
  double t_end = 3;
  std::string gamma = "0.1";
  std::string lagrangian = "sum(i, m[i]*v[i]^2/2 - (1 - cos(q[i]))) - sum(i, k*(q[i+1] - q[i])^2/2) - gamma*z";
  std::string forces{};  ///< a line of [dynamics]
  std::string more{};    ///< further lines of [simulation], and tables
};

/// A chain with masses that differ from site to site.
inline std::string chain(const Sample& sample) {
  return fmt::format(R"toml(
[indices]
i = {{ count = {}, ends = "{}" }}
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[parameters]
k = 1.3
gamma = {}
"m[i]" = "1 + 0.3*cos(2*pi*i/count)"
[dynamics]
lagrangian = "{}"
{}
[initial]
"q[i]" = "sin(2*pi*i/count) + 0.3*cos(6*pi*i/count)"
"v[i]" = "0.2*cos(4*pi*i/count)"
"q[3]" = 0.7
z = 0.25
[simulation]
method = "{}"
step = {}
t_end = {}
{}
)toml",
                     sample.count, sample.ends, sample.gamma, sample.lagrangian, sample.forces, sample.method,
                     sample.step, sample.t_end, sample.more);
}

/// The same without a step, for methods that choose their steps.
inline std::string adaptive_chain(const Sample& sample) {
  std::string text = chain(sample);
  const std::size_t at = text.find("\nstep = ");
  return text.erase(at, text.find('\n', at + 1) - at);
}

}  // namespace herglotz::families
