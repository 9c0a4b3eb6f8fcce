#include "hybrid/rows_to_come.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace herglotz::simulate {

void list_rows(integrate::Settings& settings, double t0) {
  auto& schedule = settings.schedule;
  double interval = schedule.interval;
  if (settings.step != 0 && schedule.every > 0)
    interval = static_cast<double>(schedule.every) * std::abs(settings.step);
  if (interval == 0) return;
  schedule = {.interval = interval};
  auto times = integrate::sample_times(settings, false, t0);
  times.pop_back();
  times.erase(times.begin());
  schedule = {.times = std::move(times)};
}

void keep_rows_after(integrate::Settings& settings, double t, double span) {
  auto& times = settings.schedule.times;
  const double rounding = 1e-12 * span;
  times.erase(times.begin(), std::ranges::find_if(times, [&](double row) { return row > t + rounding; }));
}

}  // namespace herglotz::simulate
