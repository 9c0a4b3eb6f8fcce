#pragma once
/// Guesses of the stages of the next step, and of the end of the last one, from the stages of earlier steps.

#include <cstddef>
#include <vector>

#include "motion/stage_layout.hpp"
#include "numerics/compensated.hpp"
#include "numerics/extrapolation.hpp"
#include "numerics/pack.hpp"

namespace herglotz::integrate {

/// Extrapolation of the stages through the last steps, as many as each lane remembers.
template <class P>
class StageHistory {
 public:
  using M = MaskOf<P>;

  /// Takes the number of `unknowns` of all stages, and the distance `beyond` from the last stage to the end of a step,
  /// in steps.
  StageHistory(const StageLayout& layout, std::size_t unknowns, double beyond) : layout_(layout), beyond_(beyond) {
    past_.resize(unknowns);
  }

  void forget(M lanes) { past_.forget(lanes); }
  /// Returns the lanes that remember at least one step, or at least three.
  [[nodiscard]] M some() const { return past_.more_than(0); }
  [[nodiscard]] M several() const { return past_.more_than(2); }

  void remember(const std::vector<P>& unknowns) { past_.remember(unknowns); }

  /// Guesses the unknowns by extrapolation. Lanes that remember no step start from (x, p, z) and the last (x, w, z, l).
  void predict(std::vector<P>& unknowns, const CompensatedSums<P>& state, const std::vector<P>& last_state) const {
    past_.extrapolate(unknowns);
    if (const M none = !some(); any(none)) restart(none, unknowns, state, last_state);
  }
  void restart(M lanes, std::vector<P>& unknowns, const CompensatedSums<P>& state,
               const std::vector<P>& last_state) const {
    for (std::size_t k = 0, j = 0; k < unknowns.size(); ++k, j = j + 1 == layout_.size ? 0 : j + 1)
      put(lanes, unknowns[k], layout_.is_carried(j) ? state[j] : last_state[j]);
  }

  /// Extrapolates w and l to the end of the last step from its last stage and the last stages of the steps before.
  void extrapolate(std::vector<P>& last_state) const {
    const double a = beyond_;
    const M two = past_.more_than(1);
    const M three = several();
    const P first = select(three, P((1 + a) * (2 + a) / 2), select(two, P(1 + a), P(1.0)));
    const P second = select(three, P(-a * (2 + a)), P(-a));
    const P third(a * (1 + a) / 2);
    const std::size_t offset = past_.count() - layout_.size;
    for (std::size_t j = layout_.n; j < layout_.size; ++j) {
      if (layout_.is_carried(j)) continue;
      const std::size_t k = offset + j;
      P sum = first * past_[0][k];
      sum = select(two, sum + second * past_[1][k], sum);
      sum = select(three, sum + third * past_[2][k], sum);
      put(some(), last_state[j], sum);
    }
  }

 private:
  StageLayout layout_;
  double beyond_;
  Extrapolation<P, 7> past_;
};

}  // namespace herglotz::integrate
