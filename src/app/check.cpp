#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "constraint_findings.hpp"
#include "discrete_findings.hpp"
#include "findings.hpp"
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

constexpr std::size_t sample_points = 16;

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
  print_finding("algebroid", fmt::format("{} ({}), base dimension {}, rank {}", class_name(defects.algebroid_class),
                                         algebroid.kind, algebroid.n(), algebroid.r()));
  const auto axiom = [](const char* name, double defect) {
    print_finding("", fmt::format("{:<42} {} (largest defect {:.1e})", name,
                                  judged(defect <= rounding, defect <= rounding ? "holds" : "fails"), defect));
  };
  axiom("left and right anchor agree", defects.anchors);
  axiom("bracket is skew", defects.skewness);
  axiom("anchor is a homomorphism of brackets", defects.anchor);
  axiom("Jacobi identity", defects.jacobi);
}

void print_regularity(const System& system, const simulate::Regularity& regularity) {
  const auto* noun = system.formulation == mechanics::Formulation::lagrangian ? "Lagrangian" : "Hamiltonian";
  if (!regularity.finite) {
    print_finding(noun, judged(false, "the velocity Hessian is not a finite number at the start"));
  } else if (!regularity.regular) {
    const bool alone = system.constraints.equations.empty();
    const auto what =
        fmt::format("singular at the start: velocity Hessian ({0} x {0}) of rank {1}", system.r(), regularity.rank);
    print_finding(noun, alone ? judged(false, what + "; the equations do not determine every acceleration") : what);
  } else if (system.formulation == mechanics::Formulation::hamiltonian) {
    print_finding(noun, "momenta are the state: no velocity Hessian to invert");
  } else {
    print_finding(noun, fmt::format("{} at the start: velocity Hessian ({} x {}) has full rank, condition {:.3g}",
                                    judged(true, "regular"), system.r(), system.r(), regularity.condition));
  }
}

simulate::SaddleRegularity regularity_at_start(const System& system, const Equations& equations,
                                               const PointValues& values) {
  std::vector<symbolic::Expr> blocks = equations.W.entries;
  for (const auto* block : {&equations.Phi_y, &equations.Phi_w})
    blocks.insert(blocks.end(), block->entries.begin(), block->entries.end());
  return simulate::saddle_regularity(values(blocks, values.start()), system.r(), equations.m());
}

/// The largest |f| around the start, relative to the terms it is compared with.
double largest_relative(symbolic::Expr f, std::vector<symbolic::Expr> terms, const PointValues& values) {
  if (f.is_zero()) return 0;
  terms.insert(terms.begin(), f);
  double defect = 0;
  double size = 0;
  for (const auto& point : values.around(sample_points)) {
    const auto v = values(terms, point);
    if (!std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); })) continue;
    defect = std::max(defect, std::abs(v[0]));
    for (std::size_t i = 1; i < v.size(); ++i) size = std::max(size, std::abs(v[i]));
  }
  return size > 0 ? defect / size : defect;
}

/// The largest |s^C L| around the start.
double symmetry_defect(const System& system, const Equations& equations, std::size_t k, const PointValues& values) {
  const auto law = mechanics::balance_laws(system, equations)[k + 1];
  return largest_relative(mechanics::complete_lift_derivative(system, equations, system.symmetries[k]),
                          {equations.L, equations.energy, law.scale}, values);
}

/// Whether the constraints leave the momentum of a symmetry alone: their forces do (nonholonomic), or L - nu Phi is as
/// symmetric as L (vakonomic).
bool untouched(const System& system, const Equations& equations, std::size_t k, const PointValues& values) {
  if (equations.rule == mechanics::Rule::vakonomic) return symmetry_defect(system, equations, k, values) <= rounding;
  const auto& section = system.symmetries[k].section;
  for (std::size_t row = 0; row < equations.m(); ++row) {
    symbolic::Expr power = system.graph().number(std::int64_t{0});
    std::vector<symbolic::Expr> terms;
    for (std::size_t a = 0; a < system.r(); ++a) {
      terms.push_back(equations.Phi_y(row, a));
      power += terms.back() * section[a];
    }
    if (largest_relative(power, std::move(terms), values) > rounding) return false;
  }
  return true;
}

void print_symmetries(const System& system, const Equations& equations, const PointValues& values) {
  if (system.symmetries.empty()) {
    print_finding("symmetries", "none declared");
    return;
  }
  System free = system;
  free.constraints = {};
  const Equations free_equations = mechanics::derive(free);
  for (std::size_t k = 0; k < system.symmetries.size(); ++k) {
    const double defect = symmetry_defect(free, free_equations, k, values);
    const bool symmetric = defect <= rounding;
    std::string then = symmetric ? "" : "; its momentum is followed with its source";
    if (symmetric && equations.m() != 0)
      then = untouched(system, equations, k, values) ? "; the constraints leave its momentum alone"
                                                     : "; the constraints change its momentum";
    print_finding(k == 0 ? "symmetries" : "",
                  fmt::format("{}: {} (largest defect {:.1e}){}", system.symmetries[k].name,
                              judged(symmetric, symmetric ? "holds" : "does not hold"), defect, then));
  }
}

/// How a start that has no velocities of its own came by them.
struct FoundVelocities {
  std::string from;     ///< "velocities found from the momenta", or nothing where the model gives them
  std::string why_not;  ///< the sentence that says why there are none
};

/// Puts velocities in the place of the momenta or the second position that the model starts from.
FoundVelocities with_velocities(Model& model) {
  simulate::Problem& problem = model.problem;
  const bool lagrangian = problem.system.formulation == mechanics::Formulation::lagrangian;
  const bool momenta = lagrangian && std::any_of(problem.system.p.begin(), problem.system.p.end(),
                                                 [&](const auto& p) { return problem.initial.contains(p.name()); });
  if (!momenta && problem.next.empty()) return {};
  FoundVelocities found{momenta      ? "velocities found from the momenta"
                        : lagrangian ? "velocities found from two positions"
                                     : "momenta found from two positions",
                        {}};
  try {
    const simulate::Simulator simulator(problem.system, {}, problem.initial, problem.discrete);
    problem.initial = simulator.start(problem.initial, problem.settings, {}, problem.next);
  } catch (const simulate::RunFailed& failed) {
    found.why_not = failed.what();
    return found;
  } catch (const std::invalid_argument& refusal) {
    const std::string what = refusal.what();
    refuse(model, what.starts_with("[") ? what.substr(0, what.find(' ')) : "[initial]", what);
  }
  problem.next.clear();
  return found;
}

bool print_start(const ConstraintFindings& constraints, const Equations& equations, const PointValues& values,
                 const FoundVelocities& velocities) {
  if (!velocities.why_not.empty()) {
    print_finding("initial state", judged(false, velocities.why_not));
    return false;
  }
  std::vector<std::string> parts;
  const std::size_t shown = equations.rule == mechanics::Rule::vakonomic ? values.start().size() : equations.u.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const auto symbol = i < equations.u.size() ? equations.u[i] : equations.l[i - equations.u.size()];
    parts.push_back(fmt::format("{} = {:.6g}", symbol.name(), values.start()[i]));
  }
  print_finding("initial state", fmt::format("{}", fmt::join(parts, ", ")));
  if (!velocities.from.empty()) print_finding("", velocities.from);
  const auto start = constraints.print_start(equations, values);
  if (!start) return false;
  std::vector<symbolic::Expr> outputs = equations.x_dot;
  for (const auto* list : {&equations.p, &equations.f, &equations.b, &equations.beta})
    outputs.insert(outputs.end(), list->begin(), list->end());
  outputs.insert(outputs.end(), {equations.L, equations.L_z, equations.energy});
  const auto v = values(outputs, *start);
  if (!std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); })) {
    print_finding("", judged(false, "the equations are not finite there"));
    return false;
  }
  print_finding("", judged(true, "consistent") + fmt::format("; energy {:.9g}", v.back()));
  return true;
}

/// Prints the method of a run and returns its name.
std::string print_method(const simulate::Problem& problem) {
  const auto& settings = problem.settings;
  if (settings.method != "auto") {
    print_finding("method", fmt::format("{} (given in the model)", settings.method));
    return settings.method;
  }
  const auto choice = simulate::choose_method(problem.system, settings, problem.discrete.has_value());
  print_finding("method", fmt::format("auto chooses {}: {}", choice.method, choice.reason));
  return choice.method;
}

}  // namespace

int check(const CheckArguments& arguments) {
  Model model = open_model(arguments.model);
  for (const auto& assignment : arguments.set) io::apply_setting(model.problem, assignment);
  const Model given = model;
  const auto velocities = with_velocities(model);
  const System& system = model.problem.system;
  const ConstraintFindings constraints(model);
  const Equations equations = mechanics::derive(constraints.reduced());
  const PointValues values(model.problem, equations);

  fmt::print("{}", styled(stdout, Style::bold, system.name));
  if (!system.title.empty()) fmt::print("  {}", system.title);
  if (!system.reference.empty()) fmt::print("  [{}]", system.reference);
  fmt::print("\n");
  print_algebroid(model.problem, values);
  const auto regularity = regularity_at_start(system, equations, values);
  print_regularity(system, regularity.hessian);
  constraints.print(regularity);
  print_symmetries(constraints.reduced(), equations, values);
  const bool consistent = print_start(constraints, equations, values, velocities);
  const std::string discrete = print_discrete(given);
  const bool runs_discrete = print_method(model.problem) == discrete_method;
  std::fflush(stdout);

  constraints.refuse_unusable();
  if (!constraints.why_not_analysed().empty()) {
    fmt::print(stderr, "{}: {}\n", model.file, constraints.why_not_analysed());
    return run_failed;
  }
  if (regularity.regular && consistent) {
    if (discrete.empty() || !runs_discrete) return success;
    fmt::print(stderr, "{}: {}\n", model.file, discrete);
    return run_failed;
  }
  const bool of_constraints = regularity.hessian.regular && equations.m() != 0;
  const auto* what = !regularity.regular && of_constraints ? "the constraint matrix C_ab is singular at the start"
                     : !regularity.regular                 ? "the velocity Hessian is singular at the start"
                                                           : "the initial state is not consistent";
  const auto* remedy = !regularity.regular && of_constraints ? "start elsewhere, or change the constraints"
                       : !regularity.regular                 ? "give every fibre coordinate a quadratic term"
                       : equations.m() != 0 && !model.problem.settings.project
                           ? "change [initial], or set project = true there"
                           : "change [initial], or --set values";
  fmt::print(stderr, "{}: {}; {}\n", model.file, what, remedy);
  return run_failed;
}

}  // namespace herglotz::app
