#include "herglotz/simulate/check.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "casimirs.hpp"
#include "check/constraint_findings.hpp"
#include "check/discrete_findings.hpp"
#include "check/dissipated_findings.hpp"
#include "check/findings.hpp"
#include "check/point_evaluator.hpp"
#include "check/singular_findings.hpp"
#include "exact_motion.hpp"
#include "herglotz/analyse/list_text.hpp"
#include "herglotz/error.hpp"
#include "herglotz/linear/least_squares.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "invariants.hpp"
#include "promises.hpp"
#include "settings.hpp"

namespace herglotz::simulate {
namespace {

using mechanics::Equations;
using mechanics::System;

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

geometry::AxiomDefects judge_algebroid(const Problem& problem, const PointEvaluator& values, const Findings& findings) {
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

/// Returns the signature of W in words. For a definite W, constraints with independent rows Phi_y determine the motion;
/// for an indefinite W, C = Phi_w W^-1 Phi_y^T may be singular all the same. [LJL21, Rem. 5].
std::string definiteness(const System& system, const Regularity& regularity) {
  if (regularity.negative == 0) return "positive definite";
  if (regularity.positive == 0) return "negative definite";
  return fmt::format("signature ({}, {}){}", regularity.positive, regularity.negative,
                     system.constraints.rule == mechanics::Rule::nonholonomic
                         ? ": independent constraints alone do not determine the motion"
                         : "");
}

void tell_regularity(const System& system, const Regularity& regularity, bool everywhere, const Findings& findings) {
  const auto* noun = system.formulation == mechanics::Formulation::lagrangian ? "Lagrangian" : "Hamiltonian";
  if (!regularity.finite) {
    findings.add(noun, judged(false, "the velocity Hessian is not a finite number at the start"));
  } else if (!regularity.regular) {
    const bool alone = system.constraints.equations.empty();
    const auto what = fmt::format("singular{2}: velocity Hessian ({0} x {0}) of rank {1}", system.r(), regularity.rank,
                                  everywhere ? "" : " at the start");
    findings.add(noun, alone && !everywhere
                           ? judged(false, what + "; the equations do not determine every acceleration")
                           : Sentence(what));
  } else if (system.formulation == mechanics::Formulation::hamiltonian) {
    findings.add(noun, "momenta are the state: no velocity Hessian to invert");
  } else {
    findings.add(noun,
                 judged(true, "regular") +
                     fmt::format(" at the start: velocity Hessian ({0} x {0}) has full rank, condition {1:.3g}, {2}",
                                 system.r(), regularity.condition, definiteness(system, regularity)));
  }
}

SaddleRegularity regularity_at_start(const System& system, const Equations& equations, const PointEvaluator& values) {
  std::vector<symbolic::Expr> blocks = equations.W.entries;
  for (const auto* block : {&equations.Phi_y, &equations.Phi_w})
    blocks.insert(blocks.end(), block->entries.begin(), block->entries.end());
  return saddle_regularity(values(blocks, values.start()), system.r(), equations.m());
}

/// Judges the declared invariants. Returns the reason why they are refused, or `std::nullopt`. A start that is off them
/// is moved if `project` asks for it.
std::optional<Refused> judge_invariants(Problem& problem, const Equations& equations, const Findings& findings) {
  const System& system = problem.system;
  if (system.invariants.empty()) return std::nullopt;
  std::optional<Refused> refused;
  for (std::size_t k = 0; k < system.invariants.size(); ++k) {
    const auto& invariant = system.invariants[k];
    const double defect = conservation_defect(system, invariant, problem.initial);
    const bool kept = defect <= rounding;
    findings.add(k == 0 ? "invariants" : "",
                 invariant.name + ": " + judged(kept, kept ? "kept by every motion" : "not kept by every motion") +
                     (defect == 0 ? "" : fmt::format(" (largest defect {:.1e})", defect)));
  }
  try {
    require_conserved(system, problem.initial);
  } catch (const Refused& e) {
    return Refused(e.problem(), e.remedy(), "[invariants]");
  }
  compile::Options options;
  options.backend = compile::Backend::interpreter;
  const auto kernel = compile::compile(invariants_program(system, equations), options);
  const auto parameters = resolve_parameters(system, {});
  InitialState given = problem.initial;
  std::erase_if(given, [&](const auto& entry) {
    return std::none_of(system.algebroid.x.begin(), system.algebroid.x.end(),
                        [&](const auto& x) { return x.name() == entry.first; }) &&
           entry.first != system.t.name();
  });
  Start start = resolve_start(system, equations, given);
  const auto off = off_invariant(kernel, system, start, parameters);
  if (!off) {
    findings.add("", judged(true, system.invariants.size() == 1 ? "it is 0 at the start" : "they are 0 at the start"));
    return std::nullopt;
  }
  const std::string& name = system.invariants[off->index].name;
  findings.add("", judged(false, fmt::format("{} is {:.6g}, not 0, at the start", name, off->value)) +
                       (problem.settings.project ? "" : "; project = true in [initial] would move it there"));
  const std::string what =
      fmt::format("[initial] the start is off the invariant '{}': it is {:.6g}, not 0", name, off->value);
  if (!problem.settings.project)
    return Refused(what, "correct the start, or set project = true in [initial] to move it there", "[initial]");
  const std::string why = move_onto_invariants(kernel, system, problem.settings.fixed, start, parameters);
  if (!why.empty()) return Refused("[initial] " + why, "correct the start", "[initial]");
  std::vector<std::string> moved;
  for (std::size_t i = 0; i < system.n(); ++i) {
    problem.initial[std::string(system.algebroid.x[i].name())] = start.state[i];
    moved.push_back(fmt::format("{} = {:.9g}", system.algebroid.x[i].name(), start.state[i]));
  }
  findings.add("", judged(true, "moved onto the invariants") + ": " + fmt::format("{}", fmt::join(moved, ", ")));
  return std::nullopt;
}

/// Returns the largest |s^C L| around the start, relative to L, the energy and the scale of the law.
double symmetry_defect(const System& system, const Equations& equations, std::size_t k, const PointEvaluator& values) {
  const auto law = mechanics::balance_laws(system, equations)[k + 1];
  return largest_relative(mechanics::complete_lift_derivative(system, equations, system.symmetries[k]),
                          {equations.L, equations.energy, law.scale}, values);
}

/// Returns whether the constraints do not affect the momentum of a symmetry: their forces have no power along it
/// (nonholonomic), or L - nu Phi is as symmetric as L (vakonomic).
bool untouched(const System& system, const Equations& equations, std::size_t k, const PointEvaluator& values) {
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
                                              const PointEvaluator& values, const Findings& findings) {
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
    symmetry.everywhere =
        symmetry.holds && vanishes(mechanics::complete_lift_derivative(free, free_equations, system.symmetries[k]));
    std::string then = symmetry.holds ? "" : "; its momentum is followed with its source";
    if (symmetry.holds && equations.m() != 0) {
      symmetry.untouched = untouched(system, equations, k, values);
      then =
          *symmetry.untouched ? "; the constraints leave its momentum alone" : "; the constraints change its momentum";
    }
    const char* verdict = !symmetry.holds ? "does not hold" : symmetry.everywhere ? "holds" : "holds around the start";
    const std::string tested =
        symmetry.holds && !symmetry.everywhere ? fmt::format(" at {} points; not shown elsewhere", sample_points) : "";
    findings.add(k == 0 ? "symmetries" : "",
                 symmetry.name + ": " + judged(symmetry.holds, verdict) +
                     fmt::format(" (largest defect {:.1e}{}){}", symmetry.defect, tested, then));
    found.push_back(std::move(symmetry));
  }
  return found;
}

std::vector<LawFinding> judge_laws(const System& system, const Equations& equations, const PointEvaluator& values) {
  std::vector<LawFinding> found;
  for (const auto& law : mechanics::balance_laws(system, equations)) {
    const double source = largest_relative(law.source, {law.quantity, law.scale}, values);
    found.push_back({law.name, source, source <= rounding});
  }
  return found;
}

/// Result of the search for velocities of a start that is given by momenta or by two positions.
struct FoundVelocities {
  std::string from;     ///< "velocities found from the momenta"; empty if the model gives velocities
  std::string why_not;  ///< the sentence that says why no velocities were found
  bool nothing_given = false;
};

/// Replaces the momenta or the second position that the model starts from by velocities.
FoundVelocities with_velocities(Problem& problem) {
  const bool lagrangian = problem.system.formulation == mechanics::Formulation::lagrangian;
  const bool momenta = lagrangian && std::any_of(problem.system.p.begin(), problem.system.p.end(),
                                                 [&](const auto& p) { return problem.initial.contains(p.name()); });
  if (!momenta && problem.next.empty()) return {{}, {}, problem.initial.empty()};
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
  } catch (const Refused& refusal) {
    throw Refused(refusal.problem(), refusal.remedy(), refusal.table_or("[initial]"));
  }
  problem.next.clear();
  return found;
}

/// Returns an empty string if W w' - Phi_y^T ell = b, Phi_w w' = -beta has a solution at a point; else a sentence with
/// the row that no acceleration satisfies.
std::string unsolvable(const Equations& equations, const PointEvaluator& values, const std::vector<double>& point) {
  const auto r = static_cast<Eigen::Index>(equations.b.size());
  const auto m = static_cast<Eigen::Index>(equations.m());
  std::vector<symbolic::Expr> outputs = equations.W.entries;
  for (const auto* block : {&equations.Phi_y, &equations.Phi_w})
    outputs.insert(outputs.end(), block->entries.begin(), block->entries.end());
  for (const auto* list : {&equations.b, &equations.beta}) outputs.insert(outputs.end(), list->begin(), list->end());
  const auto v = values(outputs, point);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> W(v.data(), r, r);
  const Eigen::Map<const RowMajor> Phi_y(v.data() + r * r, m, r);
  const Eigen::Map<const RowMajor> Phi_w(v.data() + r * r + m * r, m, r);
  const Eigen::Map<const Eigen::VectorXd> b(v.data() + r * r + 2 * m * r, r);
  const Eigen::Map<const Eigen::VectorXd> beta(v.data() + r * r + 2 * m * r + r, m);
  RowMajor K = RowMajor::Zero(r + m, r + m);
  K << W, -Phi_y.transpose(), Phi_w, RowMajor::Zero(m, m);
  if (!K.allFinite()) return {};
  Eigen::VectorXd right(r + m);
  right << b, -beta;
  const Eigen::VectorXd rest = right - K * linear::least_squares(K, right);
  if (!(rest.cwiseAbs().maxCoeff() > rounding * right.cwiseAbs().maxCoeff())) return {};
  Eigen::Index row = 0;
  rest.cwiseAbs().maxCoeff(&row);
  const bool of_motion = row < r;
  return fmt::format("no acceleration satisfies the equations there: {} {} leaves 0 = {:.6g}",
                     of_motion ? "the row of" : "constraint",
                     of_motion ? std::string(equations.u[equations.x_dot.size() + static_cast<std::size_t>(row)].name())
                               : fmt::format("{}", equations.equation[static_cast<std::size_t>(row - r)] + 1),
                     rest(row));
}

bool judge_start(const ConstraintFindings& constraints, const Equations& equations, const PointEvaluator& values,
                 const FoundVelocities& velocities, const SingularFindings* singular, const Findings& findings) {
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
  findings.add("initial state", analyse::list_text(parts));
  if (velocities.nothing_given) findings.add("", std::string(nothing_given));
  if (!velocities.from.empty()) findings.add("", velocities.from);
  const auto start = constraints.tell_start(equations, values);
  if (!start) return false;
  if (singular != nullptr) return singular->tell_start(findings);
  std::vector<symbolic::Expr> outputs = equations.x_dot;
  for (const auto* list : {&equations.p, &equations.f, &equations.b, &equations.beta})
    outputs.insert(outputs.end(), list->begin(), list->end());
  outputs.insert(outputs.end(), {equations.L, equations.L_z, equations.energy});
  const auto v = values(outputs, *start);
  if (!std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); })) {
    findings.add("", judged(false, "the equations are not finite there"));
    return false;
  }
  if (const std::string why = unsolvable(equations, values, *start); !why.empty()) {
    findings.add("", judged(false, why));
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
  auto choice = auto_method(problem.system, settings, problem.discrete);
  findings.add("method", fmt::format("auto chooses {}: {}", choice.method, choice.reason));
  return choice;
}

/// Returns a text such as "nu1 = -1" if other multipliers of a vakonomic start make the saddle-point system regular;
/// else an empty string.
std::string singular_multipliers(const System& system, const Equations& equations, const PointEvaluator& values) {
  if (equations.rule != mechanics::Rule::vakonomic) return {};
  std::vector<symbolic::Expr> blocks = equations.W.entries;
  for (const auto* block : {&equations.Phi_y, &equations.Phi_w})
    blocks.insert(blocks.end(), block->entries.begin(), block->entries.end());
  auto other = values.start();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < equations.m(); ++i) {
    double& nu = other[equations.u.size() + i];
    names.push_back(fmt::format("{} = {:.6g}", equations.l[i].name(), nu));
    nu += 0.5 * (1 + std::abs(nu));
  }
  const bool regular = saddle_regularity(values(blocks, other), system.r(), equations.m()).regular;
  return regular ? fmt::format("{}", fmt::join(names, ", ")) : std::string{};
}

/// Returns a sentence that says why a run would fail at its start and what to change.
std::string failure_at_start(const Problem& problem, const Check& check, const Equations& equations,
                             const PointEvaluator& values) {
  const std::size_t m = equations.m();
  if (!check.regularity.hessian.finite)
    return "the velocity Hessian is not a finite number at the start; start elsewhere";
  const std::string multipliers =
      check.regularity.regular ? std::string{} : singular_multipliers(problem.system, equations, values);
  if (!multipliers.empty())
    return fmt::format("the Hessian of L - nu Phi is singular at {}; start from other multipliers", multipliers);
  if (!check.regularity.regular && equations.rule == mechanics::Rule::vakonomic)
    return "the velocity Hessian of L - nu Phi is singular at the start on the velocities that the constraints leave "
           "free; let L depend on these (the controls) with a regular Hessian, or constrain them";
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
  const PointEvaluator given_values(problem, equations);
  for (const auto& equation : system.constraints.equations)
    result.kinds.push_back(mechanics::kind_of(system, equation));
  result.constraints = constraints.analysis();
  result.not_analysed = constraints.why_not_analysed();

  result.axioms = judge_algebroid(problem, given_values, findings);
  result.refused =
      broken_promise(system, resolve_parameters(system, {}), std::span(given_values.start()).first(system.n()));
  const auto untrue = judge_invariants(problem, equations, findings);
  if (!result.refused) result.refused = untrue;
  const PointEvaluator values(problem, equations);
  const std::string note =
      note_of(undeclared_casimirs(system, problem.initial), std::span(values.start()).first(system.n()));
  if (!note.empty()) findings.add(system.invariants.empty() ? "invariants" : "", note);
  result.regularity = regularity_at_start(system, equations, values);
  std::optional<SingularFindings> singular;
  if (!result.regularity.regular && result.not_analysed.empty())
    singular.emplace(problem, constraints.reduced(), equations);
  const bool everywhere = singular && singular->is_singular();
  tell_regularity(system, result.regularity.hessian, everywhere, findings);
  constraints.tell(result.regularity);
  if (everywhere) singular->tell(findings);
  result.symmetries = judge_symmetries(constraints.reduced(), equations, values, findings);
  result.dissipated = judge_dissipated(constraints.reduced(), equations, values, findings);
  result.laws = judge_laws(constraints.reduced(), equations, values);
  result.consistent =
      judge_start(constraints, equations, values, velocities, everywhere ? &*singular : nullptr, findings);
  std::string discrete;
  if (given.discrete) discrete = judge_discrete(given, findings, result.discrete.emplace());
  result.method = judge_method(problem, findings);

  if (!result.refused) result.refused = constraints.unusable();
  if (!result.refused && !everywhere) result.refused = needless_gauge(system);
  if (everywhere) result.singular = singular->analysis();
  if (!result.not_analysed.empty())
    result.failure = result.not_analysed;
  else if (everywhere)
    result.failure = singular->failure();
  else if (!result.regularity.regular || !result.consistent)
    result.failure = failure_at_start(problem, result, equations, values);
  else if (result.method.method == discrete_method)
    result.failure = discrete;
  return result;
}

}  // namespace herglotz::simulate
