#pragma once
/// Cells of a map: the grid of an ensemble, in which neighbours are combined if the grid is too fine for a page.

#include <cstddef>
#include <string>
#include <vector>

namespace herglotz::report {

/// Axis of the map.
struct CellAxis {
  std::size_t axis = 0;    ///< index of the axis in the grid
  std::size_t points = 0;  ///< points of the grid along the axis
  std::size_t width = 1;   ///< points in one cell; the last cell may have fewer
  [[nodiscard]] std::size_t cells() const { return (points + width - 1) / width; }
};

class Cells {
 public:
  /// Makes cells of a grid. Axes of one point, and axes that `left_out` marks (axes of samples), are not axes of the
  /// map: a cell contains all members along them. The longest axis is made coarser until there are at most `limit`
  /// cells.
  Cells(std::vector<std::size_t> shape, const std::vector<bool>& left_out, std::size_t limit);

  [[nodiscard]] const std::vector<CellAxis>& axes() const { return axes_; }
  [[nodiscard]] std::size_t size() const;
  /// Returns the largest number of members in one cell.
  [[nodiscard]] std::size_t members_per_cell() const;
  /// Returns the cell of a member; the last axis runs fastest, for cells as for members.
  [[nodiscard]] std::size_t of(std::size_t member) const;
  /// Returns the difference of the numbers of neighbouring members along an axis of the grid.
  [[nodiscard]] std::size_t stride(std::size_t axis) const { return strides_[axis]; }

 private:
  std::vector<std::size_t> shape_;
  std::vector<std::size_t> strides_;
  std::vector<CellAxis> axes_;
};

}  // namespace herglotz::report
