#include "summary/budgets.hpp"

#include <algorithm>
#include <string>

namespace herglotz::app {

std::vector<const analyse::Column*> budget_columns(const analyse::Trajectory& trajectory) {
  std::vector<const analyse::Column*> found;
  if (trajectory.rows() == 0) return found;
  const auto is_event = [&](const std::string& name) {  // or an impact that a method steps over
    return trajectory.find("contact." + name) != nullptr ||
           std::any_of(trajectory.events.begin(), trajectory.events.end(),
                       [&](const auto& event) { return event.name == name; });
  };
  const auto is_friction = [&](const std::string& name) {
    return trajectory.find("friction." + name) != nullptr && trajectory.find("mode." + name) != nullptr;
  };
  for (const auto& column : trajectory.columns) {
    const std::size_t dot = column.name.find('.');
    if (column.role != analyse::Role::observable || dot == std::string::npos) continue;
    const std::string kind = column.name.substr(0, dot);
    const std::string name = column.name.substr(dot + 1);
    if ((kind == "work" && (is_event(name) || is_friction(name))) ||
        ((kind == "loss" || kind == "drive") && is_event(name)))
      found.push_back(&column);
  }
  return found;
}

}  // namespace herglotz::app
