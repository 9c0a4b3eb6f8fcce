#pragma once
/// Newton's iteration in lanes, each of which ends by itself.

#include <algorithm>
#include <array>
#include <cmath>

#include "herglotz/kernel/numbers.hpp"

namespace herglotz::sensitivity {

/// Which lanes are still searched. A lane that has converged keeps its numbers, so that they do not depend on the lanes
/// beside it.
template <int W>
class LaneIteration {
 public:
  using P = kernel::NumbersOf<W>;

  /// Begins an iteration in all lanes.
  void begin() {
    moving_.fill(1);
    known_.fill(0);
    last_.fill(0);
  }
  [[nodiscard]] bool is_searching() const {
    return std::any_of(moving_.begin(), moving_.end(), [](double lane) { return lane != 0; });
  }
  /// Returns 1 in lanes that are still searched, else 0.
  [[nodiscard]] P moving() const { return kernel::load<P>(moving_.data()); }
  /// Returns whether the unknowns of all lanes are known to be those of the solution up to round-off.
  [[nodiscard]] bool are_known() const {
    for (std::size_t lane = 0; lane < W; ++lane)
      if (moving_[lane] != 0 && known_[lane] == 0) return false;
    return true;
  }
  /// Ends the iteration of lanes whose changes are round-off, or were known to become that. Returns false if a change
  /// is not below a limit.
  bool judge(const P& change, double most) {
    /// Relative change at which derivatives are those of the solution.
    constexpr double converged = 2e-15;
    std::array<double, W> sizes{};
    kernel::store(sizes.data(), change);
    for (std::size_t lane = 0; lane < W; ++lane) {
      if (moving_[lane] == 0) continue;
      const double size = sizes[lane];
      if (!(size < most)) return false;
      if (known_[lane] != 0 || size <= converged) moving_[lane] = 0;
      // The matrix is that of the guess: its error is at least of the size of the first change.
      if (last_[lane] == 0) first_[lane] = size;
      known_[lane] = last_[lane] > 0 && size * std::max(size / last_[lane], first_[lane]) <= converged ? 1 : 0;
      last_[lane] = size;
    }
    return true;
  }

 private:
  using Numbers = std::array<double, W>;

  Numbers moving_{};  // 1 in lanes that are still searched, else 0
  Numbers known_{};   // 1 in lanes whose next change is known to be round-off
  Numbers first_{};   // changes of the first round
  Numbers last_{};    // changes of the last round
};

}  // namespace herglotz::sensitivity
