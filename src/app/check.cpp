#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "constraint_kind.hpp"
#include "herglotz/geometry/axioms.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/simulate/regularity.hpp"
#include "model_source.hpp"
#include "sampling.hpp"
#include "terminal.hpp"

namespace herglotz::app {
namespace {

using mechanics::Equations;
using mechanics::System;

constexpr double symmetry_tolerance = 1e-10;
constexpr std::size_t sample_points = 16;

void line(std::string_view label, const std::string& text) {
  fmt::print("  {} {}\n", styled(stdout, Style::dim, fmt::format("{:<13}", label)), text);
}

std::string holds(bool yes, const std::string& what) {
  return yes ? styled(stdout, Style::good, what) : styled(stdout, Style::bad, what);
}

std::string class_name(geometry::AlgebroidClass c) {
  switch (c) {
    case geometry::AlgebroidClass::lie:
      return "Lie algebroid";
    case geometry::AlgebroidClass::almost_lie:
      return "almost Lie algebroid";
    case geometry::AlgebroidClass::skew:
      return "quasi-Lie (skew) algebroid";
    case geometry::AlgebroidClass::general:
      break;
  }
  return "general algebroid";
}

void print_algebroid(const simulate::Problem& problem, const PointValues& values) {
  const auto& algebroid = problem.system.algebroid;
  std::vector<symbolic::Expr> symbols;
  std::vector<double> given;
  for (const auto& parameter : problem.system.parameters) {
    symbols.push_back(parameter.symbol);
    given.push_back(parameter.value);
  }
  const std::span<const double> centre(values.start().data(), algebroid.n());
  const auto defects = geometry::check_axioms(algebroid, symbols, given, centre);
  line("algebroid", fmt::format("{} ({}), base dimension {}, rank {}", class_name(defects.algebroid_class),
                                algebroid.kind, algebroid.n(), algebroid.r()));
  const auto axiom = [](const char* name, double defect) {
    line("",
         fmt::format("{:<42} {} (largest defect {:.1e})", name,
                     holds(defect <= symmetry_tolerance, defect <= symmetry_tolerance ? "holds" : "fails"), defect));
  };
  axiom("left and right anchor agree", defects.anchors);
  axiom("bracket is skew", defects.skewness);
  axiom("anchor is a homomorphism of brackets", defects.anchor);
  axiom("Jacobi identity", defects.jacobi);
}

bool print_regularity(const System& system, const Equations& equations, const PointValues& values) {
  const auto w = values(equations.W.entries, values.start());
  const simulate::Regularity regularity = simulate::regularity_of(w, system.r());
  const auto* noun = system.formulation == mechanics::Formulation::lagrangian ? "Lagrangian" : "Hamiltonian";
  if (!regularity.finite) {
    line(noun, holds(false, "the velocity Hessian is not a finite number at the start"));
  } else if (!regularity.regular) {
    line(noun,
         holds(false, fmt::format("singular at the start: velocity Hessian ({0} x {0}) of rank {1}; the equations "
                                  "do not determine every acceleration",
                                  system.r(), regularity.rank)));
  } else if (system.formulation == mechanics::Formulation::hamiltonian) {
    line(noun, "momenta are the state: no velocity Hessian to invert");
  } else {
    line(noun, fmt::format("{} at the start: velocity Hessian ({} x {}) has full rank, condition {:.3g}",
                           holds(true, "regular"), system.r(), system.r(), regularity.condition));
  }
  return regularity.regular;
}

void print_constraints(const System& system) {
  const auto& constraints = system.constraints;
  if (constraints.rule == mechanics::Rule::none) {
    line("constraints", "none");
    return;
  }
  const auto* rule = constraints.rule == mechanics::Rule::nonholonomic ? "nonholonomic" : "vakonomic";
  for (std::size_t k = 0; k < constraints.equations.size(); ++k) {
    line(k == 0 ? "constraints" : "",
         fmt::format("equation {}: {}, {} rule", k + 1, constraint_kind(constraints.equations[k], system), rule));
  }
  line("", holds(false, "this version does not simulate constrained systems"));
}

/// The largest |s^C L| around the start, relative to the terms it is compared with.
double symmetry_defect(const System& system, const Equations& equations, std::size_t k,
                       const mechanics::BalanceLaw& law, const PointValues& values) {
  const auto lift = mechanics::complete_lift_derivative(system, equations, system.symmetries[k]);
  if (lift.is_zero()) return 0;
  const symbolic::Expr outputs[] = {lift, equations.L, equations.energy, law.scale};
  double defect = 0;
  double size = 0;
  for (const auto& point : values.around(sample_points)) {
    const auto v = values(outputs, point);
    if (!std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); })) continue;
    defect = std::max(defect, std::abs(v[0]));
    size = std::max({size, std::abs(v[1]), std::abs(v[2]), std::abs(v[3])});
  }
  return size > 0 ? defect / size : defect;
}

void print_symmetries(const System& system, const Equations& equations, const PointValues& values) {
  if (system.symmetries.empty()) {
    line("symmetries", "none declared");
    return;
  }
  const auto laws = mechanics::balance_laws(system, equations);
  for (std::size_t k = 0; k < system.symmetries.size(); ++k) {
    const double defect = symmetry_defect(system, equations, k, laws[k + 1], values);
    const bool symmetric = defect <= symmetry_tolerance;
    line(k == 0 ? "symmetries" : "", fmt::format("{}: {} (largest defect {:.1e}){}", system.symmetries[k].name,
                                                 holds(symmetric, symmetric ? "holds" : "does not hold"), defect,
                                                 symmetric ? "" : "; its momentum is followed with its source"));
  }
}

bool print_start(const System& system, const Equations& equations, const PointValues& values) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < equations.u.size(); ++i)
    parts.push_back(fmt::format("{} = {:.6g}", equations.u[i].name(), values.start()[i]));
  line("initial state", fmt::format("{}", fmt::join(parts, ", ")));
  std::vector<symbolic::Expr> outputs = equations.x_dot;
  outputs.insert(outputs.end(), equations.b.begin(), equations.b.end());
  outputs.insert(outputs.end(), {equations.L, equations.L_z, equations.energy});
  const auto v = values(outputs, values.start());
  const bool finite = std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
  bool consistent = finite;
  if (!finite) line("", holds(false, "the equations are not finite there"));
  if (!system.constraints.equations.empty()) {
    const auto phi = values(system.constraints.equations, values.start());
    for (std::size_t k = 0; k < phi.size(); ++k) {
      const bool met = std::abs(phi[k]) <= symmetry_tolerance;
      consistent = consistent && met;
      if (!met) line("", holds(false, fmt::format("constraint {} is {:.3g} there, not 0", k + 1, phi[k])));
    }
  }
  if (consistent) line("", holds(true, "consistent") + fmt::format("; energy {:.9g}", v.back()));
  return consistent;
}

void print_method(const simulate::Problem& problem) {
  const auto& settings = problem.settings;
  if (settings.method != "auto") {
    line("method", fmt::format("{} (given in the model)", settings.method));
    return;
  }
  const auto choice = simulate::choose_method(problem.system, settings);
  line("method", fmt::format("auto chooses {}: {}", choice.method, choice.reason));
}

}  // namespace

int check(const CheckArguments& arguments) {
  Model model = open_model(arguments.model);
  for (const auto& assignment : arguments.set) io::apply_setting(model.problem, assignment);
  const System& system = model.problem.system;
  const Equations equations = mechanics::derive(system);
  const PointValues values(model.problem, equations);

  fmt::print("{}", styled(stdout, Style::bold, system.name));
  if (!system.title.empty()) fmt::print("  {}", system.title);
  if (!system.reference.empty()) fmt::print("  [{}]", system.reference);
  fmt::print("\n");
  print_algebroid(model.problem, values);
  const bool regular = print_regularity(system, equations, values);
  print_constraints(system);
  print_symmetries(system, equations, values);
  const bool consistent = print_start(system, equations, values);
  print_method(model.problem);

  const std::string what = !regular      ? "the velocity Hessian is singular at the start"
                           : !consistent ? "the initial state is not consistent"
                                         : "";
  if (what.empty()) return success;
  std::fflush(stdout);
  fmt::print(stderr, "{}: {}; {}\n", model.file, what,
             regular ? "change [initial], or --set values" : "give every fibre coordinate a quadratic term");
  return run_failed;
}

}  // namespace herglotz::app
