#include "certificate/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "certificate/certificate.hpp"
#include "certificate/measures.hpp"
#include "certificate/no_best_control.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::solve {
namespace {

using control::Status;
using optimise::Verdict;

constexpr double far = 1e-3;  ///< a larger defect is named

constexpr double no_range = 1e-6;  ///< of a control, in parts of its size
constexpr std::size_t often = 4;   ///< a control that jumps on one of so many intervals has no arcs on this mesh

std::string_view name_of(const Setup& setup, std::size_t control) {
  return setup.problem.controls[control].name();
}

std::string impulses(const Setup& setup) {
  const auto is_limited = [&](std::size_t u) {
    const auto& path = setup.problem.path;
    return std::any_of(path.begin(), path.end(), [&](const symbolic::Expr& D) {
      return symbolic::depends_on(symbolic::expand_lets(D), setup.problem.controls[u]);
    });
  };
  for (const std::size_t u : setup.form.linear)
    if (!setup.is_bounded(u) && !setup.is_coupled(u) && !is_limited(u))
      return fmt::format("; the Hamiltonian is linear in '{}', which has no bounds: its best values may be impulses",
                         name_of(setup, u));
  return "";
}

/// Returns how often a control changes from one stage to the next by more than half of its range along the path.
std::size_t jumps_of(const Path& path, std::size_t control) {
  Values values;
  for (const Interval& interval : path.intervals)
    for (const Stage& stage : interval.stages) values.push_back(stage.w[control]);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double half = (*most - *least) / 2;
  if (!(half > no_range * std::max(std::abs(*least), std::abs(*most)))) return 0;
  std::size_t count = 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (std::abs(values[i] - values[i - 1]) > half) ++count;
  return count;
}

std::string jumps(const Setup& setup, const Path& path) {
  for (std::size_t u = 0; u < setup.problem.controls.size(); ++u)
    if (const std::size_t count = jumps_of(path, u); often * count > path.intervals.size())
      return fmt::format("; '{}' jumps {} times on {} intervals: {}", name_of(setup, u), count, path.intervals.size(),
                         setup.form.inequalities.empty()
                             ? "the least cost may only be approached, by ever faster switching"
                             : "stages follow it badly where an inequality of the path determines it");
  return "";
}

std::string missing_concavity(const Setup& setup, const Path& path) {
  if (!setup.has_bounds() || has_no_price(setup, path) || !misses_maximum(legendre_margin(setup, path))) return "";
  return "; the Hamiltonian is not concave in the controls: the least cost may only be approached, by ever faster "
         "switching";
}

std::string singular_arc(const Setup& setup, const Path& path) {
  std::string result;
  if (!setup.form.inequalities.empty()) return result;  // intervals do not hold the controls then
  double longest = 0;
  for (const std::size_t u : setup.form.linear) {
    double begin = path.start();
    for (const Interval& interval : path.intervals) {
      const double end = interval.t + interval.h;
      if (interval.held[u] != Hold::free) begin = end;
      if (!(end - begin > longest)) continue;
      longest = end - begin;
      result = fmt::format(
          "; '{}' is singular, inside bounds though the Hamiltonian is linear in it, from t = {:.4g} to {:.4g}",
          name_of(setup, u), begin, end);
    }
  }
  return result;
}

}  // namespace

std::string hint_of_controls(const Setup& model, const Path& path) {
  if (!cost_of_pace(model, path).empty() || !growing_hamiltonian(model, path).empty()) return "";
  std::string hint = impulses(model);
  if (hint.empty()) hint = jumps(model, path);
  if (hint.empty()) hint = missing_concavity(model, path);
  return hint.empty() ? singular_arc(model, path) : hint;
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
      [[fallthrough]];
    case Verdict::unimproved:
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
