#include "record/event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/integrate/numerics/find_zero.hpp"

namespace herglotz::families {
namespace {

std::vector<double> values_at(Motion& motion, double t) {
  return motion.observe(t, [](auto&&...) {}).events;
}

}  // namespace

EventWatch::EventWatch(const Model& model, const FieldRows& row)
    : events_(model.events), rows_(model.events.size(), row.without_rows()) {}

void EventWatch::begin(double t, Motion& motion) {
  before_.assign(events_.size(), 0.0);
  note(values_at(motion, t));
}

void EventWatch::note(const std::vector<double>& values) {
  now_ = values;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k] != 0) before_[k] = values[k];
}

bool EventWatch::crosses(std::size_t event, double before, double after, bool forwards) const {
  if (!(before * after < 0)) return false;
  const bool rises = (before < 0) == forwards;
  const mechanics::Direction direction = events_[event].direction;
  return direction == mechanics::Direction::any || rises == (direction == mechanics::Direction::rising);
}

double EventWatch::located(Motion& motion, const WatchedStep& step, std::size_t event, double end, double after) {
  if (now_[event] == 0) return step.begin;
  const double tolerance =
      std::max(4e-16 * std::max(std::abs(step.begin), std::abs(end)), 1e-14 * std::abs(end - step.begin));
  const auto value = [&](double time) {
    motion.go_back();
    step.part(time);
    return values_at(motion, time)[event];
  };
  return integrate::find_zero(value, step.begin, before_[event], end, after, tolerance);
}

std::optional<Ended> EventWatch::take(Motion& motion, const WatchedStep& step) {
  motion.keep();
  const double end = step.whole();
  if (std::isnan(end)) return std::nullopt;
  const std::vector<double> after = values_at(motion, end);
  const bool forwards = end > step.begin;
  std::vector<Crossing> found;
  for (std::size_t k = 0; k < events_.size(); ++k)
    if (crosses(k, before_[k], after[k], forwards)) found.push_back({k, located(motion, step, k, end, after[k])});
  std::stable_sort(found.begin(), found.end(),
                   [&](const Crossing& a, const Crossing& b) { return forwards ? a.time < b.time : a.time > b.time; });
  for (const Crossing& crossing : found) {
    motion.go_back();
    if (crossing.time != step.begin) step.part(crossing.time);
    rows_[crossing.event].add(crossing.time, motion);
    if (events_[crossing.event].stop) return Ended{events_[crossing.event].function.name, crossing.time};
  }
  if (!found.empty()) {
    motion.go_back();
    step.whole();
  }
  note(after);
  return std::nullopt;
}

std::vector<analyse::Crossings> EventWatch::finish() && {
  std::vector<analyse::Crossings> crossings;
  for (std::size_t k = 0; k < events_.size(); ++k)
    crossings.push_back({events_[k].function.name, in_columns(std::move(rows_[k]).finish({})).columns});
  return crossings;
}

}  // namespace herglotz::families
