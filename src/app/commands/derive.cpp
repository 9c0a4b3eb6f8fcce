#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "commands/commands.hpp"
#include "commands/families.hpp"
#include "herglotz/control/conditions.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/structure_file.hpp"
#include "herglotz/mechanics/geometry/algebroid_presentation.hpp"
#include "herglotz/mechanics/geometry/structure_presentation.hpp"
#include "herglotz/mechanics/geometry_presentation.hpp"
#include "herglotz/mechanics/singular_presentation.hpp"
#include "herglotz/simulate/check.hpp"
#include "herglotz/simulate/singular.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "herglotz/symbolic/print.hpp"
#include "model_source.hpp"
#include "terminal/output.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

/// Other equations than those of motion.
struct View {
  const char* option;
  bool DeriveArguments::* asked;
  const char* no_program;  ///< why it has no C form
};

constexpr std::array views{
    View{"--geometry", &DeriveArguments::geometry, "geometry is not a program and has no C form"},
    View{"--discrete", &DeriveArguments::discrete, "discrete equations define a step implicitly and have no C form"},
    View{"--implicit", &DeriveArguments::implicit, "implicit equations are not a right-hand side and have no C form"},
    View{"--tulczyjew", &DeriveArguments::tulczyjew, "maps between bundles are not programs and have no C form"},
    View{"--sections", &DeriveArguments::sections, "brackets of sections are not programs and have no C form"},
    View{"--connection", &DeriveArguments::connection,
         "terms of equations are not a right-hand side and have no C form"}};

/// Refuses options that exclude one another.
void check_views(const DeriveArguments& arguments) {
  const View* asked = nullptr;
  for (const View& view : views) {
    if (!(arguments.*view.asked)) continue;
    if (arguments.format == "c")
      throw io::InputError(view.option, 0, 0, view.no_program, "use --format text, latex, sympy or json");
    if (asked != nullptr)
      throw io::InputError(view.option, 0, 0, fmt::format("both {} and {} are given", asked->option, view.option),
                           "keep one of them");
    asked = &view;
  }
  if (!arguments.christoffel.empty() && !arguments.connection)
    throw io::InputError("--christoffel", 0, 0, "Christoffel symbols are those of a connection",
                         "give --connection too, or leave them out");
}

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

mechanics::Presentation sections(const Model& model) {
  try {
    return mechanics::sections_of_algebroid(model.problem.system);
  } catch (const Refused& refusal) {
    refuse(model, refusal.where(), refusal);
  }
}

/// Refuses the gauge conditions of a Lagrangian that is regular around the start, before an equation is derived from
/// it.
void refuse_needless_gauge(const Model& model) {
  const auto refusal = simulate::needless_gauge(model.problem.system);
  if (!refusal) return;
  try {
    if (simulate::singular_analysis(model.problem)) return;
  } catch (const Refused&) {
    return;  // other parts of the model are wrong, which is said where they are used
  } catch (const mechanics::Undecided&) {
    return;  // the Lagrangian is singular
  }
  refuse(model, refusal->where(), *refusal);
}

/// Returns the equations of motion, followed by the constraints of a singular Lagrangian. If these cannot be given, a
/// sentence on standard error says why. Refuses the gauge conditions of a regular one.
mechanics::Presentation continuous_equations(const Model& model) {
  const auto& system = model.problem.system;
  auto presentation = mechanics::equations_of_motion(system, mechanics::derive(system));
  try {
    if (const auto singular = simulate::singular_analysis(model.problem)) {
      mechanics::add_constraint_levels(presentation, system, *singular);
      return presentation;
    }
  } catch (const Refused& refusal) {
    complain(fmt::format("{}: {}", model.file, refusal.what()));
    return presentation;
  } catch (const mechanics::Undecided& undecided) {
    complain(fmt::format("{}: the Lagrangian is singular, and its constraints are not decided: {}", model.file,
                         undecided.what()));
    return presentation;
  }
  if (const auto needless = simulate::needless_gauge(system)) refuse(model, needless->where(), *needless);
  return presentation;
}

mechanics::Presentation implicit_equations(const Model& model) {
  if (model.problem.system.formulation != mechanics::Formulation::lagrangian)
    refuse(model, "hamiltonian",
           {"the implicit equations are those of a Lagrangian, and the model has a Hamiltonian",
            "derive it without --implicit"});
  return mechanics::implicit_equations(model.problem.system);
}

/// Returns the place of a coordinate. Throws InputError if there is none of that name.
std::size_t place_of(const std::string& name, const std::vector<symbolic::Expr>& symbols, const std::string& what) {
  const auto at = std::find_if(symbols.begin(), symbols.end(), [&](const auto& one) { return one.name() == name; });
  if (at != symbols.end()) return static_cast<std::size_t>(at - symbols.begin());
  std::string known;
  for (const auto& symbol : symbols) known += (known.empty() ? "" : ", ") + std::string(symbol.name());
  throw io::InputError(
      "--christoffel", 0, 0, fmt::format("'{}' is not a {} coordinate", name, what),
      known.empty() ? "this algebroid has none, so that it has no Christoffel symbols" : "use one of " + known);
}

/// Reads Christoffel symbols, such as w,phi,u=1/r for Gamma^w_{phi u} = 1/r, of a connection that is flat otherwise.
geometry::Connection connection_of(const mechanics::System& system, const std::vector<std::string>& christoffel) {
  const auto& e = system.algebroid;
  geometry::Connection gamma(e.n(), e.r(), system.graph().number(std::int64_t{0}));
  symbolic::Scope scope;
  for (const auto& x : e.x) scope.emplace(std::string(x.name()), x);
  for (const auto& parameter : system.parameters) scope.emplace(std::string(parameter.symbol.name()), parameter.symbol);
  for (const auto& text : christoffel) {
    const auto equals = text.find('=');
    std::vector<std::string> indices;
    std::istringstream before(text.substr(0, equals));
    for (std::string index; std::getline(before, index, ',');) indices.push_back(index);
    if (equals == std::string::npos || indices.size() != 3)
      throw io::InputError("--christoffel", 0, 0, fmt::format("'{}' is not a Christoffel symbol", text),
                           "write B,I,A=EXPRESSION with fibre coordinates B and A and a base coordinate I");
    const std::size_t b = place_of(indices[0], e.y, "fibre");
    const std::size_t i = place_of(indices[1], e.x, "base");
    const std::size_t a = place_of(indices[2], e.y, "fibre");
    if (!gamma(b, i, a).is_zero())
      throw io::InputError("--christoffel", 0, 0, fmt::format("{} is given twice", text.substr(0, equals)),
                           "keep one of them");
    try {
      gamma(b, i, a) = symbolic::parse(system.graph(), text.substr(equals + 1), scope);
    } catch (const symbolic::ParseError& error) {
      throw io::InputError("--christoffel", 0, 0, fmt::format("'{}': {}", text, error.what()),
                           "use base coordinates and parameters");
    }
  }
  return gamma;
}

/// Presents what is derived from a Lagrangian alone.
mechanics::Presentation of_lagrangian(const Model& model, const DeriveArguments& arguments) {
  const auto& system = model.problem.system;
  try {
    return arguments.tulczyjew
               ? mechanics::tulczyjew_picture(system)
               : mechanics::equations_with_connection(system, connection_of(system, arguments.christoffel));
  } catch (const Refused& e) {
    const char* remedy = arguments.tulczyjew ? "derive it without --tulczyjew" : "derive it without --connection";
    refuse(model, "hamiltonian", {e.problem(), e.remedy().empty() ? remedy : e.remedy()});
  }
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
  const char* option = view_of(arguments);
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
  const char* option = view_of(arguments);
  const bool geometry = option != nullptr && arguments.geometry;
  if ((option != nullptr && !geometry) || arguments.format == "c")
    throw io::InputError(option == nullptr || geometry ? "--format" : option, 0, 0,
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

const char* view_of(const DeriveArguments& arguments) {
  const char* option = nullptr;
  for (const View& view : views)
    if (arguments.*view.asked) option = view.option;
  return option;
}

int derive(const DeriveArguments& arguments) {
  check_views(arguments);
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
  if (view_of(arguments)) refuse_needless_gauge(model);
  const auto presentation = arguments.geometry                            ? geometry(model)
                            : arguments.discrete                          ? discrete_equations(model)
                            : arguments.implicit                          ? implicit_equations(model)
                            : arguments.sections                          ? sections(model)
                            : arguments.tulczyjew || arguments.connection ? of_lagrangian(model, arguments)
                                                                          : continuous_equations(model);
  print(presentation, arguments.format);
  return success;
}

}  // namespace herglotz::app
