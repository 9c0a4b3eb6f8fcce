#include "record/turns.hpp"

#include <algorithm>

namespace herglotz::simulate {

void TurnCounter::look(std::span<const double> coordinates) {
  constexpr double visible = 1e-3;
  if (coordinates_.empty())
    for (const double value : coordinates) coordinates_.push_back({value, value, value});
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    Coordinate& c = coordinates_[i];
    const double value = coordinates[i];
    c.least = std::min(c.least, value);
    c.largest = std::max(c.largest, value);
    const double moved = value - c.extreme;
    if (c.direction == 0) {
      c.direction = moved > 0 ? 1 : moved < 0 ? -1 : 0;
      c.extreme = value;
    } else if (moved * c.direction > 0) {
      c.extreme = value;
    } else if (-moved * c.direction > visible * (c.largest - c.least)) {
      ++c.turns;
      c.direction = -c.direction;
      c.extreme = value;
    }
  }
}

std::size_t TurnCounter::most() const {
  std::size_t most = 0;
  for (const Coordinate& c : coordinates_) most = std::max(most, c.turns);
  return most;
}

}  // namespace herglotz::simulate
