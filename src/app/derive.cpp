#include <fmt/format.h>

#include "commands.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "model_source.hpp"

namespace herglotz::app {

int derive(const DeriveArguments& arguments) {
  const Model model = open_model(arguments.model);
  const auto format = arguments.format == "latex"   ? symbolic::Format::latex
                      : arguments.format == "c"     ? symbolic::Format::c
                      : arguments.format == "sympy" ? symbolic::Format::sympy
                                                    : symbolic::Format::text;
  const auto& system = model.problem.system;
  fmt::print("{}", mechanics::render(mechanics::equations_of_motion(system, mechanics::derive(system)), format));
  return success;
}

}  // namespace herglotz::app
