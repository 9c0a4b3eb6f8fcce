#pragma once
/// Sizes of adaptive steps.

#include <cmath>
#include <limits>

namespace herglotz::families {

/// Step that ends at a time t_stop at the latest.
struct StepChoice {
  double h = 0;
  bool reaches = false;    ///< t_stop
  bool shortened = false;  ///< for the sake of t_stop

  /// Chooses the step from the time t with the usual size.
  StepChoice(double usual, double t, double t_stop) {
    const double left = t_stop - t;
    reaches = std::abs(usual) * 1.000001 >= std::abs(left);
    // Two equal steps are better than a whole step and a sliver.
    const bool halved = !reaches && 2 * std::abs(usual) > std::abs(left);
    h = reaches ? left : halved ? left / 2 : usual;
    shortened = reaches || halved;
  }

  /// Returns the usual size after this step, where `next` follows from its error. A step that was shortened does not
  /// shorten the steps after it.
  [[nodiscard]] double usual_after(double next, double usual, bool accepted) const {
    return !accepted || !shortened || std::abs(next) > std::abs(usual) ? next : usual;
  }
};

/// Returns whether no step smaller than h can be tried from the time t.
inline bool is_too_small(double h, double t, double t_stop) {
  return !(std::abs(h) > 4 * std::numeric_limits<double>::epsilon() * std::abs(t) + 1e-20 * std::abs(t_stop - t));
}

}  // namespace herglotz::families
