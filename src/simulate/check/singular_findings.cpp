#include "check/singular_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::simulate {
namespace {

std::string text_of(const symbolic::Expr& f) {
  return symbolic::print(symbolic::simplify(f));
}

}  // namespace

SingularFindings::SingularFindings(const Problem& problem, const mechanics::System& system,
                                   const mechanics::Equations& equations)
    : problem_(problem), system_(system), equations_(equations) {
  try {
    analysis_ = singular_analysis(system, equations, problem.initial);
  } catch (const mechanics::Undecided& undecided) {
    undecided_ = undecided.what();
  }
}

void SingularFindings::tell(const Findings& findings) const {
  if (!undecided_.empty()) findings.add("final set", judged(false, undecided_));
  if (!analysis_) return;
  std::size_t level = 0;
  for (const auto& constraint : analysis_->constraints) {
    const std::string subject = constraint.level == level ? "" : fmt::format("level {}", constraint.level);
    level = constraint.level;
    std::string branches;
    for (const auto& other : constraint.branches)
      branches += fmt::format("; another branch has {} = 0", text_of(other));
    findings.add(subject, fmt::format("{} = 0{}", text_of(constraint.expression), branches));
  }
  if (analysis_->contradiction) {
    findings.add("final set", judged(false, "empty") + ": " + simulate::text_of(*analysis_->contradiction));
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
}

bool SingularFindings::tell_start(const Findings& findings) const {
  if (!analysis_ || analysis_->contradiction) return false;
  const auto off = off_final_set(system_, equations_, *analysis_, start_values(equations_, problem_.initial));
  if (problem_.initial.empty()) return true;
  if (off) {
    findings.add("", judged(false, simulate::text_of(*analysis_, *off)));
    return false;
  }
  findings.add("", judged(true, "on the constraint set"));
  return true;
}

std::string SingularFindings::failure() const {
  if (!undecided_.empty()) return "the Lagrangian is singular, and its constraints are not decided: " + undecided_;
  if (analysis_->contradiction)
    return "the Lagrangian is singular, and " + simulate::text_of(*analysis_->contradiction) + "; change it";
  const auto off = off_final_set(system_, equations_, *analysis_, start_values(equations_, problem_.initial));
  if (off && !problem_.initial.empty())
    return simulate::text_of(*analysis_, *off) + "; give initial values on the constraint set";
  return {};
}

}  // namespace herglotz::simulate
