#include "record/event_log.hpp"

#include <algorithm>
#include <span>

#include "herglotz/mechanics/events/jumps.hpp"

namespace herglotz::simulate {
namespace {

integrate::Direction direction(mechanics::Direction given) {
  switch (given) {
    case mechanics::Direction::rising:
      return integrate::Direction::rising;
    case mechanics::Direction::falling:
      return integrate::Direction::falling;
    case mechanics::Direction::any:
      break;
  }
  return integrate::Direction::any;
}

/// Returns a kernel of the first `count` values of another kernel, of which some are raised, with signs that some of
/// them have at the time t0 of the variable `time`.
kernel::Kernel chosen(const kernel::Kernel& values, std::size_t count, std::size_t time, const WatchChoice& choice) {
  if (count == values.outputs() && choice.signs.empty() && choice.raised.empty()) return values;
  return kernel::from_function(
      "watched events", values.variables(), values.parameters(), count,
      [values, count, time, choice](std::span<const double> v, std::span<const double> p, std::span<double> out) {
        constexpr double least = 1e-300;
        std::vector<double> all(values.outputs());
        std::vector<double> work(values.work_size());
        values(v.data(), p.data(), all.data(), work.data());
        std::copy_n(all.begin(), count, out.begin());
        for (const auto& [k, by] : choice.raised) out[k] += by;
        if (v[time] != choice.t0) return;
        for (const auto& [k, sign] : choice.signs) out[k] = sign * least;
      });
}

}  // namespace

EventLog::EventLog(const mechanics::System& system, const kernel::Kernel& values, const Recorder& recorder,
                   const WatchChoice& choice)
    : silent_(choice.silent) {
  for (const auto& event : system.events)
    watch_.crossings.push_back({event.name, direction(event.direction), event.stop || mechanics::changes_state(event)});
  const std::size_t count = system.events.size();
  recorders_.assign(count, recorder);
  if (count > 0) watch_.values = chosen(values, count, system.n() + system.r() + 1, choice);
  watch_.found = [this](std::size_t crossing, const integrate::Sample& sample) {
    if (std::find(silent_.begin(), silent_.end(), crossing) != silent_.end()) return true;
    return recorders_[crossing].record(sample);
  };
}

std::vector<analyse::Crossings> EventLog::finish() && {
  std::vector<analyse::Crossings> events;
  for (std::size_t k = 0; k < recorders_.size(); ++k)
    events.push_back({watch_.crossings[k].name, std::move(recorders_[k]).finish({}).columns});
  return events;
}

}  // namespace herglotz::simulate
