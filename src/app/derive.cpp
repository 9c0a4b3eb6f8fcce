#include <fmt/format.h>

#include "commands.hpp"
#include "constraint_findings.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/mechanics/geometry_presentation.hpp"
#include "model_source.hpp"

namespace herglotz::app {
namespace {

mechanics::Presentation geometry(const Model& model) {
  const auto& system = model.problem.system;
  if (system.constraints.rule == mechanics::Rule::vakonomic)
    refuse(model, "rule",
           "the geometry of vakonomic constraints is not printed; use rule = \"nonholonomic\", or "
           "remove [constraints] for that of the free system");
  const ConstraintFindings constraints(model);
  constraints.refuse_unusable();
  const auto& reduced = constraints.reduced();
  if (reduced.constraints.equations.size() != system.constraints.equations.size())
    fmt::print(stderr, "{}: constraints that follow from the others are left out\n", model.file);
  try {
    return mechanics::geometry_of(reduced);
  } catch (const std::invalid_argument& e) {
    refuse(model, "[dynamics]", fmt::format("{}; derive it without --geometry", e.what()));
  }
}

}  // namespace

int derive(const DeriveArguments& arguments) {
  if (arguments.geometry && arguments.format == "c")
    throw io::InputError("--geometry", 0, 0, "geometry is no program and has no C form",
                         "use --format text, latex or sympy");
  const Model model = open_model(arguments.model);
  const auto format = arguments.format == "latex"   ? symbolic::Format::latex
                      : arguments.format == "c"     ? symbolic::Format::c
                      : arguments.format == "sympy" ? symbolic::Format::sympy
                                                    : symbolic::Format::text;
  const auto& system = model.problem.system;
  const auto presentation =
      arguments.geometry ? geometry(model) : mechanics::equations_of_motion(system, mechanics::derive(system));
  fmt::print("{}", mechanics::render(presentation, format));
  return success;
}

}  // namespace herglotz::app
