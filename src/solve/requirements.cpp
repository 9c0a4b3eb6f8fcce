#include "requirements.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "herglotz/control/methods.hpp"
#include "herglotz/error.hpp"

namespace herglotz::solve {

Collocation collocation_of(const std::string& method) {
  if (method == "auto" || method == "shooting") return Collocation(3);
  std::vector<std::string> known{"auto"};
  for (const control::Method& one : control::methods()) {
    const auto half = static_cast<std::size_t>(one.order) / 2;
    if (one.name == method)
      return method.starts_with("direct-lobatto") ? Collocation(half + 1, Points::lobatto) : Collocation(half);
    known.push_back(one.name);
  }
  throw Refused(fmt::format("[mesh] asks for the method '{}'", method),
                fmt::format("known are {}", fmt::join(known, ", ")), "[mesh]");
}

std::string direct_method(const std::string& method) {
  return method == "auto" || method == "shooting" ? "direct-gauss-6" : method;
}

void check_mesh(const control::SolveSettings& settings) {
  if (settings.intervals > settings.most_intervals())
    throw Refused(fmt::format("[mesh] begins with {} intervals, and its max_intervals allows {}", settings.intervals,
                              settings.most_intervals()),
                  "raise max_intervals, or begin with fewer intervals", "[mesh]");
}

void check_method(const Setup& setup) {
  const std::string& method = setup.problem.settings.method;
  if (!method.starts_with("direct-lobatto")) return;
  for (const std::size_t u : setup.form.linear)
    if (setup.is_bounded(u))
      throw Refused(fmt::format("[control] bounds '{}', in which the Hamiltonian is linear, and {} cannot settle when "
                                "it switches: at the nodes its stages have other costates",
                                setup.problem.controls[u].name(), method),
                    "use direct-gauss-6", "[control]");
}

}  // namespace herglotz::solve
