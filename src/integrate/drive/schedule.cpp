#include "drive/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/error.hpp"
#include "herglotz/integrate/counts.hpp"

namespace herglotz::integrate {
namespace {

/// Least size of a time step, in units in the last place of the largest time.
constexpr double least_change = 16;

void require_change(const char* name, double t0, double t_end, double step) {
  const double largest = std::max(std::abs(t0), std::abs(t_end));
  const double least = least_change * std::numeric_limits<double>::epsilon() * largest;
  if (step >= least) return;
  throw Refused(fmt::format("{} = {} is lost in times as large as {:.6g}", name, step, largest),
                fmt::format("choose at least {:.3g} there", 1.01 * least), name);
}

}  // namespace

void require_steps(const char* name, double t0, double t_end, double step) {
  const double duration = std::abs(t_end - t0);
  if (duration == 0) return;
  const double size = std::abs(step);
  if (!(duration / size <= most_steps))
    throw Refused(fmt::format("{} = {} makes {:.3g} steps from t = {} to {}, and a run has at most {:.0e}", name, size,
                              duration / size, t0, t_end, most_steps),
                  fmt::format("choose a step of at least {:.3g}", 1.01 * duration / most_steps), name);
  require_change(name, t0, t_end, std::min(size, duration));
}

void require_rows(const char* name, double t0, double t_end, double interval, std::size_t columns) {
  const double duration = std::abs(t_end - t0);
  if (duration == 0) return;
  const double rows = duration / interval;
  const double most = most_numbers / static_cast<double>(columns);
  if (!(rows <= most))
    throw Refused(
        fmt::format(
            "{} = {} makes {:.3g} rows of {} numbers from t = {} to {}, and a run keeps at most {:.3g} rows of them",
            name, interval, rows, columns, t0, t_end, most),
        fmt::format("choose at least {:.3g}", 1.01 * duration / most), name);
  require_change(name, t0, t_end, std::min(interval, duration));
}

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
    if (adaptive) throw Refused("an adaptive method chooses its steps", "give times or the time between samples");
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
