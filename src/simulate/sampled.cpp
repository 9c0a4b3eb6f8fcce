#include "sampled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/integrate/counts.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;

constexpr std::string_view prefix = "samples_";

const mechanics::Event* event_of_samples(const mechanics::System& system) {
  const auto event = std::find_if(system.events.begin(), system.events.end(),
                                  [](const mechanics::Event& one) { return one.name == "sampled"; });
  return event == system.events.end() ? nullptr : &*event;
}

/// Returns the places of the counts among the base coordinates.
std::vector<std::size_t> counts_of(const mechanics::System& system) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < system.n(); ++i)
    if (!sampled_value_of(system, system.algebroid.x[i].name()).empty()) places.push_back(i);
  return places;
}

/// A sampled value, the place of its count among the base coordinates, and its interval.
struct Clock {
  std::string name;
  std::size_t count_at;
  double every;
};

/// Largest distance of two times that are one, in intervals.
constexpr double together = 1e-6;

std::vector<Clock> clocks_of(const mechanics::System& system, const std::vector<double>& parameters) {
  const auto places = counts_of(system);
  if (places.empty()) return {};
  std::vector<Expr> symbols{system.t};
  for (const std::size_t place : places) symbols.push_back(system.algebroid.x[place]);
  for (const auto& parameter : system.parameters) symbols.push_back(parameter.symbol);
  const Expr function = symbolic::expand_lets(event_of_samples(system)->value);
  std::vector<Clock> clocks;
  for (std::size_t k = 0; k < places.size(); ++k) {
    // The event is t - min(every*(count + 1)) over all sampled values: with all other counts far away it is -every.
    constexpr double far = 1e100;
    std::vector<double> values(places.size() + 1, far);
    values.front() = 0;
    values[k + 1] = 0;
    values.insert(values.end(), parameters.begin(), parameters.end());
    const std::string name(sampled_value_of(system, symbols[k + 1].name()));
    clocks.push_back({name, places[k], -symbolic::evaluate(function, symbols, values)});
  }
  return clocks;
}

}  // namespace

std::string_view sampled_value_of(const mechanics::System& system, std::string_view name) {
  const mechanics::Event* event = event_of_samples(system);
  if (event == nullptr || !name.starts_with(prefix)) return {};
  const bool counts = std::any_of(event->resets.begin(), event->resets.end(),
                                  [&](const mechanics::Reset& reset) { return reset.entry == name; });
  return counts ? name.substr(prefix.size()) : std::string_view{};
}

void require_samples(const mechanics::System& system, const Start& start, const std::vector<double>& parameters,
                     double t_end, std::size_t columns) {
  for (const auto& [name, count_at, every] : clocks_of(system, parameters)) {
    if (!(every > 0) || !std::isfinite(every))
      throw Refused(fmt::format("the interval of the sampled value '{}' is {}", name, every),
                    "give a positive interval", "[sampled]");
    // Each sample has two rows.
    integrate::require_rows(fmt::format("every of '{}'", name).c_str(), start.t0, t_end, every, 2 * columns);
    const double count = start.state[count_at];
    const double passed = start.t0 / every;
    if (count != std::floor(passed + together))
      throw Refused(fmt::format("{}{} = {:.9g}, and {:.9g} intervals of {:.6g} lie before the start at t = {:.9g}",
                                prefix, name, count, std::floor(passed + together), every, start.t0),
                    fmt::format("leave {}{} out of [initial], which then has that number", prefix, name),
                    fmt::format("{}{}", prefix, name));
  }
}

void require_between_samples(const mechanics::System& system, double t0, const std::vector<double>& parameters) {
  for (const auto& [name, count_at, every] : clocks_of(system, parameters))
    if (std::abs(t0 / every - std::round(t0 / every)) <= together)
      throw Refused(fmt::format("the start at t = {:.6g} is a time at which '{}' is sampled, and belongs to the motion "
                                "before it and behind it",
                                t0, name),
                    fmt::format("start between two samples, such as at t = {:.6g}", t0 + every / 2),
                    std::string(system.t.name()));
}

void require_no_samples(const mechanics::System& system, const std::string& what) {
  const auto places = counts_of(system);
  if (places.empty()) return;
  const std::string name(sampled_value_of(system, system.algebroid.x[places.front()].name()));
  throw Refused(fmt::format("{} would hold the sampled value '{}' for ever", what, name),
                "put the controller into `forces`, or find the multipliers of the motion over an interval with "
                "`herglotz orbit`",
                "[sampled]");
}

}  // namespace herglotz::simulate
