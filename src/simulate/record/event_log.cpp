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

/// Returns a kernel of the values at some places of another kernel, with signs that some of them have at the time t0 of
/// the variable `time`.
kernel::Kernel chosen(const kernel::Kernel& values, const std::vector<std::size_t>& places, std::size_t time,
                      const WatchChoice& choice) {
  if (places.size() == values.outputs() && choice.signs.empty()) return values;
  return kernel::from_function(
      "watched events", values.variables(), values.parameters(), places.size(),
      [values, places, time, choice](std::span<const double> v, std::span<const double> p, std::span<double> out) {
        constexpr double least = 1e-300;
        std::vector<double> all(values.outputs());
        std::vector<double> work(values.work_size());
        values(v.data(), p.data(), all.data(), work.data());
        for (std::size_t k = 0; k < places.size(); ++k) out[k] = all[places[k]];
        if (v[time] != choice.t0) return;
        for (const auto& [k, sign] : choice.signs) out[k] = sign * least;
      });
}

}  // namespace

EventLog::EventLog(const mechanics::System& system, const kernel::Kernel& values, const Recorder& recorder,
                   const WatchChoice& choice)
    : silent_(choice.silent) {
  const std::vector<std::size_t> places = mechanics::events_alone(system);
  std::vector<bool> jumps(system.events.size(), false);
  for (const auto& jump : mechanics::jumps_of(system)) jumps[jump.event] = true;
  for (const std::size_t k : places) {
    const auto& event = system.events[k];
    watch_.crossings.push_back({event.name, direction(event.direction), event.stop || jumps[k]});
  }
  recorders_.assign(places.size(), recorder);
  if (!places.empty()) watch_.values = chosen(values, places, system.n() + system.r() + 1, choice);
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
