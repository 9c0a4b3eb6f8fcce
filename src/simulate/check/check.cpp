#include "herglotz/simulate/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/constraint_findings.hpp"
#include "check/discrete_findings.hpp"
#include "check/findings.hpp"
#include "check/point_values.hpp"
#include "herglotz/mechanics/equations.hpp"

namespace herglotz::simulate {
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

geometry::AxiomDefects judge_algebroid(const Problem& problem, const PointValues& values, const Findings& findings) {
  const auto& algebroid = problem.system.algebroid;
  std::vector<symbolic::Expr> symbols;
  std::vector<double> given;
  for (const auto& parameter : problem.system.parameters) {
    symbols.push_back(parameter.symbol);
    given.push_back(parameter.value);
  }
  const std::span<const double> centre(values.start().data(), algebroid.n());
  const auto defects = geometry::check_axioms(algebroid, symbols, given, centre);
  findings.add("algebroid", fmt::format("{} ({}), base dimension {}, rank {}", class_name(defects.algebroid_class),
                                        algebroid.kind, algebroid.n(), algebroid.r()));
  const auto axiom = [&](const char* name, double defect) {
    findings.add("", fmt::format("{:<42} ", name) + judged(defect <= rounding, defect <= rounding ? "holds" : "fails") +
                         fmt::format(" (largest defect {:.1e})", defect));
  };
  axiom("left and right anchor agree", defects.anchors);
  axiom("bracket is skew", defects.skewness);
  axiom("anchor is a homomorphism of brackets", defects.anchor);
  axiom("Jacobi identity", defects.jacobi);
  return defects;
}

void tell_regularity(const System& system, const Regularity& regularity, const Findings& findings) {
  const auto* noun = system.formulation == mechanics::Formulation::lagrangian ? "Lagrangian" : "Hamiltonian";
  if (!regularity.finite) {
    findings.add(noun, judged(false, "the velocity Hessian is not a finite number at the start"));
  } else if (!regularity.regular) {
    const bool alone = system.constraints.equations.empty();
    const auto what =
        fmt::format("singular at the start: velocity Hessian ({0} x {0}) of rank {1}", system.r(), regularity.rank);
    findings.add(noun,
                 alone ? judged(false, what + "; the equations do not determine every acceleration") : Sentence(what));
  } else if (system.formulation == mechanics::Formulation::hamiltonian) {
    findings.add(noun, "momenta are the state: no velocity Hessian to invert");
  } else {
    findings.add(noun, judged(true, "regular") +
                           fmt::format(" at the start: velocity Hessian ({0} x {0}) has full rank, condition {1:.3g}",
                                       system.r(), regularity.condition));
  }
}

SaddleRegularity regularity_at_start(const System& system, const Equations& equations, const PointValues& values) {
  std::vector<symbolic::Expr> blocks = equations.W.entries;
  for (const auto* block : {&equations.Phi_y, &equations.Phi_w})
    blocks.insert(blocks.end(), block->entries.begin(), block->entries.end());
  return saddle_regularity(values(blocks, values.start()), system.r(), equations.m());
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

std::vector<SymmetryFinding> judge_symmetries(const System& system, const Equations& equations,
                                              const PointValues& values, const Findings& findings) {
  std::vector<SymmetryFinding> found;
  if (system.symmetries.empty()) {
    findings.add("symmetries", "none declared");
    return found;
  }
  System free = system;
  free.constraints = {};
  const Equations free_equations = mechanics::derive(free);
  for (std::size_t k = 0; k < system.symmetries.size(); ++k) {
    SymmetryFinding symmetry{system.symmetries[k].name, symmetry_defect(free, free_equations, k, values)};
    symmetry.holds = symmetry.defect <= rounding;
    std::string then = symmetry.holds ? "" : "; its momentum is followed with its source";
    if (symmetry.holds && equations.m() != 0) {
      symmetry.untouched = untouched(system, equations, k, values);
      then =
          *symmetry.untouched ? "; the constraints leave its momentum alone" : "; the constraints change its momentum";
    }
    findings.add(k == 0 ? "symmetries" : "", symmetry.name + ": " +
                                                 judged(symmetry.holds, symmetry.holds ? "holds" : "does not hold") +
                                                 fmt::format(" (largest defect {:.1e}){}", symmetry.defect, then));
    found.push_back(std::move(symmetry));
  }
  return found;
}

std::vector<LawFinding> judge_laws(const System& system, const Equations& equations, const PointValues& values) {
  std::vector<LawFinding> found;
  for (const auto& law : mechanics::balance_laws(system, equations)) {
    const double source = largest_relative(law.source, {law.quantity, law.scale}, values);
    found.push_back({law.name, source, source <= rounding});
  }
  return found;
}

/// How a start that has no velocities of its own came by them.
struct FoundVelocities {
  std::string from;     ///< "velocities found from the momenta", or nothing where the model gives them
  std::string why_not;  ///< the sentence that says why there are none
};

/// Puts velocities in the place of the momenta or the second position that the model starts from.
FoundVelocities with_velocities(Problem& problem) {
  const bool lagrangian = problem.system.formulation == mechanics::Formulation::lagrangian;
  const bool momenta = lagrangian && std::any_of(problem.system.p.begin(), problem.system.p.end(),
                                                 [&](const auto& p) { return problem.initial.contains(p.name()); });
  if (!momenta && problem.next.empty()) return {};
  FoundVelocities found{momenta      ? "velocities found from the momenta"
                        : lagrangian ? "velocities found from two positions"
                                     : "momenta found from two positions",
                        {}};
  try {
    const Simulator simulator(problem.system, {}, problem.initial, problem.discrete);
    problem.initial = simulator.start(problem.initial, problem.settings, {}, problem.next);
  } catch (const RunFailed& failed) {
    found.why_not = failed.what();
    return found;
  } catch (const std::invalid_argument& refusal) {
    const std::string what = refusal.what();
    throw Refused(what.starts_with("[") ? what.substr(0, what.find(' ')) : "[initial]", what);
  }
  problem.next.clear();
  return found;
}

bool judge_start(const ConstraintFindings& constraints, const Equations& equations, const PointValues& values,
                 const FoundVelocities& velocities, const Findings& findings) {
  if (!velocities.why_not.empty()) {
    findings.add("initial state", judged(false, velocities.why_not));
    return false;
  }
  std::vector<std::string> parts;
  const std::size_t shown = equations.rule == mechanics::Rule::vakonomic ? values.start().size() : equations.u.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const auto symbol = i < equations.u.size() ? equations.u[i] : equations.l[i - equations.u.size()];
    parts.push_back(fmt::format("{} = {:.6g}", symbol.name(), values.start()[i]));
  }
  findings.add("initial state", fmt::format("{}", fmt::join(parts, ", ")));
  if (!velocities.from.empty()) findings.add("", velocities.from);
  const auto start = constraints.tell_start(equations, values);
  if (!start) return false;
  std::vector<symbolic::Expr> outputs = equations.x_dot;
  for (const auto* list : {&equations.p, &equations.f, &equations.b, &equations.beta})
    outputs.insert(outputs.end(), list->begin(), list->end());
  outputs.insert(outputs.end(), {equations.L, equations.L_z, equations.energy});
  const auto v = values(outputs, *start);
  if (!std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); })) {
    findings.add("", judged(false, "the equations are not finite there"));
    return false;
  }
  findings.add("", judged(true, "consistent") + fmt::format("; energy {:.9g}", v.back()));
  return true;
}

Choice judge_method(const Problem& problem, const Findings& findings) {
  const auto& settings = problem.settings;
  if (settings.method != "auto") {
    findings.add("method", fmt::format("{} (given in the model)", settings.method));
    return {settings.method, "given in the model"};
  }
  auto choice = choose_method(problem.system, settings, problem.discrete.has_value());
  findings.add("method", fmt::format("auto chooses {}: {}", choice.method, choice.reason));
  return choice;
}

/// Why a run would fail at its start, and what would be right.
std::string failure_at_start(const Problem& problem, const Check& check, std::size_t m) {
  const bool regular = check.regularity.regular;
  const bool of_constraints = check.regularity.hessian.regular && m != 0;
  const auto* what = !regular && of_constraints ? "the constraint matrix C_ab is singular at the start"
                     : !regular                 ? "the velocity Hessian is singular at the start"
                                                : "the initial state is not consistent";
  const auto* remedy = !regular && of_constraints            ? "start elsewhere, or change the constraints"
                       : !regular                            ? "give every fibre coordinate a quadratic term"
                       : m != 0 && !problem.settings.project ? "change [initial], or set project = true there"
                                                             : "change [initial], or --set values";
  return fmt::format("{}; {}", what, remedy);
}

}  // namespace

mechanics::System with_independent_constraints(const Problem& problem) {
  std::vector<Finding> unheard;
  const std::function<void(const Finding&)> nobody;
  const Findings findings(unheard, nobody);
  const ConstraintFindings constraints(problem, findings);
  if (const auto refused = constraints.unusable()) throw Refused(*refused);
  return constraints.reduced();
}

Check check(const Problem& given, const std::function<void(const Finding&)>& tell) {
  Problem problem = given;
  const auto velocities = with_velocities(problem);
  Check result;
  const Findings findings(result.findings, tell);
  const System& system = problem.system;
  const ConstraintFindings constraints(problem, findings);
  const Equations equations = mechanics::derive(constraints.reduced());
  const PointValues values(problem, equations);
  for (const auto& equation : system.constraints.equations)
    result.kinds.push_back(mechanics::kind_of(system, equation));
  result.constraints = constraints.analysis();
  result.not_analysed = constraints.why_not_analysed();

  result.axioms = judge_algebroid(problem, values, findings);
  result.regularity = regularity_at_start(system, equations, values);
  tell_regularity(system, result.regularity.hessian, findings);
  constraints.tell(result.regularity);
  result.symmetries = judge_symmetries(constraints.reduced(), equations, values, findings);
  result.laws = judge_laws(constraints.reduced(), equations, values);
  result.consistent = judge_start(constraints, equations, values, velocities, findings);
  std::string discrete;
  if (given.discrete) discrete = judge_discrete(given, findings, result.discrete.emplace());
  result.method = judge_method(problem, findings);

  result.refused = constraints.unusable();
  if (!result.not_analysed.empty())
    result.failure = result.not_analysed;
  else if (!result.regularity.regular || !result.consistent)
    result.failure = failure_at_start(problem, result, equations.m());
  else if (result.method.method == discrete_method)
    result.failure = discrete;
  return result;
}

}  // namespace herglotz::simulate
