#pragma once
/// Ranks of small numeric matrices, with the gap in the singular values that makes the ranks certain.

#include <cstddef>
#include <vector>

#include "constraints/orthonormal.hpp"

namespace herglotz::mechanics {

/// Returns the singular values, the largest first, by one-sided rotations (Hestenes). All rows have one length.
Row singular_values(std::vector<Row> rows);

struct Rank {
  std::size_t value = 0;
  bool clear = true;  ///< true if no singular value lies between the bounds for zero and for nonzero
};

/// Returns the rank of the rows, each divided by its entry of `scale` and, unless it is then zero, scaled to length
/// one.
Rank rank_of(std::vector<Row> rows, const Row& scale);

}  // namespace herglotz::mechanics
