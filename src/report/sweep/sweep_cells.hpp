#pragma once
/// The cells of a map: the grid of an ensemble, with neighbours put together where it is too fine for a page.

#include <cstddef>
#include <string>
#include <vector>

namespace herglotz::report {

/// One axis of the map.
struct CellAxis {
  std::size_t axis = 0;    ///< of the grid
  std::size_t points = 0;  ///< of the grid along it
  std::size_t width = 1;   ///< points in one cell; the last cell may have fewer
  [[nodiscard]] std::size_t cells() const { return (points + width - 1) / width; }
};

class Cells {
 public:
  /// Axes of one point, and those in `left_out` (of samples), are no axes of the map: a cell holds all members along
  /// them. The longest axis is made coarser until there are at most `limit` cells.
  Cells(std::vector<std::size_t> shape, const std::vector<bool>& left_out, std::size_t limit);

  [[nodiscard]] const std::vector<CellAxis>& axes() const { return axes_; }
  [[nodiscard]] std::size_t size() const;
  /// The most members in one cell.
  [[nodiscard]] std::size_t members_per_cell() const;
  /// The cell of a member; the last axis runs fastest, for cells as for members.
  [[nodiscard]] std::size_t of(std::size_t member) const;
  /// How far apart the numbers of members are that are neighbours along an axis of the grid.
  [[nodiscard]] std::size_t stride(std::size_t axis) const { return strides_[axis]; }

 private:
  std::vector<std::size_t> shape_;
  std::vector<std::size_t> strides_;
  std::vector<CellAxis> axes_;
};

}  // namespace herglotz::report
