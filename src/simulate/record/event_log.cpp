#include "record/event_log.hpp"

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

}  // namespace

EventLog::EventLog(const mechanics::System& system, kernel::Kernel values, const Recorder& recorder)
    : recorders_(system.events.size(), recorder) {
  for (const auto& event : system.events)
    watch_.crossings.push_back({event.name, direction(event.direction), event.stop});
  watch_.values = std::move(values);
  watch_.found = [this](std::size_t crossing, const integrate::Sample& sample) {
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
