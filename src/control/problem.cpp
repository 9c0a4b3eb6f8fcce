#include "herglotz/control/problem.hpp"

#include <algorithm>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::control {

std::size_t SolveSettings::most_intervals() const {
  constexpr std::size_t usual = 2000;
  return max_intervals.value_or(std::max(usual, intervals));
}

std::vector<std::string> end_names(const Problem& problem) {
  std::vector<std::string> names;
  for (const Expr& x : problem.system.algebroid.x) names.emplace_back(x.name());
  if (problem.kind != Kind::mechanical) return names;
  for (const Expr& y : problem.system.algebroid.y) names.emplace_back(y.name());
  names.emplace_back(problem.system.z.name());
  return names;
}

bool has_constant_cost(const Problem& problem) {
  if (problem.kind == Kind::two_point) return false;
  std::vector<Expr> varied = problem.system.algebroid.x;
  varied.insert(varied.end(), problem.system.algebroid.y.begin(), problem.system.algebroid.y.end());
  varied.push_back(problem.system.z);
  varied.insert(varied.end(), problem.controls.begin(), problem.controls.end());
  const bool is_free = !problem.boundary.duration;
  if (is_free) varied.push_back(problem.boundary.duration_symbol);
  const auto varies = [&](Expr f) {
    const Expr cost = symbolic::simplify(symbolic::expand_lets(f));
    return std::any_of(varied.begin(), varied.end(),
                       [&](const Expr& symbol) { return symbolic::depends_on(cost, symbol); });
  };
  // If the running cost vanishes at zeta = 0, zeta stays 0, however long that takes.
  const Expr at_start = symbolic::simplify(symbolic::substitute(symbolic::expand_lets(problem.cost.running),
                                                                std::vector{problem.cost.action},
                                                                std::vector{problem.system.graph().number(0)}));
  return !varies(problem.cost.terminal) && (at_start.is_zero() || (!is_free && !varies(problem.cost.running)));
}

std::string initial_name(std::string_view state) {
  return std::string(state) + "_initial";
}

std::string final_name(std::string_view state) {
  return std::string(state) + "_final";
}

}  // namespace herglotz::control
