#include "check/singular_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "herglotz/mechanics/singular/reach.hpp"
#include "settings.hpp"

namespace herglotz::simulate {
SingularFindings::SingularFindings(const Problem& problem, const mechanics::System& system,
                                   const mechanics::Equations& equations)
    : problem_(problem),
      system_(system),
      equations_(equations),
      motion_(singular_motion(system, equations, problem.initial)) {}

std::optional<mechanics::SingularAnalysis> SingularFindings::analysis() const {
  if (motion_->analysis.constraints.empty()) return std::nullopt;
  return motion_->analysis;
}

void SingularFindings::tell(const Findings& findings) const {
  const auto analysis_ = analysis();
  if (!analysis_) {
    findings.add("final set", judged(false, motion_->why_not.text()));
    return;
  }
  std::size_t level = 0;
  for (const auto& constraint : analysis_->constraints) {
    const std::string subject = constraint.level == level ? "" : fmt::format("level {}", constraint.level);
    level = constraint.level;
    findings.add(subject, mechanics::text_of(constraint));
  }
  if (analysis_->contradiction) {
    findings.add("final set", judged(false, "empty") + ": " + mechanics::text_of(*analysis_->contradiction));
    return;
  }
  const std::size_t total = analysis_->dim_total();
  findings.add("final set", judged(true, "consistent") +
                                fmt::format(": dimension {} of {} in (x, y, p, z{}), {} level{} of constraints",
                                            analysis_->dim_final, total, equations_.m() == 0 ? "" : ", multipliers",
                                            analysis_->levels(), analysis_->levels() == 1 ? "" : "s"));
  const auto& free = analysis_->undetermined;
  if (free.empty()) {
    findings.add("", "every rate is determined on it");
    return;
  }
  std::vector<std::string> names;
  for (const auto& symbol : free) names.emplace_back(symbol.name());
  findings.add("gauge", fmt::format("{} arbitrary function{} of time: the rate{} of {}", free.size(),
                                    free.size() == 1 ? "" : "s", free.size() == 1 ? "" : "s", fmt::join(names, ", ")));
  const auto& orbits = analysis_->dim_gauge_orbits;
  findings.add("", orbits ? fmt::format("orbits of dimension {}: {} of {} dimensions are physical", *orbits,
                                        analysis_->dim_final - *orbits, analysis_->dim_final)
                          : std::string("the dimension of the orbits is not decided: their brackets grow too long"));
  if (motion_->fixed)
    findings.add("", judged(true, "fixed") +
                         fmt::format(" by {}: dimension {}", gauge_of(system_, *motion_), motion_->fixed->dim_final));
  else if (!motion_->why_not.empty())
    findings.add("", judged(false, motion_->why_not.text()));
  else
    findings.add("", "a run chooses the smallest rates");
}

bool SingularFindings::tell_start(const Findings& findings) const {
  if (!motion_->why_not.empty()) return false;
  if (problem_.initial.empty()) return true;
  const auto off = off_final_set(system_, equations_, motion_->followed(), start_values(equations_, problem_.initial),
                                 resolve_parameters(system_, {}));
  if (!off) {
    findings.add("", judged(true, "on the final set"));
    return true;
  }
  const std::string what = simulate::text_of(motion_->followed(), *off);
  findings.add("", problem_.settings.project ? Sentence(what + "; a run moves it there") : judged(false, what));
  return problem_.settings.project;
}

std::string SingularFindings::failure() const {
  if (!motion_->why_not.empty()) return motion_->why_not.text();
  const auto off = off_final_set(system_, equations_, motion_->followed(), start_values(equations_, problem_.initial),
                                 resolve_parameters(system_, {}));
  if (!off || problem_.initial.empty() || problem_.settings.project) return {};
  return simulate::text_of(motion_->followed(), *off) +
         "; give initial values on the final set, or set project = true in [initial]";
}

}  // namespace herglotz::simulate
