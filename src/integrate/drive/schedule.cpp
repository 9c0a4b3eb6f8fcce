#include "drive/schedule.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace herglotz::integrate {

SampleTimes::SampleTimes(double t0, double t_end, const Schedule& schedule)
    : listed_(schedule.times),
      t0_(t0),
      t_end_(t_end),
      interval_(std::copysign(schedule.interval, t_end - t0)),
      interior_(schedule.times.size()) {
  if (schedule.interval == 0) return;
  const double count = std::ceil(std::abs(t_end - t0) / schedule.interval - 1e-9) - 1;
  interior_ = count > 0 ? static_cast<std::size_t>(count) : 0;
}

double SampleTimes::next() const {
  if (only_end_left()) return t_end_;
  return listed_.empty() ? t0_ + static_cast<double>(index_) * interval_ : listed_[index_ - 1];
}

Steps count_steps(double duration, double h) {
  const double ratio = duration / h;
  const double nearest = std::round(ratio);
  const double slack = 1e-9 + 4 * std::numeric_limits<double>::epsilon() * ratio;
  if (nearest >= 1 && std::abs(ratio - nearest) <= slack) return {static_cast<std::size_t>(nearest), 0};
  const double whole = std::floor(ratio);
  return {static_cast<std::size_t>(whole), duration - whole * h};
}

std::vector<double> sample_times(const Settings& settings, bool adaptive, double t0) {
  std::vector<double> times{t0};
  if (settings.t_end == t0) return times;
  const std::size_t every = settings.schedule.every;
  if (every != 0 && every < settings.max_steps) {
    if (adaptive)
      throw std::invalid_argument("an adaptive method chooses its steps; give times or the time between samples");
    const double h = std::copysign(settings.step, settings.t_end - t0);
    const std::size_t total = count_steps(settings.t_end - t0, h).total();
    for (std::size_t k = every; k < total; k += every) times.push_back(t0 + static_cast<double>(k) * h);
  }
  for (SampleTimes due(t0, settings.t_end, settings.schedule); !due.only_end_left(); due.pass())
    times.push_back(due.next());
  times.push_back(settings.t_end);
  return times;
}

}  // namespace herglotz::integrate
