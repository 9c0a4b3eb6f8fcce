#include "herglotz/geometry/blocks.hpp"

#include <algorithm>
#include <utility>

namespace herglotz::geometry {

std::vector<std::vector<std::size_t>> blocks_of(const symbolic::Matrix& a) {
  std::vector<std::vector<std::size_t>> neighbours(a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j)
      if (i != j && !a(i, j).is_zero()) {
        neighbours[i].push_back(j);
        neighbours[j].push_back(i);
      }
  std::vector<std::vector<std::size_t>> blocks;
  std::vector<char> known(a.rows, 0);
  for (std::size_t first = 0; first < a.rows; ++first) {
    if (known[first] != 0) continue;
    known[first] = 1;
    std::vector<std::size_t> block{first};
    for (std::size_t next = 0; next < block.size(); ++next)
      for (const std::size_t j : neighbours[block[next]])
        if (std::exchange(known[j], 1) == 0) block.push_back(j);
    std::sort(block.begin(), block.end());
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace herglotz::geometry
