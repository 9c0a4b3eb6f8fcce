#pragma once
/// Whether the steps of a run come to an end.

#include <cmath>
#include <cstddef>
#include <optional>

namespace herglotz::integrate {

/// Looks at the pace of an adaptive run every million steps.
class Pace {
 public:
  /// Steps that were made since the last look, their way, and the number of steps left to the end at that pace.
  struct Steps {
    double made;
    double way;
    double left;
  };

  explicit Pace(double t0) : t_(t0) {}

  /// Returns the last steps if a look is due after `steps` of them, the last of which ended at t, more of them are left
  /// to t_end than a run could make in weeks, and they went on hardly faster than those before them.
  std::optional<Steps> without_end(std::size_t steps, double t, double t_end) {
    constexpr std::size_t steps_between_looks = std::size_t{1} << 20U;
    constexpr double most_steps_left = 1e13;
    constexpr double hardly_faster = 1.5;
    if (steps < steps_ + steps_between_looks) return std::nullopt;
    const auto made = static_cast<double>(steps - steps_);
    const double way = std::abs(t - t_);
    const bool gains = !before_ || way > hardly_faster * *before_;
    steps_ = steps;
    t_ = t;
    before_ = way;
    const double left = made * std::abs(t_end - t) / way;
    return left > most_steps_left && !gains ? std::optional<Steps>({made, way, left}) : std::nullopt;
  }

 private:
  std::size_t steps_ = 0;         // at the last look
  double t_;                      // then
  std::optional<double> before_;  // way of the steps between the last two looks
};

}  // namespace herglotz::integrate
