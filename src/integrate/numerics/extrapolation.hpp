#pragma once
/// Guesses of the solution of a step by the polynomial through the solutions of the steps before.

#include <array>
#include <cstddef>
#include <vector>

#include "numerics/pack.hpp"

namespace herglotz::integrate {

/// Memory of the numbers of the last steps, at most Length of them. Every lane has its own count.
template <class P, std::size_t Length>
class Extrapolation {
 public:
  using M = MaskOf<P>;

  void resize(std::size_t count) {
    for (auto& each : past_) each.resize(count);
  }
  [[nodiscard]] std::size_t count() const { return past_[0].size(); }

  /// Makes these lanes forget all but the newest `kept` steps.
  void forget(M lanes, int kept = 0) {
    remembered_ = select(lanes, smaller(remembered_, P(static_cast<double>(kept))), remembered_);
  }
  [[nodiscard]] M more_than(int steps) const { return remembered_ > P(static_cast<double>(steps)); }

  void remember(const std::vector<P>& numbers) {
    newest_ = (newest_ + 1) % Length;
    past_[newest_] = numbers;
    remembered_ = smaller(remembered_ + P(1.0), P(static_cast<double>(Length)));
  }
  /// Returns the numbers of the step `back` steps before the last one.
  [[nodiscard]] const std::vector<P>& operator[](std::size_t back) const {
    return past_[(newest_ + Length - back) % Length];
  }

  /// Computes the numbers one step further by the polynomial through all that a lane remembers. A lane that remembers
  /// no step gets arbitrary numbers.
  void extrapolate(std::vector<P>& numbers) const {
    if (alike()) {
      const auto count = static_cast<std::size_t>(lane_of(remembered_, 0));
      if (count == 0) return;
      const auto& weight = weights[count - 1];
      for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = P(weight[0]) * (*this)[0][k];
      for (std::size_t back = 1; back < count; ++back)
        for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] += P(weight[back]) * (*this)[back][k];
      return;
    }
    for (std::size_t back = 0; back < Length; ++back) {
      const P weight = weight_of(back);
      const M more = more_than(static_cast<int>(back));
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        const P term = weight * (*this)[back][k];
        numbers[k] = back == 0 ? term : select(more, numbers[k] + term, numbers[k]);
      }
    }
  }

 private:
  static constexpr std::size_t most = 7;
  static_assert(Length <= most);
  static constexpr double weights[most][most] = {{1},
                                                 {2, -1},
                                                 {3, -3, 1},
                                                 {4, -6, 4, -1},
                                                 {5, -10, 10, -5, 1},
                                                 {6, -15, 20, -15, 6, -1},
                                                 {7, -21, 35, -35, 21, -7, 1}};

  [[nodiscard]] bool alike() const {
    for (int lane = 1; lane < LanesOf<P>::width; ++lane)
      if (lane_of(remembered_, lane) != lane_of(remembered_, 0)) return false;
    return true;
  }
  /// Returns the weight of the step that is `back` steps before the last one, in each lane.
  [[nodiscard]] P weight_of(std::size_t back) const {
    P weight(0.0);
    for (int lane = 0; lane < LanesOf<P>::width; ++lane) {
      const auto count = static_cast<std::size_t>(lane_of(remembered_, lane));
      if (count > 0) set_lane(weight, lane, weights[count - 1][back]);
    }
    return weight;
  }

  std::array<std::vector<P>, Length> past_;
  std::size_t newest_ = 0;
  P remembered_ = P(0.0);
};

}  // namespace herglotz::integrate
