#include "herglotz/analyse/trajectory.hpp"

#include <algorithm>

#include "herglotz/error.hpp"

namespace herglotz::analyse {

const Column* Trajectory::find(std::string_view name) const {
  const auto it = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  return it == columns.end() ? nullptr : &*it;
}

const std::vector<double>& Trajectory::operator[](std::string_view name) const {
  if (const Column* column = find(name)) return column->values;
  std::string known;
  for (const Column& c : columns) known += (known.empty() ? "" : ", ") + c.name;
  throw OutOfRange("no column '" + std::string(name) + "'", "the columns are " + known);
}

}  // namespace herglotz::analyse
