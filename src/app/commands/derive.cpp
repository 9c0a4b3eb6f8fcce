#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/families.hpp"
#include "herglotz/control/conditions.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/structure_file.hpp"
#include "herglotz/mechanics/geometry/structure_presentation.hpp"
#include "herglotz/mechanics/geometry_presentation.hpp"
#include "herglotz/mechanics/singular_presentation.hpp"
#include "herglotz/simulate/check.hpp"
#include "herglotz/simulate/singular.hpp"
#include "herglotz/symbolic/print.hpp"
#include "model_source.hpp"
#include "terminal/output.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

mechanics::System independent(const Model& model) {
  try {
    return simulate::with_independent_constraints(model.problem);
  } catch (const Refused& refusal) {
    refuse(model, refusal.where(), refusal);
  }
}

mechanics::Presentation geometry(const Model& model) {
  const auto& system = model.problem.system;
  if (system.constraints.rule == mechanics::Rule::vakonomic)
    refuse(model, "rule",
           {"the geometry of vakonomic constraints is not printed",
            "use rule = \"nonholonomic\", or remove [constraints] for that of the free system"});
  const auto reduced = independent(model);
  if (reduced.constraints.equations.size() != system.constraints.equations.size())
    complain(fmt::format("{}: constraints that follow from the others are left out", model.file));
  try {
    return mechanics::geometry_of(reduced);
  } catch (const Refused& e) {
    const std::string remedy = "derive it without --geometry";
    refuse(model, "[dynamics]", {e.problem(), e.remedy().empty() ? remedy : e.remedy() + "; " + remedy});
  }
}

mechanics::Presentation discrete_equations(const Model& model) {
  const simulate::Problem& problem = model.problem;
  if (!problem.discrete)
    refuse(model, "[discrete]",
           {"the model has no discrete Lagrangian",
            "add [discrete] with lagrangian = \"...\", or with rule = \"midpoint\""});
  try {
    return discrete::discrete_equations(problem.system, *problem.discrete);
  } catch (const Refused& refusal) {
    refuse(model, "[discrete]", {refusal.problem(), refusal.remedy()});
  }
}

/// Returns the equations of motion, followed by the constraints of a singular Lagrangian. If these cannot be given, a
/// sentence on standard error says why.
mechanics::Presentation continuous_equations(const Model& model) {
  const auto& system = model.problem.system;
  auto presentation = mechanics::equations_of_motion(system, mechanics::derive(system));
  try {
    if (const auto singular = simulate::singular_analysis(model.problem))
      mechanics::add_constraint_levels(presentation, system, *singular);
  } catch (const Refused& refusal) {
    complain(fmt::format("{}: {}", model.file, refusal.what()));
  } catch (const mechanics::Undecided& undecided) {
    complain(fmt::format("{}: the Lagrangian is singular, and its constraints are not decided: {}", model.file,
                         undecided.what()));
  }
  return presentation;
}

mechanics::Presentation implicit_equations(const Model& model) {
  if (model.problem.system.formulation != mechanics::Formulation::lagrangian)
    refuse(model, "hamiltonian",
           {"the implicit equations are those of a Lagrangian, and the model has a Hamiltonian",
            "derive it without --implicit"});
  return mechanics::implicit_equations(model.problem.system);
}

/// Returns a list of equations as pairs of texts.
nlohmann::ordered_json pairs(const std::vector<mechanics::PrintedEquation>& equations) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& equation : equations)
    list.push_back({{"left", symbolic::print(equation.left)}, {"right", symbolic::print(equation.right)}});
  return list;
}

/// Returns a presentation as one JSON object: its title, definitions, sections of equations, and the named parts of
/// these.
std::string json_of(const mechanics::Presentation& presentation) {
  const auto parts = mechanics::name_parts(presentation, symbolic::Format::text);
  nlohmann::ordered_json object{{"title", presentation.title}, {"definitions", pairs(parts.definitions)}};
  object["sections"] = nlohmann::ordered_json::array();
  for (const auto& section : parts.sections)
    object["sections"].push_back({{"title", section.title}, {"equations", pairs(section.equations)}});
  object["where"] = nlohmann::ordered_json::array();
  for (const auto& [name, value] : parts.where)
    object["where"].push_back({{"left", name}, {"right", symbolic::print(value)}});
  return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print(const mechanics::Presentation& presentation, const std::string& name) {
  if (name == "json") {
    fmt::print("{}", json_of(presentation));
    return;
  }
  const auto format = name == "latex"   ? symbolic::Format::latex
                      : name == "c"     ? symbolic::Format::c
                      : name == "sympy" ? symbolic::Format::sympy
                                        : symbolic::Format::text;
  fmt::print("{}", printable(mechanics::render(presentation, format)));
}

/// Prints the conditions of a problem of control after the assignments of --set. The problem owns their expressions.
void print_conditions(const ModelText& source, const DeriveArguments& arguments) {
  const char* option = arguments.geometry   ? "--geometry"
                       : arguments.discrete ? "--discrete"
                       : arguments.implicit ? "--implicit"
                                            : nullptr;
  if (option != nullptr || arguments.format == "c")
    throw io::InputError(option == nullptr ? "--format" : option, 0, 0,
                         "a problem of control has the conditions of its extremals, in text, LaTeX, SymPy and JSON",
                         "leave it out");
  control::Problem problem = io::parse_problem(source.text, source.file);
  for (const auto& assignment : arguments.set) io::apply_setting(problem, assignment);
  try {
    print(control::pontryagin_conditions(problem), arguments.format);
  } catch (const Refused& e) {
    refuse(source.file, source.text, e.where(), e);
  }
}

/// Prints a structure of one's own.
void print_structure(const ModelText& source, const DeriveArguments& arguments) {
  if (arguments.discrete || arguments.implicit || arguments.format == "c")
    throw io::InputError(arguments.discrete   ? "--discrete"
                         : arguments.implicit ? "--implicit"
                                              : "--format",
                         0, 0,
                         "a structure of one's own has no equations; its brackets are in text, LaTeX, SymPy and JSON",
                         "leave it out");
  if (!arguments.set.empty())
    throw io::InputError("--set", 0, 0, "a structure of one's own is printed with its parameters by name",
                         "leave it out");
  try {
    print(mechanics::structure_presentation(io::parse_structure(source.text, source.file).structure), arguments.format);
  } catch (const Refused& refusal) {
    refuse(source.file, source.text, "tensor", refusal);
  }
}

}  // namespace

int derive(const DeriveArguments& arguments) {
  if (arguments.geometry && arguments.format == "c")
    throw io::InputError("--geometry", 0, 0, "geometry is no program and has no C form",
                         "use --format text, latex, sympy or json");
  if (arguments.discrete && arguments.format == "c")
    throw io::InputError("--discrete", 0, 0, "discrete equations define a step implicitly and have no C form",
                         "use --format text, latex, sympy or json");
  if (arguments.implicit && arguments.format == "c")
    throw io::InputError("--implicit", 0, 0, "implicit equations are no right-hand side and have no C form",
                         "use --format text, latex, sympy or json");
  if (arguments.discrete && arguments.geometry)
    throw io::InputError("--discrete", 0, 0, "both --geometry and --discrete are given", "keep one of them");
  if (arguments.implicit && (arguments.geometry || arguments.discrete))
    throw io::InputError(
        "--implicit", 0, 0,
        fmt::format("both --implicit and {} are given", arguments.geometry ? "--geometry" : "--discrete"),
        "keep one of them");
  const ModelText source = read_model_text(arguments.model);
  if (io::states_structure(source.text, source.file)) {
    print_structure(source, arguments);
    return success;
  }
  if (io::states_control(source.text, source.file)) {
    print_conditions(source, arguments);
    return success;
  }
  if (io::states_families(source.text, source.file)) return derive_families(source, arguments);
  Model model{source.file, io::parse_model(source.text, source.file)};
  for (const auto& assignment : arguments.set) io::apply_setting(model.problem, assignment);
  const auto presentation = arguments.geometry   ? geometry(model)
                            : arguments.discrete ? discrete_equations(model)
                            : arguments.implicit ? implicit_equations(model)
                                                 : continuous_equations(model);
  print(presentation, arguments.format);
  return success;
}

}  // namespace herglotz::app
