#pragma once
/// Moments of batches of members.

#include <cstddef>

#include "herglotz/ensemble/ensemble.hpp"

namespace herglotz::ensemble {

/// Members whose values are reduced together. Batches begin at multiples of this number, so that moments do not depend
/// on how many members share an instruction.
constexpr std::size_t batch_members = 16;

/// Computes the moments of batches of values; value of member m of batch e is at [e * batch_members + m]. Members that
/// are not among the bits `present`, and values that are not finite, are left out. Sums are added in pairs: first
/// member m and m + 8, then m and m + 4, ... Compiled for W = 1, 4 and 8, for registers of that width; the bits are the
/// same.
template <int W>
void reduce(const double* values, std::size_t batches, unsigned present, Moments* moments);

}  // namespace herglotz::ensemble
