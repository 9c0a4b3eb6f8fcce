#pragma once
/// Steps of the pair of Prince and Dormand with error control, for one run or for several in lanes.

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "drive/error_scales.hpp"
#include "drive/step_choice.hpp"
#include "herglotz/kernel/prince_dormand.hpp"
#include "numerics/pack.hpp"

namespace herglotz::integrate {

/// Solver of y' = f(t, y) from step to step, with the errors of kernel::AdaptiveLoop. The step changes by the eighth
/// root of the error of the last one, computed by square roots, in which lanes and single runs agree.
template <class P>
class EmbeddedStep {
 public:
  using M = MaskOf<P>;
  static constexpr bool dense = false;

  explicit EmbeddedStep(const ErrorControl& control)
      : size_(control.size()),
        y_(size_),
        lost_(size_),
        trial_(size_),
        trial_lost_(size_),
        stage_(size_),
        scales_(control),
        slopes_(kernel::PrinceDormand::stages * size_) {
    const kernel::PrinceDormand& pair = kernel::prince_dormand();
    c_ = pair.c;
    for (std::size_t i = 0; i < kernel::PrinceDormand::stages; ++i) {
      for (std::size_t j = 0; j < i; ++j)
        if (pair.A[i][j] != 0) before_[i].add(j, pair.A[i][j]);
      if (pair.b[i] != 0) weight_.add(i, pair.b[i]);
      if (pair.b[i] != pair.b_hat[i]) difference_.add(i, pair.b[i] - pair.b_hat[i]);
    }
  }

  [[nodiscard]] const P* y() const { return y_.data(); }
  [[nodiscard]] P t() const { return t_; }
  /// Returns the size of the last accepted step.
  [[nodiscard]] P last() const { return last_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Starts a lane, with the sizes that its groups are expected to have soon; see sizes_soon(). Its slope must be
  /// evaluated by prepare().
  void set(int lane, double t, const double* y, const std::array<double, ErrorControl::groups>& sizes) {
    set_lane(t_, lane, t);
    set_lane(h_, lane, 0);
    set_lane(last_, lane, 0);
    set_lane(rejected_, lane, false);
    for (std::size_t i = 0; i < size_; ++i) replace(lane, i, y[i]);
    scales_.forget(lane);
    scales_.expect(lane, sizes);
    set_lane(known_, lane, false);
  }
  /// Puts another state in place of the one that was reached.
  void replace(int lane, const double* y) {
    for (std::size_t i = 0; i < size_; ++i) replace(lane, i, y[i]);
    set_lane(known_, lane, false);
  }

  /// Puts a lane at another time, with the same state and step size.
  void depart(int lane, double t) {
    set_lane(t_, lane, t);
    set_lane(known_, lane, false);
  }

  /// Evaluates slopes and weights that are not known, and chooses the first step of lanes that have none. Returns the
  /// lanes in which the motion is defined.
  template <class F>
  M prepare(F& f, P t_end) {
    const M unknown = !known_;
    if (!any(unknown)) return known_;
    const M fine = f(t_, y_.data(), stage_.data());
    for (std::size_t i = 0; i < size_; ++i) slopes_[i] = select(unknown, stage_[i], slopes_[i]);
    scales_.weigh(y_.data(), f.law_scales(), unknown);
    known_ = known_ | fine;
    const M fresh = unknown & fine & (magnitude(h_) <= P(0.0));
    if (any(fresh)) h_ = select(fresh, first_step(f, t_end), h_);
    return fine | !unknown;
  }

  struct Attempt {
    M accepted;
    M stuck;  ///< rejected at a step too small to be made smaller
  };

  /// Tries one step in every lane. Accepted lanes move, none of them beyond t_stop.
  template <class F>
  Attempt attempt(F& f, P t_stop) {
    const StepChoice<P> step = choose_step(h_, t_stop - t_);
    const P h = step.h;
    M fine = !MaskNone();
    for (std::size_t i = 1; i < kernel::PrinceDormand::stages; ++i) {
      for (std::size_t e = 0; e < size_; ++e) stage_[e] = y_[e] + h * combine(before_[i], e);
      fine = fine & f(t_ + P(c_[i]) * h, stage_.data(), slopes_.data() + i * size_);
    }
    P square(0.0);
    for (std::size_t e = 0; e < size_; ++e) {
      const P corrected = h * combine(weight_, e) - lost_[e];
      trial_[e] = y_[e] + corrected;
      trial_lost_[e] = (trial_[e] - y_[e]) - corrected;
      const P error = h * combine(difference_, e) * scales_.weight(e);
      square += error * error;
      fine = fine & is_finite(trial_[e]);
    }
    square = square * P(1.0 / static_cast<double>(size_));
    fine = fine & is_finite(square);
    return conclude(fine & (square <= P(1.0)), fine, square, {h, t_stop, step.reaches, M(step.reaches | step.halved)});
  }

 private:
  static constexpr double safety = 0.9;
  static constexpr double least_change = 0.2;
  static constexpr double most_change = 6;
  static constexpr double change_where_not_finite = 0.25;

  /// Factors of the slopes in a sum, without zeros.
  struct Terms {
    std::array<std::size_t, kernel::PrinceDormand::stages> slope{};
    std::array<double, kernel::PrinceDormand::stages> factor{};
    std::size_t count = 0;
    void add(std::size_t j, double a) {
      slope[count] = j;
      factor[count++] = a;
    }
  };
  struct Step {
    P h;
    P t_stop;
    M reaches;
    M shortened;
  };

  static M MaskNone() { return P(0.0) > P(0.0); }
  void replace(int lane, std::size_t i, double value) {
    set_lane(y_[i], lane, value);
    set_lane(lost_[i], lane, 0);
  }
  P combine(const Terms& terms, std::size_t e) const {
    P sum = P(terms.factor[0]) * slopes_[terms.slope[0] * size_ + e];
    for (std::size_t k = 1; k < terms.count; ++k) sum += P(terms.factor[k]) * slopes_[terms.slope[k] * size_ + e];
    return sum;
  }

  static P eighth_root(P a) { return square_root(square_root(square_root(a))); }

  /// Returns the first step: E. Hairer, S. Norsett, G. Wanner, Solving Ordinary Differential Equations I, II.4.
  template <class F>
  P first_step(F& f, P t_end) {
    const P duration = magnitude(t_end - t_);
    const P size = scales_.norm(y_.data());
    const P slope = scales_.norm(slopes_.data());
    const P guess = select((size < P(1e-5)) | (slope < P(1e-5)), P(1e-6) * duration, P(0.01) * size / slope);
    const P small = smaller(guess, duration);
    const P direction = select(t_end < t_, P(-1.0), P(1.0));
    for (std::size_t i = 0; i < size_; ++i) trial_[i] = y_[i] + direction * small * slopes_[i];
    f(t_ + direction * small, trial_.data(), stage_.data());
    for (std::size_t i = 0; i < size_; ++i) stage_[i] = stage_[i] - slopes_[i];
    const P bend = scales_.norm(stage_.data()) / small;
    const P steepest = larger(bend, slope);
    const P next =
        select(steepest > P(1e-15), eighth_root(P(0.01) / steepest), larger(P(1e-6) * duration, P(1e-3) * small));
    const P h = smaller(smaller(P(100.0) * small, next), duration);
    return direction * select(h > P(0.0), h, P(1e-9) * duration);
  }

  Attempt conclude(M accepted, M fine, P square, const Step& step) {
    const P root = square_root(eighth_root(square));
    P change = select(root > P(0.0), P(safety) / root, P(most_change));
    change = larger(smaller(change, select(rejected_, P(1.0), P(most_change))), P(least_change));
    change = select(fine, change, P(change_where_not_finite));
    P next = change * step.h;
    // A step that was shortened does not shorten the steps after it.
    next = select(accepted & step.shortened & (magnitude(next) < magnitude(h_)), h_, next);
    h_ = next;
    for (std::size_t e = 0; e < size_; ++e) {
      y_[e] = select(accepted, trial_[e], y_[e]);
      lost_[e] = select(accepted, trial_lost_[e], lost_[e]);
    }
    t_ = select(accepted, select(step.reaches, step.t_stop, t_ + step.h), t_);
    last_ = select(accepted, step.h, last_);
    known_ = known_ & !accepted;
    rejected_ = !accepted;
    const P least =
        P(4 * std::numeric_limits<double>::epsilon()) * magnitude(t_) + P(1e-20) * magnitude(step.t_stop - t_);
    return {accepted, M((!accepted) & (magnitude(h_) <= least))};
  }

  std::size_t size_;
  std::array<double, kernel::PrinceDormand::stages> c_{};
  std::array<Terms, kernel::PrinceDormand::stages> before_;
  Terms weight_;
  Terms difference_;
  P t_{};
  P h_{};
  P last_{};
  M known_{};
  M rejected_{};
  std::vector<P> y_;
  std::vector<P> lost_;
  std::vector<P> trial_;
  std::vector<P> trial_lost_;
  std::vector<P> stage_;
  ErrorScales<P> scales_;
  std::vector<P> slopes_;
};

}  // namespace herglotz::integrate
