#include "herglotz/control/first_order.hpp"
#include "herglotz/solve/solve.hpp"
#include "start/singular_ends.hpp"

namespace herglotz::solve {
namespace {

std::string words(control::Kind kind) {
  if (kind == control::Kind::two_point) return "two ends of a motion of Herglotz' principle";
  return kind == control::Kind::kinematic ? "optimal control of kinematics" : "optimal control of a mechanical system";
}

}  // namespace

Description describe(const control::Problem& problem) {
  const control::FirstOrder form = control::first_order(problem);
  require_regular(problem);
  Description result;
  result.kind = words(problem.kind);
  result.states = form.v.size();
  result.controls = problem.controls.size();
  result.others = form.w.size() - result.controls;
  result.given_initial = control::end_names(problem).size() - problem.boundary.free_initial.size();
  result.given_final = problem.boundary.final.size();
  result.conditions = problem.boundary.conditions.size();
  result.free_duration = !problem.boundary.duration.has_value();
  for (std::size_t u = 0; u < problem.controls.size(); ++u)
    if (problem.bounds[u].lower || problem.bounds[u].upper) result.bounded.emplace_back(problem.controls[u].name());
  for (const std::size_t u : form.linear) result.linear.emplace_back(problem.controls[u].name());
  return result;
}

}  // namespace herglotz::solve
