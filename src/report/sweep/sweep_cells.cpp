#include "sweep/sweep_cells.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace herglotz::report {

Cells::Cells(std::vector<std::size_t> shape, const std::vector<bool>& left_out, std::size_t limit)
    : shape_(std::move(shape)), strides_(shape_.size(), 1) {
  for (std::size_t axis = shape_.size(); axis-- > 1;) strides_[axis - 1] = strides_[axis] * shape_[axis];
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    if (shape_[axis] > 1 && !left_out[axis]) axes_.push_back({axis, shape_[axis]});
  }
  while (size() > std::max<std::size_t>(limit, 1)) {
    auto& longest = *std::max_element(axes_.begin(), axes_.end(),
                                      [](const CellAxis& a, const CellAxis& b) { return a.cells() < b.cells(); });
    ++longest.width;
  }
}

std::size_t Cells::size() const {
  std::size_t product = 1;
  for (const CellAxis& axis : axes_) product *= axis.cells();
  return product;
}

std::size_t Cells::members_per_cell() const {
  std::size_t product = std::accumulate(shape_.begin(), shape_.end(), std::size_t{1}, std::multiplies<>());
  for (const CellAxis& axis : axes_) product = product / axis.points * std::min(axis.width, axis.points);
  return product;
}

std::size_t Cells::of(std::size_t member) const {
  std::size_t cell = 0;
  for (const CellAxis& axis : axes_) {
    cell = cell * axis.cells() + member / strides_[axis.axis] % axis.points / axis.width;
  }
  return cell;
}

}  // namespace herglotz::report
