#include "hybrid/follow_over_impacts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/contact_forces.hpp"
#include "herglotz/mechanics/events/jumps.hpp"

namespace herglotz::simulate {
namespace {

/// Values of the contacts in rows of a run, or at crossings of an event.
using ImpactRows = std::vector<std::vector<double>>;

/// Writes the values of the contacts into their columns.
void show(const mechanics::System& system, const ImpactRows& rows, std::vector<analyse::Column>& columns) {
  std::size_t value = 0;
  for (const auto& event : system.events) {
    if (!event.impact) continue;
    for (const char* what : {"friction", "contact", "work", "loss", "drive"}) {
      const std::string name = fmt::format("{}.{}", what, event.name);
      const auto column = std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.name == name; });
      if (column != columns.end())
        for (std::size_t k = 0; k < rows.size(); ++k) column->values[k] = rows[k][value];
      ++value;
    }
  }
}

/// Returns functions of which those of impacts never change their sign.
kernel::Kernel without_impacts(const mechanics::System& system, const kernel::Kernel& values) {
  std::vector<std::size_t> impacts;
  for (std::size_t k = 0; k < system.events.size(); ++k)
    if (system.events[k].impact) impacts.push_back(k);
  return kernel::from_function(
      "events without impacts", values.variables(), values.parameters(), values.outputs(),
      [values, impacts](std::span<const double> v, std::span<const double> p, std::span<double> out) {
        std::vector<double> work(values.work_size());
        values(v.data(), p.data(), out.data(), work.data());
        for (const std::size_t k : impacts) out[k] = 1;
      });
}

}  // namespace

void require_impacts_alone(const mechanics::System& system, const integrate::MethodInfo& method) {
  for (const auto& event : system.events)
    if (!event.resets.empty())
      throw Refused(fmt::format("[events] '{}' changes the state, and steps of method {} do not end there", event.name,
                                method.name),
                    "remove `set`, or choose another method", "[events]");
}

integrate::ContactKernels contacts_of(const mechanics::System& forced, const kernel::Kernel& events,
                                      const kernel::Kernel& hessian) {
  integrate::ContactKernels map{events, hessian, {}};
  for (const auto& jump : mechanics::jumps_of(forced)) {
    const mechanics::Event& event = forced.events[jump.event];
    const auto symbol = mechanics::contact_force(forced, event).front();
    const auto force = std::find_if(forced.parameters.begin(), forced.parameters.end(),
                                    [&](const auto& parameter) { return parameter.symbol == symbol; });
    map.contacts.push_back({.name = event.name,
                            .gap = jump.event,
                            .first = jump.first,
                            .slips = event.impact->slip.size(),
                            .force = static_cast<std::size_t>(force - forced.parameters.begin())});
  }
  return map;
}

Pass follow_over_impacts(const Motion& free, const ForcedMotion& forced, const Start& start,
                         const integrate::Settings& settings, const Tick& tick) {
  const mechanics::System& system = *free.system;
  RowMaker maker = free.rows;
  maker.go_on({}, start.t0, start.state);
  Recorder recorder(std::move(maker));
  EventLog log(system, free.events, recorder);
  ImpactRows rows;
  std::vector<ImpactRows> at_events(system.events.size());
  const auto sink = [&](const integrate::Sample& sample, std::span<const double> contacts) {
    rows.emplace_back(contacts.begin(), contacts.end());
    return recorder.record(sample) && (!tick || tick(sample));
  };
  integrate::ContactWatch watch;
  const bool others = std::any_of(system.events.begin(), system.events.end(), [](const auto& e) { return !e.impact; });
  if (others) {
    watch.crossings = log.watch().crossings;
    watch.values = without_impacts(system, log.watch().values);
    watch.found = [&](std::size_t crossing, const integrate::Sample& sample, std::span<const double> contacts) {
      at_events[crossing].emplace_back(contacts.begin(), contacts.end());
      return log.watch().found(crossing, sample);
    };
  }
  Pass pass;
  auto [outcome, gain, choice, parts] = integrate::integrate_over_impacts(
      forced.contacts, *forced.dynamics, forced.parameters, start.t0, start.state, settings, sink, watch);
  pass.outcome = std::move(outcome);
  pass.broken = recorder.broken();
  pass.made = std::move(recorder).finish({});
  show(system, rows, pass.made.columns);
  auto events = std::move(log).finish();
  for (std::size_t k = 0; k < events.size(); ++k) {
    if (system.events[k].impact) continue;  // steps go over impacts, which are not located
    show(system, at_events[k], events[k].columns);
    pass.made.events.push_back(std::move(events[k]));
  }
  pass.notes.push_back(fmt::format("steps of {} go over impacts, with order 1 there", settings.method));
  if (gain.steps > 0)
    pass.notes.push_back(
        fmt::format("contacts raise the energy by {:.3g} in {}, first at t = {:.6g}, as Newton's restitution with "
                    "friction may, and a "
                    "step over an edge of a surface",
                    gain.energy, gain.steps == 1 ? "1 step" : fmt::format("{} steps", gain.steps), gain.first));
  if (parts.steps > 0)
    pass.notes.push_back(
        fmt::format("{} made in parts, first at t = {:.6g}: the impulses of the whole step were not found",
                    parts.steps == 1 ? "1 step was" : fmt::format("{} steps were", parts.steps), parts.first));
  std::vector<std::string> chosen;
  for (const std::size_t k : choice.contacts) chosen.push_back("'" + forced.contacts.contacts[k].name + "'");
  if (!chosen.empty())
    pass.notes.push_back(
        fmt::format("{} {} a load, first from t = {:.9g}: only sums of contact and friction forces are determined, and "
                    "those shown are one of many choices",
                    fmt::join(chosen, ", "), chosen.size() == 1 ? "shares" : "share", choice.first));
  return pass;
}

}  // namespace herglotz::simulate
