#pragma once
/// Counter of the turning points of the coordinates of a motion.

#include <cstddef>
#include <span>
#include <vector>

namespace herglotz::simulate {

/// Counter of the turning points of each coordinate of a sequence of states. A coordinate turns when it goes back from
/// an extreme by more than a thousandth of the range it has covered so far: neither round-off nor movements too small
/// for a plot count.
class TurnCounter {
 public:
  /// Takes the next state.
  void look(std::span<const double> coordinates);
  /// Returns the number of turning points of the coordinate that has turned most.
  [[nodiscard]] std::size_t most() const;

 private:
  struct Coordinate {
    double least, largest;  // so far
    double extreme;         // since the last turn
    int direction = 0;      // 1 up, -1 down, 0 not moved yet
    std::size_t turns = 0;
  };
  std::vector<Coordinate> coordinates_;
};

}  // namespace herglotz::simulate
