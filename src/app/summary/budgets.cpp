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
    if (column.role != analyse::Role::observable || column.name.size() < 5) continue;
    const std::string kind = column.name.substr(0, 5);
    const std::string name = column.name.substr(5);
    if ((kind == "work." && (is_event(name) || is_friction(name))) || (kind == "loss." && is_event(name)))
      found.push_back(&column);
  }
  return found;
}

}  // namespace herglotz::app
