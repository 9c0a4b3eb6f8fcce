#pragma once
/// Steps of Radau IIA of order 5 with error control, for one run or for several in lanes.

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "drive/error_scales.hpp"
#include "drive/rest.hpp"
#include "drive/step_choice.hpp"
#include "radau/motion.hpp"
#include "radau/tableau.hpp"

namespace herglotz::integrate {

/// Solver of y = (u, log lambda, g_1, ..) from step to step. The stages of the state u solve their equations by a
/// simplified Newton iteration, whose matrices are computed anew at each step. The iteration is not that of newton.hpp,
/// since it ends at the tolerance rather than at round-off, and solves two systems in transformed unknowns. log lambda
/// and the budgets, which no rate depends on, follow by the same quadrature. A lane decides by its own numbers alone,
/// so that it has the bits of a single run.
template <class P>
class RadauStep {
 public:
  using M = MaskOf<P>;
  static constexpr bool dense = true;

  explicit RadauStep(const ErrorControl& control)
      : size_(control.size()),
        d_(control.bounds[ErrorControl::groups]),
        newton_tolerance_(control.local < 1e-3 ? square_root(control.local) : 0.03),
        control_(control),
        scales_(control),
        y_(size_),
        rates_(d_),
        start_quadrature_(1 + control.laws),
        before_(size_),
        begun_(size_),
        stage_(size_),
        error_(size_),
        right_(2 * d_),
        delta_(2 * d_),
        rounded_(size_) {
    for (std::size_t i = 0; i < Radau::stages; ++i) {
      Z_[i].resize(size_);
      kept_[i].resize(size_);
      W_[i].resize(d_);
      F_[i].resize(d_);
      quadrature_[i].resize(1 + control.laws);
    }
    if (newton_tolerance_ < 10 * std::numeric_limits<double>::epsilon() / control.local)
      newton_tolerance_ = 10 * std::numeric_limits<double>::epsilon() / control.local;
  }

  [[nodiscard]] const P* y() const { return y_.data(); }
  [[nodiscard]] P t() const { return t_; }
  /// Returns the size of the last accepted step.
  [[nodiscard]] P last() const { return last_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t iterations() const { return iterations_; }
  /// Returns the number of steps that were accepted although their error exceeds the tolerance, as it is rounding.
  [[nodiscard]] std::size_t rounded_steps() const { return rounded_steps_; }

  /// Starts a lane at (t, y), with the sizes that its groups are expected to have soon; see sizes_soon().
  void set(int lane, double t, const double* y, const std::array<double, ErrorControl::groups>& sizes) {
    set_lane(t_, lane, t);
    set_lane(begin_, lane, t);
    for (std::size_t i = 0; i < size_; ++i) set_lane(begun_[i], lane, y[i]);
    set_lane(h_, lane, 0);
    set_lane(last_, lane, 0);
    set_lane(error_before_, lane, 0);
    set_lane(rejected_, lane, true);
    set_lane(has_polynomial_, lane, false);
    scales_.forget(lane);
    scales_.expect(lane, sizes);
    replace(lane, y);
  }
  /// Puts another state in place of the one that was reached.
  void replace(int lane, const double* y) {
    for (std::size_t i = 0; i < size_; ++i) set_lane(y_[i], lane, y[i]);
    set_lane(known_, lane, false);
  }

  /// Puts a lane at another time, with the same state and step size.
  void depart(int lane, double t) {
    set_lane(t_, lane, t);
    set_lane(has_polynomial_, lane, false);
    set_lane(known_, lane, false);
  }

  /// Evaluates the rates and their derivatives if they are not known, and chooses the first step of lanes that have
  /// none. Returns the lanes in which the motion is defined.
  template <class F>
  M prepare(F& f, P t_end) {
    const M unknown = !known_;
    if (!any(unknown)) return known_;
    const M defined = f.rates(t_, y_.data(), error_.data());
    for (std::size_t i = 0; i < d_; ++i) rates_[i] = select(unknown, error_[i], rates_[i]);
    const P* const sources = f.dissipation_and_sources();
    for (std::size_t k = 0; k < start_quadrature_.size(); ++k)
      start_quadrature_[k] = select(unknown, sources[k], start_quadrature_[k]);
    scales_.weigh(y_.data(), f.law_scales(), unknown);
    const M differentiable = f.linearise(t_, y_.data(), unknown);
    const M fine = defined & differentiable;
    known_ = known_ | fine;
    const M first = unknown & fine & (magnitude(h_) <= P(0.0));
    if (any(first)) h_ = select(first, first_step(t_end), h_);
    const P longest = P(share_at_rest) * magnitude(t_end - begin_);
    const M long_at_rest = at_rest(control_, y_.data(), begun_.data()) & (magnitude(h_) > longest);
    if (any(long_at_rest)) h_ = select(long_at_rest, select(t_end < begin_, P(-1.0), P(1.0)) * longest, h_);
    return fine | !unknown;
  }

  struct Attempt {
    M accepted;
    M stuck;  ///< rejected at a step too small to be made smaller
  };

  /// Tries one step in every lane. Lanes that are accepted move, but not beyond t_stop.
  template <class F>
  Attempt attempt(F& f, P t_stop) {
    const StepChoice<P> step = choose_step(h_, t_stop - t_);
    const P h = step.h;
    round_off_.reset();
    const M factored = f.matrices().factorise(P(Radau::gamma) / h, P(Radau::alpha) / h, P(Radau::beta) / h);
    P count(0.0);
    const M solved = solve_stages(f, h, factored, count);
    M fine = solved & integrate_laws(f, h);
    P size = estimate(f, h, fine);
    fine = fine & is_finite(size);
    // Of an error of rounding nothing is left by shorter steps.
    const M large = fine & (size > P(1.0));
    if (any(large)) {
      const M rounded = large & (size <= round_off(f));
      if (any(rounded)) ++rounded_steps_;
      size = select(rounded, P(0.0), size);
    }
    return conclude(fine & (size <= P(1.0)), fine, size, count, {h, t_stop, step.reaches});
  }

  /// Writes the state of a lane at a time inside its last step, from the polynomial through its stages.
  void between(int lane, double t, double* y) const {
    const double start = lane_of(t_start_, lane);
    const double s = (t - start) / lane_of(last_, lane);
    for (std::size_t e = 0; e < size_; ++e) {
      double sum = 0;
      for (std::size_t i = 0; i < Radau::stages; ++i)
        sum +=
            lane_of(kept_[i][e], lane) * (s * (Radau::dense[i][0] + s * (Radau::dense[i][1] + s * Radau::dense[i][2])));
      y[e] = lane_of(before_[e], lane) + sum;
    }
  }

 private:
  static constexpr int most_iterations = 10;
  static constexpr double safety = 0.9;
  static constexpr double least_change = 0.2;
  static constexpr double most_change = 8;
  static constexpr double change_if_not_solved = 0.5;

  struct Step {
    P h;
    P t_stop;
    M reaches;
  };

  static P fourth_root(P a) { return square_root(square_root(a)); }

  /// Computes the first guess by continuing the polynomial of the last step.
  void guess(P h) {
    const P ratio = h / select(has_polynomial_, last_, P(1.0));
    std::array<std::array<P, 3>, 3> weights;
    for (std::size_t i = 0; i < Radau::stages; ++i) {
      const P s = P(1.0) + P(Radau::c[i]) * ratio;
      for (std::size_t j = 0; j < Radau::stages; ++j)
        weights[i][j] = s * (P(Radau::dense[j][0]) + s * (P(Radau::dense[j][1]) + s * P(Radau::dense[j][2])));
    }
    for (std::size_t e = 0; e < d_; ++e) {
      for (std::size_t i = 0; i < Radau::stages; ++i) {
        P sum = before_[e] - y_[e];
        for (std::size_t j = 0; j < Radau::stages; ++j) sum += weights[i][j] * kept_[j][e];
        Z_[i][e] = select(has_polynomial_, sum, P(0.0));
      }
      for (std::size_t i = 0; i < Radau::stages; ++i)
        W_[i][e] = P(Radau::T_inverse[i][0]) * Z_[0][e] + P(Radau::T_inverse[i][1]) * Z_[1][e] +
                   P(Radau::T_inverse[i][2]) * Z_[2][e];
    }
  }

  /// Solves for the stages by Newton's iteration. Returns the lanes in which it converged; `count` becomes the number
  /// of iterations.
  template <class F>
  M solve_stages(F& f, P h, M active, P& count) {
    guess(h);
    const P g = P(Radau::gamma) / h;
    const P a = P(Radau::alpha) / h;
    const P b = P(Radau::beta) / h;
    M converged = P(0.0) > P(0.0);
    P before(0.0);
    for (int k = 0; k < most_iterations && any(active); ++k) {
      ++iterations_;
      for (std::size_t i = 0; i < Radau::stages; ++i) {
        for (std::size_t e = 0; e < d_; ++e) stage_[e] = y_[e] + Z_[i][e];
        active = active & f.rates(t_ + P(Radau::c[i]) * h, stage_.data(), F_[i].data());
      }
      const auto transformed = [&](std::size_t i, std::size_t e) {
        return P(Radau::T_inverse[i][0]) * F_[0][e] + P(Radau::T_inverse[i][1]) * F_[1][e] +
               P(Radau::T_inverse[i][2]) * F_[2][e];
      };
      for (std::size_t e = 0; e < d_; ++e) right_[e] = transformed(0, e) - g * W_[0][e];
      f.matrices().solve(right_.data(), delta_.data());
      P square(0.0);
      take(0, delta_.data(), active, square);
      for (std::size_t e = 0; e < d_; ++e) {
        right_[e] = transformed(1, e) - a * W_[1][e] + b * W_[2][e];
        right_[d_ + e] = transformed(2, e) - a * W_[2][e] - b * W_[1][e];
      }
      f.matrices().solve_complex(right_.data(), delta_.data());
      take(1, delta_.data(), active, square);
      take(2, delta_.data() + d_, active, square);
      const P size = square_root(square * P(1.0 / static_cast<double>(3 * d_)));
      for (std::size_t e = 0; e < d_; ++e)
        for (std::size_t i = 0; i < Radau::stages; ++i) {
          const P z = P(Radau::T[i][0]) * W_[0][e] + P(Radau::T[i][1]) * W_[1][e] + P(Radau::T[i][2]) * W_[2][e];
          Z_[i][e] = select(active, z, Z_[i][e]);
        }
      count = select(active, P(static_cast<double>(k + 1)), count);
      const P rate = select(before > P(0.0), size / select(before > P(0.0), before, P(1.0)), P(0.0));
      const M exact = size <= P(0.0);
      const M contracts = rate < P(1.0);
      // The remaining error is at most rate/(1 - rate) times the last change. The first change alone gives no rate.
      const P remaining = rate * size;
      const M small = (before > P(0.0)) & contracts & (remaining <= P(newton_tolerance_) * (P(1.0) - rate));
      const M stays = active & (before > P(0.0)) & !contracts & is_finite(size);
      const M rounded = any(stays) ? M(stays & (size <= round_off(f))) : stays;
      const M done = active & (exact | small | rounded);
      converged = converged | done;
      active = active & !done & (contracts | (before <= P(0.0))) & is_finite(size);
      before = size;
    }
    return converged;
  }
  /// Returns the weighted size below which changes of stages and estimated errors of this step may be rounding. It is
  /// hardly ever asked for.
  template <class F>
  P round_off(F& f) {
    constexpr double several = 8;
    if (!round_off_) {
      for (P& entry : rounded_) entry = P(0.0);
      f.matrices().add_round_off(y_.data(), rounded_.data());
      round_off_ = P(several) * scales_.norm(rounded_.data());
    }
    return *round_off_;
  }
  void take(std::size_t i, const P* change, M active, P& square) {
    for (std::size_t e = 0; e < d_; ++e) {
      W_[i][e] = select(active, W_[i][e] + change[e], W_[i][e]);
      const P weighted = change[e] * scales_.weight(e);
      square += weighted * weighted;
    }
  }

  /// Computes log lambda and the budgets at the stages, from d(log lambda)/dt = -L_z and g' = L_z g + source. Each law
  /// has three equations.
  template <class F>
  M integrate_laws(F& f, P h) {
    M fine = P(0.0) <= P(0.0);
    for (std::size_t i = 0; i < Radau::stages; ++i) {
      for (std::size_t e = 0; e < d_; ++e) stage_[e] = y_[e] + Z_[i][e];
      fine = fine & f.rates(t_ + P(Radau::c[i]) * h, stage_.data(), F_[i].data());
      const P* const sources = f.dissipation_and_sources();
      for (std::size_t k = 0; k < quadrature_[i].size(); ++k) quadrature_[i][k] = sources[k];
    }
    for (std::size_t i = 0; i < Radau::stages; ++i) {
      P sum(0.0);
      for (std::size_t j = 0; j < Radau::stages; ++j) sum -= P(Radau::A[i][j]) * quadrature_[j][0];
      Z_[i][d_] = h * sum;
    }
    for (std::size_t k = 0; k + 1 < quadrature_[0].size(); ++k) integrate_law(k, h);
    return fine & finite_numbers(Z_[2].data(), size_);
  }
  void integrate_law(std::size_t k, P h) {
    const std::size_t at = d_ + 1 + k;
    // Z_i - h sum_j a_ij L_j Z_j = h sum_j a_ij (L_j g_0 + s_j), by Cramer's rule.
    std::array<std::array<P, 3>, 3> m;
    std::array<P, 3> b;
    for (std::size_t i = 0; i < 3; ++i) {
      b[i] = P(0.0);
      for (std::size_t j = 0; j < 3; ++j) {
        const P weight = h * P(Radau::A[i][j]);
        m[i][j] = P(i == j ? 1.0 : 0.0) - weight * quadrature_[j][0];
        b[i] += weight * (quadrature_[j][0] * y_[at] + quadrature_[j][1 + k]);
      }
    }
    const auto minor = [&](const P* u, const P* v, const P* w) {
      return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) +
             u[2] * (v[0] * w[1] - v[1] * w[0]);
    };
    std::array<std::array<P, 3>, 3> column;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) column[j][i] = m[i][j];
    const P whole = minor(column[0].data(), column[1].data(), column[2].data());
    Z_[0][at] = minor(b.data(), column[1].data(), column[2].data()) / whole;
    Z_[1][at] = minor(column[0].data(), b.data(), column[2].data()) / whole;
    Z_[2][at] = minor(column[0].data(), column[1].data(), b.data()) / whole;
  }

  /// Returns the weighted size of the error of the embedded method. After a rejection it is filtered a second time, as
  /// stiff components would otherwise seem too large.
  template <class F>
  P estimate(F& f, P h, M fine) {
    const auto embedded = [&](std::size_t e) {
      return (P(Radau::error[0]) * Z_[0][e] + P(Radau::error[1]) * Z_[1][e] + P(Radau::error[2]) * Z_[2][e]) / h;
    };
    for (std::size_t e = 0; e < d_; ++e) right_[e] = rates_[e] + embedded(e);
    f.matrices().solve(right_.data(), error_.data());
    const P g = P(Radau::gamma) / h;
    const P L_z = start_quadrature_[0];
    error_[d_] = (embedded(d_) - L_z) / g;
    for (std::size_t k = 0; k + 1 < start_quadrature_.size(); ++k) {
      const std::size_t at = d_ + 1 + k;
      error_[at] = (embedded(at) + L_z * y_[at] + start_quadrature_[1 + k]) / (g - L_z);
    }
    P size = scales_.norm(error_.data());
    const M again = fine & rejected_ & (size > P(1.0));
    if (!any(again)) return size;
    for (std::size_t e = 0; e < d_; ++e) stage_[e] = y_[e] + error_[e];
    const M defined = f.rates(t_, stage_.data(), F_[0].data());
    for (std::size_t e = 0; e < d_; ++e) right_[e] = F_[0][e] + embedded(e);
    f.matrices().solve(right_.data(), stage_.data());
    for (std::size_t e = 0; e < d_; ++e) error_[e] = select(again & defined, stage_[e], error_[e]);
    size = select(again & defined, scales_.norm(error_.data()), size);
    return size;
  }

  Attempt conclude(M accepted, M fine, P size, P count, const Step& step) {
    const double allowed = 2.0 * most_iterations + 1;
    const P caution = P(safety) * P(allowed) / (P(2.0 * most_iterations) + count);
    const P least(1e-10);
    const P own = larger(size, least);
    P change = caution / fourth_root(own);
    // K. Gustafsson's predictive control, from the errors and sizes of the last two steps.
    const M predicts = accepted & (error_before_ > P(0.0)) & (magnitude(last_) > P(0.0));
    const P usable = select(predicts, last_, P(1.0));
    const P predicted =
        magnitude(step.h / usable) * fourth_root(select(predicts, error_before_, P(1.0)) / own) * change;
    change = select(predicts, smaller(change, predicted), change);
    change = larger(smaller(change, select(rejected_ & accepted & (magnitude(last_) > P(0.0)), P(1.0), P(most_change))),
                    P(least_change));
    change = select(fine, change, P(change_if_not_solved));
    const P next = change * step.h;
    // A step that t_stop shortened does not shorten the steps after it.
    h_ = select(accepted & (magnitude(step.h) < magnitude(h_)) & (magnitude(next) < magnitude(h_)), h_, next);
    for (std::size_t e = 0; e < size_; ++e) {
      before_[e] = select(accepted, y_[e], before_[e]);
      for (std::size_t i = 0; i < Radau::stages; ++i) kept_[i][e] = select(accepted, Z_[i][e], kept_[i][e]);
      y_[e] = select(accepted, y_[e] + Z_[2][e], y_[e]);
    }
    t_start_ = select(accepted, t_, t_start_);
    t_ = select(accepted, select(step.reaches, step.t_stop, t_ + step.h), t_);
    last_ = select(accepted, step.h, last_);
    error_before_ = select(accepted, larger(size, P(1e-2)), error_before_);
    known_ = known_ & !accepted;
    has_polynomial_ = has_polynomial_ | accepted;
    rejected_ = !accepted;
    const P smallest =
        P(4 * std::numeric_limits<double>::epsilon()) * magnitude(t_) + P(1e-20) * magnitude(step.t_stop - t_);
    return {accepted, M((!accepted) & (magnitude(h_) <= smallest))};
  }

  /// Returns the first step from the slope alone: E. Hairer, S. Norsett, G. Wanner, Solving Ordinary Differential
  /// Equations I, II.4.
  P first_step(P t_end) {
    for (std::size_t e = 0; e < size_; ++e) error_[e] = P(0.0);
    for (std::size_t e = 0; e < d_; ++e) error_[e] = rates_[e];
    const P slope = scales_.norm(error_.data());
    const P size = scales_.norm(y_.data());
    const P duration = magnitude(t_end - t_);
    const M slow = (slope < P(1e-5)) | (size < P(1e-5));
    const P guess = select(slow, P(1e-6) * duration, P(0.01) * size / select(slow, P(1.0), slope));
    const P h = smaller(guess, duration);
    return select(t_end < t_, P(-1.0), P(1.0)) * select(h > P(0.0), h, P(1e-9) * duration);
  }

  std::size_t size_;  // of y
  std::size_t d_;     // of the state
  double newton_tolerance_;
  ErrorControl control_;
  ErrorScales<P> scales_;
  P t_{};
  P h_{};
  P begin_{};  ///< the time at which the run began
  P last_{};
  P t_start_{};
  P error_before_{};
  M known_{};
  M rejected_{};
  M has_polynomial_{};
  std::size_t iterations_ = 0;
  std::size_t rounded_steps_ = 0;
  std::vector<P> y_;
  std::vector<P> rates_;
  std::vector<P> start_quadrature_;  // L_z and the sources at y
  std::vector<P> before_;            // y at the start of the last step
  std::vector<P> begun_;             // y at the start of the run
  std::vector<P> stage_;
  std::vector<P> error_;
  std::vector<P> right_;
  std::vector<P> delta_;
  std::vector<P> rounded_;
  std::optional<P> round_off_;                      // of the step that is tried, once it was asked for
  std::array<std::vector<P>, Radau::stages> Z_;     // stages less y
  std::array<std::vector<P>, Radau::stages> kept_;  // Z of the last accepted step
  std::array<std::vector<P>, Radau::stages> W_;     // T^-1 Z
  std::array<std::vector<P>, Radau::stages> F_;
  std::array<std::vector<P>, Radau::stages> quadrature_;  // L_z and the sources at the stages
};

}  // namespace herglotz::integrate
