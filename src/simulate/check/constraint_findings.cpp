#include "check/constraint_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fixed_projection.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/equations.hpp"

namespace herglotz::simulate {
namespace {

using mechanics::ConstraintStatus;
using mechanics::System;

std::vector<double> parameters_of(const System& system) {
  std::vector<double> values;
  for (const auto& parameter : system.parameters) values.push_back(parameter.value);
  return values;
}

/// Returns the rule that the model has not chosen.
const char* other_rule(const System& system) {
  return system.constraints.rule == mechanics::Rule::vakonomic ? "nonholonomic" : "vakonomic";
}

std::string kind(const System& system, std::size_t k) {
  const auto kind = mechanics::kind_of(system, system.constraints.equations[k]);
  if (kind == mechanics::ConstraintKind::holonomic) return std::string(mechanics::name(kind));
  return fmt::format("{} in the {}", mechanics::name(kind),
                     system.formulation == mechanics::Formulation::hamiltonian ? "momenta" : "velocities");
}

/// Constraints up to this number have lines of their own.
constexpr std::size_t most_single = 20;

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value + 0.0) : "not a finite number";
}

}  // namespace

ConstraintFindings::ConstraintFindings(const Problem& problem, const Findings& findings)
    : problem_(problem), findings_(findings), reduced_(problem.system) {
  if (reduced_.constraints.equations.empty()) return;
  const System& system = problem.system;
  std::vector<double> start;
  for (const auto& list : {system.algebroid.x, system.w(), std::vector{system.z, system.t}}) {
    for (const auto& symbol : list) {
      const auto given = problem.initial.find(symbol.name());
      start.push_back(given == problem.initial.end() ? 0.0 : given->second);
    }
  }
  try {
    analysis_ = mechanics::analyse_constraints(system, parameters_of(system), start);
  } catch (const std::runtime_error& e) {
    why_not_ = e.what();
    return;
  }
  reduced_ = mechanics::with_constraints(system, analysis_.independent);
}

Sentence ConstraintFindings::standing_of(std::size_t k) const {
  const System& system = problem_.system;
  Sentence text = fmt::format("{}, {} rule", kind(system, k),
                              system.constraints.rule == mechanics::Rule::vakonomic ? "vakonomic" : "nonholonomic");
  if (why_not_.empty()) {
    const auto& finding = analysis_.equations[k];
    switch (finding.standing) {
      case ConstraintStatus::independent:
        break;
      case ConstraintStatus::redundant:
        text.before += fmt::format("; redundant: follows from the others, so that {} is 0",
                                   system.constraints.multipliers[k].name());
        break;
      case ConstraintStatus::contradictory:
        text =
            text.before + "; " +
            judged(false, fmt::format("contradictory: it does not reach 0{} (nearest value met: {:.3g})",
                                      analysis_.equations.size() > 1 ? " where the others hold" : "", finding.value));
        break;
      case ConstraintStatus::singular:
        text = text.before + "; " + judged(false, "singular: it restricts no velocity where it holds");
    }
  }
  return text;
}

void ConstraintFindings::tell_equations() const {
  const std::size_t count = problem_.system.constraints.equations.size();
  const auto same = [](const Sentence& a, const Sentence& b) {
    return a.before == b.before && a.judged == b.judged && a.after == b.after;
  };
  for (std::size_t k = 0; k < count;) {
    const Sentence text = standing_of(k);
    std::size_t end = k + 1;
    while (count > most_single && end < count && same(standing_of(end), text)) ++end;
    findings_.add(
        k == 0 ? "constraints" : "",
        (end == k + 1 ? fmt::format("equation {}: ", k + 1) : fmt::format("equations {} to {}: ", k + 1, end)) + text);
    k = end;
  }
}

void ConstraintFindings::tell_integrability() const {
  if (!why_not_.empty()) {
    findings_.add("", judged(false, "not judged: " + why_not_));
    return;
  }
  const System& system = problem_.system;
  switch (analysis_.integrability) {
    case mechanics::Integrability::none:
      return;
    case mechanics::Integrability::integrable:
      findings_.add("",
                    fmt::format("integrable (largest involutivity defect {:.1e}): the nonholonomic and the vakonomic "
                                "rule have the same motions",
                                analysis_.involutivity_defect));
      return;
    case mechanics::Integrability::nonintegrable:
      if (analysis_.curvature > 0) {
        findings_.add("",
                      fmt::format("not integrable: its velocities are curved (by up to {:.1g} of Phi_yy); the {} rule "
                                  "has other motions in general",
                                  analysis_.curvature, other_rule(system)));
        return;
      }
      findings_.add(
          "",
          fmt::format("not integrable (largest involutivity defect {:.1e}): the {} rule has other motions in general",
                      analysis_.involutivity_defect, other_rule(system)));
      return;
    case mechanics::Integrability::not_decided:
      findings_.add("", fmt::format("integrability is not decided: {}", analysis_.reason));
  }
}

void ConstraintFindings::tell(const SaddleRegularity& regularity) const {
  const auto& equations = problem_.system.constraints.equations;
  if (equations.empty()) {
    findings_.add("constraints", "none");
    return;
  }
  tell_equations();
  tell_integrability();
  const std::size_t m = reduced_.constraints.equations.size();
  if (m == 0 || !regularity.hessian.finite) return;
  if (!regularity.hessian.regular) {
    findings_.add("", regularity.regular
                          ? Sentence("with them the accelerations and multipliers are determined at the start")
                          : judged(false, "not even with them are the accelerations determined at the start"));
  } else if (regularity.regular) {
    findings_.add("", fmt::format("constraint matrix C_ab ({0} x {0}) has full rank at the start", m));
  } else {
    findings_.add("", judged(false, fmt::format("singular at the start: constraint matrix C_ab ({0} x {0}) of rank {1}",
                                                m, regularity.rank)));
  }
}

std::optional<std::vector<double>> ConstraintFindings::moved(const mechanics::Equations& equations,
                                                             const PointEvaluator& values) const {
  const Simulator simulator(problem_.system, {}, problem_.initial);
  const std::size_t size = problem_.system.n() + problem_.system.r() + 1;
  const bool vakonomic = equations.rule == mechanics::Rule::vakonomic;
  std::vector<double> state = values.start();
  state.erase(state.begin() + static_cast<std::ptrdiff_t>(size));
  state.resize(simulator.dynamics().dimension());
  const std::vector<std::string> fixed =
      problem_.settings.project ? problem_.settings.fixed : std::vector<std::string>{};
  std::optional<FixedProjectionKernels> kernels;
  const auto kernels_once = [&]() -> const FixedProjectionKernels& {
    return kernels.emplace(fixed_projection_kernels(problem_.system, simulator.equations()));
  };
  const auto found = projected(problem_.system, simulator.equations(), simulator.dynamics(), kernels_once, fixed,
                               {values.start()[size], state, std::nullopt}, parameters_of(problem_.system));
  if (found.status == integrate::Status::success && found.defect <= rounding) return values.start();
  if (!problem_.settings.project) {
    findings_.add("", judged(false, "off the constraints") + "; project = true in [initial] would move it onto them");
    return std::nullopt;
  }
  if (found.status != integrate::Status::success) {
    findings_.add("", judged(false, "cannot be moved onto the constraints") + ": " + found.reason.text());
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < size; ++i) names.emplace_back(equations.u[i].name());
  findings_.add("", "moved onto the constraints: " +
                        changes_of(names, std::span(state).first(size), std::span(found.state).first(size)));
  std::vector<double> start(found.state.begin(), found.state.begin() + static_cast<std::ptrdiff_t>(size));
  start.push_back(values.start()[size]);
  if (vakonomic) start.insert(start.end(), found.state.begin() + static_cast<std::ptrdiff_t>(size), found.state.end());
  start.resize(values.start().size());
  return start;
}

std::optional<std::vector<double>> ConstraintFindings::tell_start(const mechanics::Equations& equations,
                                                                  const PointEvaluator& values) const {
  const auto& written = problem_.system.constraints.equations;
  if (written.empty()) return values.start();
  const auto phi = values(written, values.start());
  const auto rates = values(equations.Phi, values.start());
  double largest = 0;
  bool finite = true;
  std::size_t alike = 0;
  double largest_alike = 0;
  const auto meet = [&](double value) {
    finite = finite && std::isfinite(value);
    largest = std::max(largest, std::abs(value));
  };
  for (std::size_t k = 0; k < phi.size(); ++k) {
    std::string text = fmt::format("constraint {} is {} there", k + 1, number(phi[k]));
    double size = std::abs(phi[k]);
    meet(phi[k]);
    for (std::size_t row = 0; row < equations.phi.size(); ++row) {
      const std::size_t of =
          why_not_.empty() ? analysis_.independent[equations.equation[row]] : equations.equation[row];
      if (of != k) continue;
      text += fmt::format(", its time derivative {}", number(rates[row]));
      size = std::max(size, std::abs(rates[row]));
      meet(rates[row]);
    }
    if (phi.size() > most_single && std::isfinite(size) && size <= rounding) {
      ++alike;
      largest_alike = std::max(largest_alike, size);
    } else {
      findings_.add("", text);
    }
  }
  if (alike > 0)
    findings_.add("", fmt::format("{} constraints and their time derivatives are at most {} there", alike,
                                  number(largest_alike)));
  const bool usable = why_not_.empty() && std::all_of(analysis_.equations.begin(), analysis_.equations.end(),
                                                      [](const mechanics::ConstraintFinding& finding) {
                                                        return finding.standing == ConstraintStatus::independent ||
                                                               finding.standing == ConstraintStatus::redundant;
                                                      });
  if (!finite || !usable) return std::nullopt;
  if (largest <= rounding) return values.start();
  return moved(equations, values);
}

std::optional<Refused> ConstraintFindings::unusable() const {
  const auto& constraints = problem_.system.constraints;
  for (std::size_t k = 0; k < analysis_.equations.size(); ++k) {
    const auto standing = analysis_.equations[k].standing;
    if (standing == ConstraintStatus::contradictory)
      return analysis_.equations.size() == 1
                 ? Refused("constraint 1 holds for no velocity near the start", "change it", "[constraints]")
                 : Refused(fmt::format("constraint {} contradicts the others", k + 1), "remove or change one of them",
                           "[constraints]");
    if (standing == ConstraintStatus::singular)
      return Refused(fmt::format("constraint {} restricts no velocity where it holds", k + 1),
                     "write it with a derivative by the velocities that does not vanish or repeat the others there",
                     "[constraints]");
    if (standing != ConstraintStatus::redundant) continue;
    const auto nu = problem_.initial.find(constraints.multipliers[k].name());
    if (nu != problem_.initial.end() && nu->second != 0)
      return Refused(
          fmt::format("{} = {} belongs to constraint {}, which follows from the others", nu->first, nu->second, k + 1),
          "give its part to theirs", std::string(constraints.multipliers[k].name()));
  }
  return std::nullopt;
}

}  // namespace herglotz::simulate
