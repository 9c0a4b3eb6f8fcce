#include "schedule.hpp"

#include <cmath>

namespace herglotz::integrate {

SampleTimes::SampleTimes(double t0, double t_end, double interval)
    : t0_(t0), t_end_(t_end), interval_(std::copysign(interval, t_end - t0)) {
  if (interval == 0) return;
  const double count = std::ceil(std::abs(t_end - t0) / interval - 1e-9) - 1;
  interior_ = count > 0 ? static_cast<std::size_t>(count) : 0;
}

double SampleTimes::next() const {
  return only_end_left() ? t_end_ : t0_ + static_cast<double>(index_) * interval_;
}

}  // namespace herglotz::integrate
