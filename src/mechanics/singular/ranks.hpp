#pragma once
/// Ranks of small numeric matrices, with the gap that makes them certain.

#include <cstddef>
#include <vector>

#include "constraints/orthonormal.hpp"

namespace herglotz::mechanics {

/// Singular values, the largest first, by one-sided rotations (Hestenes). Rows of one length.
Row singular_values(std::vector<Row> rows);

struct Rank {
  std::size_t value = 0;
  bool clear = true;  ///< no singular value lies between what counts as zero and what does not
};

/// Of rows that are scaled to length one where they are not zero beside `scale`.
Rank rank_of(std::vector<Row> rows, const Row& scale);

}  // namespace herglotz::mechanics
