#pragma once
/// Sizes that errors of y = (x, w, z, nu, log lambda, g_1, ..) are compared with, for one run or for one in every lane.

#include <array>
#include <cstddef>
#include <vector>

#include "drive/error_control.hpp"
#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/least_size.hpp"
#include "numerics/pack.hpp"

namespace herglotz::integrate {

/// Weights 1 / (e (size_i + floor_i)) with the shares of kernel::ErrorShares, updated along the run.
template <class P>
class ErrorScales {
 public:
  using M = MaskOf<P>;

  explicit ErrorScales(const ErrorControl& control)
      : control_(control),
        weights_(control.size()),
        lately_(control.bounds[ErrorControl::groups]),
        law_(control.laws) {}

  [[nodiscard]] P weight(std::size_t i) const { return weights_[i]; }
  /// Forgets the run that was in a lane.
  void forget(int lane) {
    for (auto& size : lately_) set_lane(size, lane, 0);
    for (auto& group : group_) set_lane(group, lane, 0);
    for (auto& law : law_) set_lane(law, lane, 0);
  }

  /// Takes sizes for the largest that x, w, z and nu of a lane have had.
  void expect(int lane, const std::array<double, ErrorControl::groups>& sizes) {
    for (std::size_t g = 0; g < sizes.size(); ++g) set_lane(group_[g], lane, sizes[g]);
  }

  /// Updates the weights of these lanes by the sizes of y and of the terms of its laws.
  void weigh(const P* y, const P* scales, M lanes) {
    P largest(0.0);
    for (int g = 0; g < ErrorControl::groups; ++g) {
      P size = group_[g];
      for (std::size_t i = control_.bounds[g]; i < control_.bounds[g + 1]; ++i) size = larger(magnitude(y[i]), size);
      group_[g] = select(lanes, size, group_[g]);
      largest = larger(group_[g], largest);
    }
    const M somewhere = largest > P(kernel::least_size);
    const P whole = select(somewhere, largest, P(1.0));
    const auto put = [&](std::size_t i, P size, P floor) {
      weights_[i] = select(lanes, P(1.0) / (P(control_.local) * (size + floor)), weights_[i]);
    };
    for (int g = 0; g < ErrorControl::groups; ++g) {
      const P floor = select(
          somewhere, larger(P(kernel::ErrorShares::group) * group_[g], P(kernel::ErrorShares::state) * whole), P(1.0));
      for (std::size_t i = control_.bounds[g]; i < control_.bounds[g + 1]; ++i) {
        lately_[i] = select(lanes, larger(magnitude(y[i]), P(kernel::ErrorShares::fade) * lately_[i]), lately_[i]);
        put(i, lately_[i], floor);
      }
    }
    const std::size_t factor = control_.bounds[ErrorControl::groups];
    put(factor, magnitude(y[factor]), P(1.0));
    for (std::size_t k = 0; k < control_.laws; ++k) {
      const P scale = magnitude(scales[k]);
      law_[k] = select(lanes & is_finite(scale), larger(scale, law_[k]), law_[k]);
      const P floor = larger(select(law_[k] > P(0.0), P(kernel::ErrorShares::group) * law_[k], P(1.0)),
                             P(kernel::ErrorShares::state) * whole);
      put(factor + 1 + k, magnitude(y[factor + 1 + k]), floor);
    }
  }

  /// Returns the root mean square of v times the weights.
  [[nodiscard]] P norm(const P* v) const {
    P square(0.0);
    for (std::size_t i = 0; i < weights_.size(); ++i) square += (v[i] * weights_[i]) * (v[i] * weights_[i]);
    return square_root(square * P(1.0 / static_cast<double>(weights_.size())));
  }

 private:
  ErrorControl control_;
  std::vector<P> weights_;
  std::array<P, ErrorControl::groups> group_{};
  std::vector<P> lately_;
  std::vector<P> law_;
};

}  // namespace herglotz::integrate
