#include <algorithm>

#include "herglotz/control/first_order.hpp"
#include "herglotz/control/singular_control.hpp"
#include "herglotz/error.hpp"
#include "herglotz/solve/solve.hpp"
#include "requirements.hpp"
#include "setup.hpp"
#include "start/singular_ends.hpp"

namespace herglotz::solve {
namespace {

using control::Kind;

std::string words(Kind kind) {
  if (kind == Kind::two_point) return "two ends of a motion of Herglotz' principle";
  return kind == Kind::kinematic ? "optimal control of kinematics" : "optimal control of a mechanical system";
}

template <class Symbols>
std::vector<std::string> names_of(const Symbols& symbols) {
  std::vector<std::string> names;
  for (const auto& symbol : symbols) names.emplace_back(symbol.name());
  return names;
}

/// Returns the names of the columns of costates.
std::vector<std::string> costates_of(const control::Problem& problem) {
  const auto& system = problem.system;
  std::vector<std::string> names;
  for (const auto& y : system.algebroid.y) names.push_back("p_" + std::string(y.name()));
  if (problem.kind == Kind::mechanical) {
    for (const auto& y : system.algebroid.y) names.push_back("q_" + std::string(y.name()));
    names.push_back("p_" + std::string(system.z.name()));
  }
  names.emplace_back("R");
  return names;
}

LinearControl linear_control(const Setup& setup, std::size_t u) {
  const control::Problem& problem = setup.problem;
  LinearControl result{std::string(problem.controls[u].name()), std::nullopt, ""};
  if (problem.kind != Kind::kinematic) {
    result.why_not = "singular arcs are derived for kinematics";
    return result;
  }
  try {
    (void)control::singular_programs(problem, setup.form, u);
    result.order = 1;
  } catch (const Refused& refused) {
    result.why_not = refused.problem();
  }
  return result;
}

}  // namespace

Description describe(const control::Problem& problem) {
  check_mesh(problem.settings);
  (void)singular_ends(problem);
  const Setup setup(problem);
  Description result;
  result.kind = problem.kind;
  result.kind_in_words = words(problem.kind);
  result.states = names_of(setup.form.v);
  result.controls = names_of(problem.controls);
  const auto names = names_of(setup.form.w);
  result.variables.assign(names.begin() + static_cast<std::ptrdiff_t>(problem.controls.size()), names.end());
  result.costates = costates_of(problem);
  const auto ends = control::end_names(problem);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    (setup.initial[i] ? result.given_initial : result.free_initial).push_back(ends[i]);
    (setup.final[i] ? result.given_final : result.free_final).push_back(ends[i]);
  }
  result.conditions = problem.boundary.conditions.size();
  result.inequalities = problem.path.size();
  result.duration = setup.duration;
  for (std::size_t u = 0; u < problem.controls.size(); ++u) {
    if (!setup.is_bounded(u)) continue;
    result.bounded.emplace_back(problem.controls[u].name());
    result.bounds.emplace_back(setup.lower[u], setup.upper[u]);
  }
  for (const std::size_t u : setup.form.linear) result.linear.push_back(linear_control(setup, u));
  result.constant_cost = control::has_constant_cost(problem);
  return result;
}

}  // namespace herglotz::solve
