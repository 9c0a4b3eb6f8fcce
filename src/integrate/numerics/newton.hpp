#pragma once
/// Thresholds at which Newton's iterations of a step have reached round-off. Sizes of updates are relative.

#include <limits>

namespace herglotz::integrate::newton {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();
inline constexpr double converged = 4 * epsilon;
/// Size below which updates that stop falling count as round-off, and above which they count as divergence.
inline constexpr double round_off = 1e-9;
inline constexpr int most_iterations = 60;

}  // namespace herglotz::integrate::newton
