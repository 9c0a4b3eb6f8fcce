#include "certificate/judgement.hpp"

#include <fmt/format.h>

namespace herglotz::solve {
namespace {

using control::Status;
using optimise::Verdict;

constexpr double far = 1e-3;  ///< a larger defect is named

}  // namespace

std::string hint_of_impulses(const Setup& setup) {
  for (const std::size_t u : setup.form.linear)
    if (!setup.is_bounded(u))
      return fmt::format("; the Hamiltonian is linear in '{}', which has no bounds: its best values may be impulses",
                         setup.problem.controls[u].name());
  return "";
}

Judgement judgement_of(GaussNlp& nlp, const optimise::Minimum& found) {
  const auto violation = optimise::largest_violation(nlp, found.at.x);
  Judgement result{Status::not_converged, found.reason, violation.size, optimise::stationarity(nlp, found.at), false};
  switch (found.verdict) {
    case Verdict::solved:
      result.status = Status::solved;
      break;
    case Verdict::infeasible:
      result.status = Status::infeasible;
      result.reason +=
          fmt::format("; farthest from holding is {}, by {:.3g}", nlp.name_of(violation.constraint), violation.size);
      break;
    case Verdict::stopped:
      result.status = Status::stopped;
      break;
    case Verdict::undefined:
      result.reason +=
          fmt::format(": look at {}, and at [guess]",
                      nlp.name_of(optimise::undefined_constraint(nlp, found.at.x).value_or(violation.constraint)));
      break;
    case Verdict::not_converged:
      // A verdict of too little progress may mean that rounding allows no further progress.
      if (result.defect < 1e-8 && result.stationarity < 1e-7) {
        result.status = Status::solved;
        break;
      }
      result.hardly_off = result.defect < 1e-6;
      if (result.defect > far)
        result.reason += fmt::format("; farthest from holding is {}", nlp.name_of(violation.constraint));
  }
  return result;
}

}  // namespace herglotz::solve
