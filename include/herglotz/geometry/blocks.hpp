#pragma once
/// Blocks of a square matrix.

#include <cstddef>
#include <vector>

#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::geometry {

/// Returns the blocks of a square matrix: sets of indices between which all entries are zero, each in ascending order.
/// The inverse has entries inside the blocks alone.
std::vector<std::vector<std::size_t>> blocks_of(const symbolic::Matrix& a);

}  // namespace herglotz::geometry
