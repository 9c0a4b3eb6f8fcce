#pragma once
/// Symmetric compositions, which raise the order of a symmetric step.

#include <span>

namespace herglotz::integrate {

/// Returns the fractions of a step whose symmetric composition of symmetric steps of order 2 has the given order: 2
/// (one fraction), 4 [Suz90], 6 and 8 [KL97]. They add up to 1 and have static lifetime. Throws Refused
/// for any other order.
std::span<const double> symmetric_composition(int order);

}  // namespace herglotz::integrate
