#pragma once
/// When Newton's iterations of a step have reached round-off. Sizes of updates are relative.

#include <limits>

namespace herglotz::integrate::newton {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();
inline constexpr double converged = 4 * epsilon;
/// Updates that stop falling count as round-off below this, as divergence above.
inline constexpr double round_off = 1e-9;
inline constexpr int most_iterations = 60;

}  // namespace herglotz::integrate::newton
