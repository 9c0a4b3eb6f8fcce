#include "drive/breaks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace herglotz::integrate {

Breaks::Breaks(const Run& run)
    : t_end_(run.settings.t_end),
      direction_(run.settings.t_end < run.t0 ? -1 : 1),
      margin_(4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(run.t0), std::abs(t_end_))) {
  // A jump counts at the later end of the run, where the run arrives at it or departs from it. A break without a jump
  // counts strictly inside.
  const auto& all = run.settings.breaks;
  const double low = std::min(run.t0, t_end_);
  const double high = std::max(run.t0, t_end_);
  const auto first = std::find_if(all.begin(), all.end(), [&](const Break& b) { return b.t > low; });
  const auto last = std::find_if(first, all.end(), [&](const Break& b) { return b.jump ? b.t > high : b.t >= high; });
  breaks_ = {first, last};
}

double Breaks::arrival() const {
  return next().jump ? next().t - direction_ * margin_ : next().t;
}

double Breaks::departure() const {
  return next().jump && direction_ < 0 ? next().t - margin_ : next().t;
}

double Breaks::before(double t_stop) const {
  return left() && (t_stop - arrival()) * direction_ > 0 ? arrival() : t_stop;
}

}  // namespace herglotz::integrate
