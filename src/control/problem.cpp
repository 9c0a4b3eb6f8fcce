#include "herglotz/control/problem.hpp"

namespace herglotz::control {

std::vector<std::string> end_names(const Problem& problem) {
  std::vector<std::string> names;
  for (const Expr& x : problem.system.algebroid.x) names.emplace_back(x.name());
  if (problem.kind != Kind::mechanical) return names;
  for (const Expr& y : problem.system.algebroid.y) names.emplace_back(y.name());
  names.emplace_back(problem.system.z.name());
  return names;
}

std::string initial_name(std::string_view state) {
  return std::string(state) + "_initial";
}

std::string final_name(std::string_view state) {
  return std::string(state) + "_final";
}

}  // namespace herglotz::control
