#pragma once
/// What the stages of earlier steps tell about those of the next one, and about its end.

#include <array>
#include <cstddef>
#include <vector>

#include "compensated.hpp"
#include "pack.hpp"
#include "stage_layout.hpp"

namespace herglotz::integrate {

/// Extrapolates stage by stage through the last steps, as many as each lane remembers.
template <class P>
class StageHistory {
 public:
  using M = MaskOf<P>;

  /// `unknowns` of all stages; `beyond`: how far the end of a step lies beyond its last stage, in steps.
  StageHistory(const StageLayout& layout, std::size_t unknowns, double beyond) : layout_(layout), beyond_(beyond) {
    for (auto& each : past_) each.resize(unknowns);
  }

  void forget(M lanes) { remembered_ = select(lanes, P(0.0), remembered_); }
  /// Lanes that remember a step, or three.
  [[nodiscard]] M some() const { return remembered_ > P(0.0); }
  [[nodiscard]] M several() const { return remembered_ > P(2.0); }

  void remember(const std::vector<P>& unknowns) {
    newest_ = (newest_ + 1) % length;
    past_[newest_] = unknowns;
    remembered_ = smaller(remembered_ + P(1.0), P(static_cast<double>(length)));
  }

  /// Without any step, from (x, p, z) and the last (x, w, z, l).
  void predict(std::vector<P>& unknowns, const CompensatedSums<P>& state, const std::vector<P>& last_state) const {
    const auto count = static_cast<std::size_t>(lane_of(remembered_, 0));
    if (alike()) {
      if (count == 0) return restart(P(0.0) <= P(0.0), unknowns, state, last_state);
      const auto& weight = weights[count - 1];
      for (std::size_t k = 0; k < unknowns.size(); ++k) unknowns[k] = P(weight[0]) * past(0)[k];
      for (std::size_t back = 1; back < count; ++back)
        for (std::size_t k = 0; k < unknowns.size(); ++k) unknowns[k] += P(weight[back]) * past(back)[k];
      return;
    }
    for (std::size_t back = 0; back < length; ++back) {
      const P weight = weight_of(back);
      const M more = remembered_ > P(static_cast<double>(back));
      for (std::size_t k = 0; k < unknowns.size(); ++k) {
        const P term = weight * past(back)[k];
        unknowns[k] = back == 0 ? term : select(more, unknowns[k] + term, unknowns[k]);
      }
    }
    restart(!some(), unknowns, state, last_state);
  }
  void restart(M lanes, std::vector<P>& unknowns, const CompensatedSums<P>& state,
               const std::vector<P>& last_state) const {
    for (std::size_t k = 0, j = 0; k < unknowns.size(); ++k, j = j + 1 == layout_.size ? 0 : j + 1)
      put(lanes, unknowns[k], layout_.is_carried(j) ? state[j] : last_state[j]);
  }

  /// w and l at the end of the last step, from those of its last stage and of the ones before.
  void extrapolate(std::vector<P>& last_state) const {
    const double a = beyond_;
    const M two = remembered_ > P(1.0);
    const M three = several();
    const P first = select(three, P((1 + a) * (2 + a) / 2), select(two, P(1 + a), P(1.0)));
    const P second = select(three, P(-a * (2 + a)), P(-a));
    const P third(a * (1 + a) / 2);
    const std::size_t offset = past_[0].size() - layout_.size;
    for (std::size_t j = layout_.n; j < layout_.size; ++j) {
      if (layout_.is_carried(j)) continue;
      const std::size_t k = offset + j;
      P sum = first * past(0)[k];
      sum = select(two, sum + second * past(1)[k], sum);
      sum = select(three, sum + third * past(2)[k], sum);
      put(some(), last_state[j], sum);
    }
  }

 private:
  static constexpr std::size_t length = 7;
  static constexpr double weights[length][length] = {{1},
                                                     {2, -1},
                                                     {3, -3, 1},
                                                     {4, -6, 4, -1},
                                                     {5, -10, 10, -5, 1},
                                                     {6, -15, 20, -15, 6, -1},
                                                     {7, -21, 35, -35, 21, -7, 1}};

  [[nodiscard]] const std::vector<P>& past(std::size_t back) const { return past_[(newest_ + length - back) % length]; }
  [[nodiscard]] bool alike() const {
    for (int lane = 1; lane < LanesOf<P>::width; ++lane)
      if (lane_of(remembered_, lane) != lane_of(remembered_, 0)) return false;
    return true;
  }
  /// Of the step `back` steps ago, in each lane.
  [[nodiscard]] P weight_of(std::size_t back) const {
    P weight(0.0);
    for (int lane = 0; lane < LanesOf<P>::width; ++lane) {
      const auto count = static_cast<std::size_t>(lane_of(remembered_, lane));
      if (count > 0) set_lane(weight, lane, weights[count - 1][back]);
    }
    return weight;
  }

  StageLayout layout_;
  double beyond_;
  std::array<std::vector<P>, length> past_;
  std::size_t newest_ = 0;
  P remembered_ = P(0.0);
};

}  // namespace herglotz::integrate
