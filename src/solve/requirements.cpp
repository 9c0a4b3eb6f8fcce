#include "requirements.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "herglotz/control/methods.hpp"

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
  throw std::invalid_argument(
      fmt::format("[mesh] asks for the method '{}'; known are {}", method, fmt::join(known, ", ")));
}

void check_method(const Setup& setup) {
  const std::string& method = setup.problem.settings.method;
  if (!method.starts_with("direct-lobatto")) return;
  for (const std::size_t u : setup.form.linear)
    if (setup.is_bounded(u))
      throw std::invalid_argument(
          fmt::format("[control] bounds '{}', in which the Hamiltonian is linear, and {} cannot settle when it "
                      "switches: at the nodes "
                      "its stages have other costates; use direct-gauss-6",
                      setup.problem.controls[u].name(), method));
}

}  // namespace herglotz::solve
