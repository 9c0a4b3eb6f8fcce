#pragma once
/// Matrix of the stages of sites that are joined in any way.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "loops/collocation/stage_matrix.hpp"

namespace herglotz::families {

/// Returns the place of each site in an order of elimination, or no value if the factors would have many more entries
/// than the matrix.
std::optional<std::vector<std::uint32_t>> sparse_order(const Model& model, const SiteBlocks& blocks);

/// Returns the factors in that order, or a null pointer if the matrix is singular or not finite.
std::shared_ptr<const StageMatrix> sparse_factors(const Model& model, const SiteBlocks& blocks,
                                                  const std::vector<std::uint32_t>& place);

/// Returns a solver that iterates (BiCGSTAB) with an incomplete LU decomposition, or a null pointer if the matrix has
/// no such decomposition.
std::shared_ptr<const StageMatrix> iteration(const Model& model, const SiteBlocks& blocks);

}  // namespace herglotz::families
